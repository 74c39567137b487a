import { closeSync, fdatasync, openSync } from 'node:fs'
import { promisify } from 'node:util'
import { FLUSHES_AT_ONCE } from './group-commit.ts'
import { IO_ERROR } from './sqlite-failures.ts'

const sync = promisify(fdatasync)

/**
 * Flushes the write-ahead log to the disk off the event loop. With `synchronous = FULL`, SQLite would flush on the
 * event loop, in each commit. With NORMAL, a commit is in the log, and SQLite itself flushes the log only before a
 * checkpoint and when it starts the log again (https://www.sqlite.org/pragma.html#pragma_synchronous).
 */
export class WriteAheadLog {
  readonly #file: string
  /**
   * Descriptors, one for each flush. The system reports a failure once per descriptor, so that of two flushes sharing
   * one, only one would learn of it.
   */
  readonly #idle: number[] = []
  /** Flushes that wait for a descriptor. */
  readonly #waiting: ((descriptor: number) => void)[] = []
  #isOpen = false

  constructor(file: string) {
    this.#file = file
  }

  /** @throws an error with SQLite's code when the log may not have reached the disk */
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
   * Opens all descriptors once the first commit has created the file, which stays while a connection is open. Later the
   * process might have no descriptor left, and a new descriptor would miss a failure that was already reported to
   * another.
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

  /** Closes all descriptors. Must be called only when no flush runs. */
  close(): void {
    for (const descriptor of this.#idle.splice(0)) closeSync(descriptor)
  }
}
