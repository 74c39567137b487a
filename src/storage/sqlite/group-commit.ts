import { setTimeout as wait } from 'node:timers/promises'
import { whenQuiet } from '../../lib/pacing/when-quiet.ts'

/** The part of the writing connection that a group uses. */
interface Writer {
  /** Runs one statement that returns nothing. */
  exec(sql: string): void
  /** True if a transaction is open. Some failures, such as a full disk, end it unasked. */
  readonly isTransaction: boolean
}

/** A unit of work that has run and waits for the commit of its group. */
interface Waiting {
  resolve: () => void
  reject: (error: unknown) => void
}

/**
 * Commits the units of work of one event-loop turn together. Each unit is a savepoint, and units run one after the
 * other. A unit's promise resolves only when its group is committed and on the disk. Flushes to the disk run off the
 * event loop, a few at a time.
 */
export class GroupCommit {
  readonly #writer: Writer
  readonly #isBusy: (error: unknown) => boolean
  readonly #flush: () => Promise<void>
  /** Units that wait for their turn. */
  readonly #queue: (() => void)[] = []
  /** Units that wait for their group's commit. */
  #waiting: Waiting[] = []
  /** Flushes that are running. */
  readonly #flushes = new Set<Promise<void>>()
  #broken: { error: unknown } | null = null
  #taken = false
  #due = false

  /** @param flush writes everything committed so far to the disk */
  constructor(writer: Writer, isBusy: (error: unknown) => boolean, flush: () => Promise<void>) {
    this.#writer = writer
    this.#isBusy = isBusy
    this.#flush = flush
  }

  /**
   * Begins a unit of work when its turn comes.
   * @throws the database's error when another process keeps writing for more than five seconds
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
   * Throws once a flush has failed: it may have lost any page of the log, and later flushes would not report it. No
   * commit can be promised until the database is opened again.
   * @throws the error of the flush that failed
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

  /** Undoes a unit of work. The other units of its group stay. */
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

  /** Resolves when everything committed so far is on the disk, or has failed to get there. */
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

  /** Waits, without blocking the event loop, while another process writes. */
  async #beginGroup(until: number): Promise<void> {
    for (let pause = 1; !this.#tryBegin(performance.now() < until); pause = Math.min(pause * 2, 100))
      await wait(pause)
    whenQuiet(
      () => this.#waiting.length,
      () => {
        // If too many flushes are running, the group is committed when one of them ends.
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
    // Another flush may have failed meanwhile and lost pages of this group.
    this.assertSound()
  }

  /** Drops the whole group and rejects every unit in it. */
  #abandonGroup(error: unknown): void {
    const lost = this.#waiting
    this.#waiting = []
    for (const { reject } of lost) reject(error)
    if (this.#writer.isTransaction) this.#writer.exec('ROLLBACK')
  }
}

const BUSY_LIMIT_MS = 5000
/** The number of running flushes at which the next group waits for one of them to end. */
export const FLUSHES_AT_ONCE = 3
