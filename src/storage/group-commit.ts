import { setTimeout as wait } from 'node:timers/promises'

/** What a group needs of the one connection that writes. */
export interface Writer {
  exec(sql: string): void
  /** Whether a transaction is open; some failures, such as a full disk, end it by themselves. */
  readonly isTransaction: boolean
}

/**
 * Commits the units of work of one event-loop turn together: one flush to disk serves them all. Each unit is a
 * savepoint, units run one after the other, and a unit's promise resolves only when its group is committed.
 */
export class GroupCommit {
  readonly #writer: Writer
  readonly #isBusy: (error: unknown) => boolean
  /** Units that wait for their turn. */
  readonly #queue: (() => void)[] = []
  /** Units that are done and wait for the commit. */
  #waiting: { resolve: () => void; reject: (error: unknown) => void }[] = []
  #taken = false
  #due = false

  constructor(writer: Writer, isBusy: (error: unknown) => boolean) {
    this.#writer = writer
    this.#isBusy = isBusy
  }

  /**
   * Begins a unit of work once it is its turn.
   * @throws what the database says when another process writes for longer than five seconds
   */
  async begin(): Promise<void> {
    const until = performance.now() + BUSY_LIMIT_MS
    await this.#takeTurn()
    try {
      if (!this.#writer.isTransaction) await this.#beginGroup(until)
      this.#writer.exec('SAVEPOINT unit')
    } catch (error) {
      this.#passTurn()
      throw error
    }
  }

  /** Ends a unit of work, and resolves when its group is committed. */
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
      this.#writer.exec('ROLLBACK TO unit; RELEASE unit')
    } catch (error) {
      this.#abandonGroup(error)
    }
    this.#passTurn()
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
    this.#commitWhenQuiet(0, performance.now() + GATHER_LIMIT_MS)
  }

  /** Waits as long as each turn of the event loop brings more units: a flush costs more than many turns. */
  #commitWhenQuiet(seen: number, until: number): void {
    setImmediate(() => {
      const units = this.#waiting.length
      if (units > seen && performance.now() < until) return this.#commitWhenQuiet(units, until)
      this.#due = true
      if (!this.#taken) this.#commitGroup()
    })
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
    const done = this.#waiting
    this.#waiting = []
    for (const { resolve } of done) resolve()
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
const GATHER_LIMIT_MS = 2
