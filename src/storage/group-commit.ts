import { setTimeout as wait } from 'node:timers/promises'
import { whenQuiet } from '../lib/when-quiet.ts'

/** What a group needs of the one connection that writes. */
export interface Writer {
  /** Runs one statement that returns nothing. */
  exec(sql: string): void
  /** Whether a transaction is open; some failures, such as a full disk, end it by themselves. */
  readonly isTransaction: boolean
}

/** A unit of work that is done and waits to be told so. */
interface Waiting {
  resolve: () => void
  reject: (error: unknown) => void
}

/**
 * Commits the units of work of one event-loop turn together. Each unit is a savepoint, units run one after the other,
 * and a unit's promise resolves only when its group is committed and on the disk. Flushes to the disk run beside the
 * event loop, a few at once.
 */
export class GroupCommit {
  readonly #writer: Writer
  readonly #isBusy: (error: unknown) => boolean
  readonly #flush: () => Promise<void>
  /** Units that wait for their turn. */
  readonly #queue: (() => void)[] = []
  /** Units that wait for their group's commit. */
  #waiting: Waiting[] = []
  /** The flushes that run. */
  readonly #flushes = new Set<Promise<void>>()
  #broken: { error: unknown } | null = null
  #taken = false
  #due = false

  /** @param flush writes to the disk what is committed by now */
  constructor(writer: Writer, isBusy: (error: unknown) => boolean, flush: () => Promise<void>) {
    this.#writer = writer
    this.#isBusy = isBusy
    this.#flush = flush
  }

  /**
   * Begins a unit of work once it is its turn.
   * @throws what the database says when another process writes for longer than five seconds
   */
  async begin(): Promise<void> {
    const until = performance.now() + BUSY_LIMIT_MS
    await this.#takeTurn()
    try {
      this.assertSound()
      if (!this.#writer.isTransaction) await this.#beginGroup(until)
      this.#writer.exec('SAVEPOINT unit')
    } catch (error) {
      this.#passTurn()
      throw error
    }
  }

  /**
   * A flush that failed may have lost any page of the log, and a later one would not tell: from then on nothing can be
   * promised until the database is opened anew.
   * @throws what that flush failed with
   */
  assertSound(): void {
    if (this.#broken) throw this.#broken.error
  }

  /** Ends a unit of work, and resolves when its group is committed and on the disk. */
  commit(): Promise<void> {
    try {
      this.#writer.exec('RELEASE unit')
    } catch (error) {
      this.rollback()
      return Promise.reject(error)
    }
    return new Promise((resolve, reject) => {
      this.#waiting.push({ resolve, reject })
      this.#passTurn()
    })
  }

  /** Takes a unit of work back; its neighbours stay. */
  rollback(): void {
    try {
      if (!this.#writer.isTransaction) throw new Error('the database ended the transaction')
      this.#writer.exec('ROLLBACK TO unit')
      this.#writer.exec('RELEASE unit')
    } catch (error) {
      this.#abandonGroup(error)
    }
    this.#passTurn()
  }

  /** Resolves when all that is committed is on the disk, or has failed to be. */
  async flushed(): Promise<void> {
    while (this.#flushes.size > 0) await Promise.all(this.#flushes)
  }

  /** Runs something between two groups, with no transaction open. */
  async between<T>(work: () => T): Promise<T> {
    await this.#takeTurn()
    try {
      this.#commitGroup()
      return work()
    } finally {
      this.#passTurn()
    }
  }

  async #takeTurn(): Promise<void> {
    if (this.#taken) await new Promise<void>((resolve) => this.#queue.push(resolve))
    this.#taken = true
  }

  #passTurn(): void {
    if (this.#due) this.#commitGroup()
    const next = this.#queue.shift()
    if (next) next()
    else this.#taken = false
  }

  /** Another process may be writing: that is waited for without holding up the event loop. */
  async #beginGroup(until: number): Promise<void> {
    for (let pause = 1; !this.#tryBegin(performance.now() < until); pause = Math.min(pause * 2, 100))
      await wait(pause)
    whenQuiet(
      () => this.#waiting.length,
      () => {
        // Then it is committed when one of them ends.
        if (this.#flushes.size < FLUSHES_AT_ONCE) this.#commitSoon()
      },
    )
  }

  #commitSoon(): void {
    if (this.#taken) this.#due = true
    else this.#commitGroup()
  }

  #tryBegin(mayWait: boolean): boolean {
    try {
      this.#writer.exec('BEGIN IMMEDIATE')
      return true
    } catch (error) {
      if (mayWait && this.#isBusy(error)) return false
      throw error
    }
  }

  #commitGroup(): void {
    this.#due = false
    if (!this.#writer.isTransaction) return
    try {
      this.#writer.exec('COMMIT')
    } catch (error) {
      this.#abandonGroup(error)
      return
    }
    const units = this.#waiting
    if (units.length === 0) return
    this.#waiting = []
    const flushing = this.#flushOrThrow()
      .then(
        () => {
          for (const { resolve } of units) resolve()
        },
        (error) => {
          this.#broken ??= { error }
          for (const { reject } of units) reject(error)
        },
      )
      .then(() => {
        this.#flushes.delete(flushing)
        if (this.#writer.isTransaction) this.#commitSoon()
      })
    this.#flushes.add(flushing)
  }

  async #flushOrThrow(): Promise<void> {
    this.assertSound()
    await this.#flush()
    // Another one that failed meanwhile may have lost pages of this group.
    this.assertSound()
  }

  /** Nothing of the group is kept, and all who wait for it are told. */
  #abandonGroup(error: unknown): void {
    const lost = this.#waiting
    this.#waiting = []
    for (const { reject } of lost) reject(error)
    if (this.#writer.isTransaction) this.#writer.exec('ROLLBACK')
  }
}

const BUSY_LIMIT_MS = 5000
/** More than these wait. */
export const FLUSHES_AT_ONCE = 3
