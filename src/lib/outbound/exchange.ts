import type { IncomingHttpHeaders } from 'node:http'
import type { Dispatcher } from 'undici'
import { OutboundError, toOutboundError } from './outbound-error.ts'
import { outboundMessages } from './outbound-messages.ts'

/** Time limits for the parts of an exchange, in milliseconds. */
export interface Timeouts {
  /** The time until the answer's head arrives, including the wait for a place and a connection. */
  firstByteMs: number
  /** The time between two pieces of the body. */
  idleMs: number
  /** The time of the whole exchange. */
  totalMs: number
}

/** An answer whose body is still arriving. */
export interface OutboundStream {
  status: number
  headers: IncomingHttpHeaders
  body: OutboundBody
}

/**
 * The body as it arrives: each step of the iteration yields everything received since the last one. Throws
 * OutboundError if the body breaks off. Leaving the loop early closes the connection.
 */
export interface OutboundBody extends AsyncIterable<Buffer[]> {
  /** Reads the rest if it is short, so that the connection can be used again; otherwise closes the connection. */
  discard(): void
}

/**
 * Sends a request and resolves when the head of the answer has arrived. undici's `request()` does the same with a
 * stream, a promise and an async resource for each call; this does half the work for answers of many small pieces.
 * @param place a place to wait for first and to give back when the body has ended; null: none is needed
 * @throws OutboundError
 */
export function exchange(
  dispatcher: Dispatcher,
  request: Dispatcher.DispatchOptions,
  timeouts: Timeouts,
  signal: AbortSignal | undefined,
  place: Promise<Disposable> | null,
): Promise<OutboundStream> {
  return new Promise((resolve, reject) => {
    const running = new Exchange(resolve, reject, timeouts, signal)
    if (signal?.aborted) running.abort()
    // Our own timers are exact, and one of them also covers waiting for a connection.
    const send = () => dispatcher.dispatch({ ...request, headersTimeout: 0, bodyTimeout: 0 }, running)
    if (place) place.then((place) => running.hold(place) && send()).catch(reject)
    else if (!signal?.aborted) send()
  })
}

/** The number of unread bytes above which the peer has to wait. */
const HIGH_WATER = 256 * 1024
const DISCARD_LIMIT = 64 * 1024

/** A handler of undici's events on one side and an async iterator over the body on the other. */
class Exchange implements Dispatcher.DispatchHandler, OutboundBody, AsyncIterator<Buffer[], undefined> {
  readonly #resolve: (stream: OutboundStream) => void
  readonly #reject: (error: OutboundError) => void
  readonly #signal: AbortSignal | undefined
  readonly #onAbort = () => this.abort()
  readonly #idleMs: number
  /** Runs until the first byte, and again after each piece. */
  #quietTimer: NodeJS.Timeout
  readonly #totalTimer: NodeJS.Timeout
  #place: Disposable | null = null
  #controller: Dispatcher.DispatchController | null = null
  #chunks: Buffer[] = []
  #unread = 0
  #discarding = false
  #ended = false
  #error: OutboundError | null = null
  #reader: PromiseWithResolvers<IteratorResult<Buffer[], undefined>> | null = null

  constructor(
    resolve: (stream: OutboundStream) => void,
    reject: (error: OutboundError) => void,
    timeouts: Timeouts,
    signal: AbortSignal | undefined,
  ) {
    this.#resolve = resolve
    this.#reject = reject
    this.#signal = signal
    signal?.addEventListener('abort', this.#onAbort)
    this.#idleMs = timeouts.idleMs
    this.#quietTimer = setTimeout(() => this.#expire(), timeouts.firstByteMs)
    this.#totalTimer = setTimeout(() => this.#expire(), timeouts.totalMs)
  }

  abort(): void {
    this.#fail(new OutboundError('aborted', 'the call was stopped', this.#signal?.reason))
  }

  /** Keeps a place until the end. @returns false if the call has ended before it got one */
  hold(place: Disposable): boolean {
    this.#place = place
    if (this.#error) this.#release()
    return this.#error === null
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller
    if (this.#error) controller.abort(this.#error)
  }

  onResponseStart(_: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
    if (status < 200) return
    clearTimeout(this.#quietTimer)
    this.#quietTimer = setTimeout(() => this.#onQuiet(), this.#idleMs)
    this.#resolve({ status, headers, body: this })
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#error) return
    this.#quietTimer.refresh()
    this.#unread += chunk.length
    if (this.#discarding) {
      if (this.#unread > DISCARD_LIMIT) this.#close()
      return
    }
    this.#chunks.push(chunk)
    if (this.#reader) {
      // Chunks that came in one packet are delivered together.
      if (this.#chunks.length === 1) queueMicrotask(() => this.#deliver())
    } else if (this.#unread > HIGH_WATER) controller.pause()
  }

  onResponseEnd(): void {
    this.#ended = true
    this.#release()
    this.#deliver()
  }

  onResponseError(_: Dispatcher.DispatchController | null, error: Error): void {
    this.#fail(toOutboundError(error))
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  next(): Promise<IteratorResult<Buffer[], undefined>> {
    this.#reader = Promise.withResolvers()
    const { promise } = this.#reader
    this.#deliver()
    return promise
  }

  async return(): Promise<IteratorResult<Buffer[], undefined>> {
    if (!this.#discarding) this.#close()
    return { done: true, value: undefined }
  }

  discard(): void {
    this.#discarding = true
    this.#chunks = []
    this.#unread = 0
    this.#controller?.resume()
  }

  /** Gives a waiting reader what has arrived: chunks first, then the end or the error. */
  #deliver(): void {
    const reader = this.#reader
    if (!reader || !(this.#chunks.length > 0 || this.#error || this.#ended)) return
    this.#reader = null
    if (this.#chunks.length > 0) {
      reader.resolve({ done: false, value: this.#chunks })
      this.#chunks = []
      this.#unread = 0
      this.#controller?.resume()
    } else if (this.#error) reader.reject(this.#error)
    else reader.resolve({ done: true, value: undefined })
  }

  #onQuiet(): void {
    // If bytes wait to be read, the reader is slow, not the peer.
    if (this.#unread > 0 && !this.#discarding) this.#quietTimer.refresh()
    else this.#expire()
  }

  #expire(): void {
    this.#fail(new OutboundError('timeout', outboundMessages.timeout))
  }

  #close(): void {
    if (!this.#ended) this.#fail(new OutboundError('aborted', 'the answer was not read to its end'))
  }

  #fail(error: OutboundError): void {
    if (this.#error || this.#ended) return
    this.#error = error
    this.#release()
    this.#controller?.abort(error)
    this.#reject(error)
    this.#deliver()
  }

  #release(): void {
    clearTimeout(this.#quietTimer)
    clearTimeout(this.#totalTimer)
    this.#signal?.removeEventListener('abort', this.#onAbort)
    this.#place?.[Symbol.dispose]()
    this.#place = null
  }
}
