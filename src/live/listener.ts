import type { ServerResponse } from 'node:http'
import { isRead, type Place } from '../events/place.ts'
import type { Admission } from '../http/member.ts'
import { includesTransaction } from '../storage/commit-order.ts'
import type { LiveEvent } from './read-events.ts'

/** What a team sees, what a web site's own server sees, or what a visitor of a widget sees. */
export type View = (typeof views)[number]

export const views = ['team', 'site', 'visitor'] as const

/** What a stream is of, and for whom. */
export interface Subscription {
  agentId: number
  /** Null: the whole agent. */
  conversationId: string | null
  view: View
  /** The person who listens; null: a program. */
  operatorId: number | null
  admission: Admission
  /** The network address that a visitor's streams are counted by; absent for those of a team. */
  address?: string
}

/** What a reader may leave unread before its stream is cut off; it resumes where it was. */
export const MOST_UNREAD = 1024 * 1024

/** An event as text, and where it stands in the log. */
export interface Told extends Pick<LiveEvent, 'row' | 'at'> {
  text: string
}

/** One open stream. */
export class Listener {
  readonly subscription: Subscription
  readonly #raw: ServerResponse
  /** What came while the stream was being opened or caught up; null: it is in step. */
  #waiting: Buffer[] | null = null
  #waitingBytes = 0
  /** Where its client says that it was, until the log that is followed here is past that. */
  #floor: Place | null

  constructor(raw: ServerResponse, subscription: Subscription, floor: Place | null) {
    this.#raw = raw
    this.subscription = subscription
    this.#floor = floor
  }

  /** Whether the place of the log that is followed here holds for its client too. */
  get isInStep(): boolean {
    return this.#waiting === null && this.#floor === null
  }

  /** Holds what is told back until `release`. */
  hold(): void {
    this.#waiting = []
  }

  release(): void {
    const waiting = this.#waiting ?? []
    this.#waiting = null
    for (const part of waiting) this.write(part)
  }

  /** Tells events of the log. @param joined all of them */
  tell(events: readonly Told[], joined: Buffer): void {
    const floor = this.#floor
    const fresh = floor === null ? events : events.filter(({ row, at }) => !isRead(floor, row, at))
    if (fresh.length === events.length) this.pass(joined)
    else if (fresh.length > 0) this.pass(Buffer.from(fresh.map(({ text }) => text).join('')))
  }

  /** Called when the log was read up to a place. */
  reached({ transactions }: Place): void {
    const floor = this.#floor
    if (floor === null || transactions.until < floor.transactions.until) return
    if (floor.within && !includesTransaction(transactions, floor.within.transaction)) return
    const { until, without } = floor.transactions
    if (transactions.without.some((id) => id < until && !without.includes(id))) return
    this.#floor = null
  }

  /** Sends something, behind what waits. */
  pass(part: Buffer): void {
    if (this.#waiting === null) this.write(part)
    else {
      this.#waiting.push(part)
      this.#waitingBytes += part.length
      if (this.#waitingBytes > MOST_UNREAD) this.cut()
    }
  }

  write(part: Buffer | string): void {
    this.#raw.write(part)
    if (this.#raw.writableLength > MOST_UNREAD) this.cut()
  }

  /** Sends something that was missed, and resolves when there is room for more or the stream is closed. */
  async feed(text: string): Promise<void> {
    const raw = this.#raw
    if (raw.destroyed || raw.write(text) || raw.destroyed) return
    await new Promise<void>((resolve) => {
      const stalled = setTimeout(() => this.cut(), STALLED_MS)
      const done = () => {
        clearTimeout(stalled)
        raw.off('drain', done)
        raw.off('close', done)
        resolve()
      }
      raw.on('drain', done)
      raw.on('close', done)
    })
  }

  get isClosed(): boolean {
    return this.#raw.destroyed || this.#raw.writableEnded
  }

  /** Ends the stream as a whole answer. */
  end(): void {
    this.#raw.end()
  }

  /** Breaks the stream off. */
  cut(): void {
    this.#raw.destroy()
  }
}

/** A reader that takes nothing for so long while it catches up is cut off. */
const STALLED_MS = 30_000
