import { closeSync, fdatasync, openSync } from 'node:fs'
import { promisify } from 'node:util'
import { FLUSHES_AT_ONCE } from './group-commit.ts'

/** SQLite's result code for a disk that failed (https://www.sqlite.org/rescode.html). */
export const IO_ERROR = 10

const sync = promisify(fdatasync)

/**
 * Flushes the write-ahead log to the disk beside the event loop, which `synchronous = FULL` would do on it, in each
 * commit. With NORMAL a commit is in the log, and SQLite itself flushes the log only before a checkpoint and when it
 * begins anew (https://www.sqlite.org/pragma.html#pragma_synchronous).
 */
export class WriteAheadLog {
  readonly #file: string
  /** Each flush has a descriptor of its own: a failure is told once a descriptor, and two might share one. */
  readonly #idle: number[] = []
  /** Flushes that wait for a descriptor. */
  readonly #waiting: ((descriptor: number) => void)[] = []
  #isOpen = false

  constructor(file: string) {
    this.#file = file
  }

  /** @throws an error with SQLite's code when the log may not be on the disk */
  async flush(): Promise<void> {
    try {
      if (!this.#isOpen) this.#open()
      const descriptor = this.#idle.pop() ?? (await this.#released())
      await sync(descriptor).finally(() => this.#release(descriptor))
    } catch (cause) {
      const error = new Error('the write-ahead log could not be written to the disk', { cause })
      throw Object.assign(error, { errcode: IO_ERROR })
    }
  }

  /**
   * All at once, when the first commit has made the file, which stays while a connection is open: later the process
   * may have no descriptor left, and a new one is not told of a failure that another has been told of.
   */
  #open(): void {
    this.#isOpen = true
    for (let n = 0; n < FLUSHES_AT_ONCE; n++) this.#idle.push(openSync(this.#file, 'r+'))
  }

  #released(): Promise<number> {
    return new Promise((resolve) => this.#waiting.push(resolve))
  }

  #release(descriptor: number): void {
    const next = this.#waiting.shift()
    if (next) next(descriptor)
    else this.#idle.push(descriptor)
  }

  /** Only when no flush runs. */
  close(): void {
    for (const descriptor of this.#idle.splice(0)) closeSync(descriptor)
  }
}
