import {
  AbortedTransactionError,
  type ConnectionProvider,
  type DatabaseConnection,
  type Dialect,
  Kysely,
  type KyselyConfig,
  type KyselyProps,
  SingleConnectionProvider,
  Transaction,
  type TransactionBuilder,
} from 'kysely'
import type { Tables } from './tables.ts'
import type { WakeUps } from './wake-ups.ts'
import { type Settle, writeAlong } from './written-along.ts'

/** The listeners to wake: those of this process, or those of every process. */
type Reach = 'here' | 'everywhere'

/** A transaction with its connection and with the actions at its end. */
class Unit extends Transaction<Tables> {
  readonly provider: UnitConnection
  readonly topics = new Map<string, Reach>()
  readonly lastWrites: ((db: Transaction<Tables>) => Promise<void>)[] = []
  /** Receives the outcome of the transaction. */
  settle: Settle | null = null

  constructor(props: KyselyProps, provider: UnitConnection) {
    super(props)
    this.provider = provider
  }

  /** Has transactions that are opened within this one be parts of it. */
  join(): void {
    const part: TransactionBuilder<Tables> = Kysely.prototype.transaction.call(this)
    part.execute = (work) => work(this)
    // Not by overriding the method, which Kysely's types say never returns.
    Object.defineProperty(this, 'transaction', { value: () => part })
  }
}

function openUnit(db: Kysely<Tables>): Unit | null {
  return db instanceof Unit && db.provider.isOpen ? db : null
}

/**
 * Returns the connection of an open transaction, or the one for everything outside of transactions, if there is one.
 */
export function connectionOf(db: Kysely<Tables>): DatabaseConnection | null {
  return openUnit(db)?.provider.connection ?? (db instanceof WakingDb ? db.outside : null)
}

/** The connection of one transaction. After the transaction, the connection may already serve another one. */
class UnitConnection extends SingleConnectionProvider implements ConnectionProvider {
  readonly connection: DatabaseConnection
  isOpen = true

  constructor(connection: DatabaseConnection) {
    super(connection)
    this.connection = connection
  }

  override provideConnection<T>(consumer: (connection: DatabaseConnection) => Promise<T>): Promise<T> {
    if (!this.isOpen) return Promise.reject(new Error('the transaction has ended'))
    return super.provideConnection(consumer)
  }
}

/**
 * Has transactions that are opened within this one be parts of it: all is committed, or nothing. An error in a part must
 * end the whole.
 * @returns the same transaction
 */
export function joinParts(db: Kysely<Tables>): Kysely<Tables> {
  const transaction = openUnit(db)
  if (!transaction) throw new Error('parts need a transaction')
  transaction.join()
  return transaction
}

/** Kysely with transactions that run their last writes before they commit, and send their wake-ups afterwards. */
export class WakingDb extends Kysely<Tables> {
  readonly #wakeUps: WakeUps
  readonly #props: Omit<KyselyProps, 'executor'>
  readonly #builder: TransactionBuilder<Tables>
  #isReady = false
  #isClosed = false
  #failed: (error: unknown) => void = () => {}
  /** Serves all queries outside of transactions; null when each takes a connection of its own. */
  readonly outside: DatabaseConnection | null

  constructor(dialect: Dialect, wakeUps: WakeUps, outside: DatabaseConnection | null = null) {
    const driver = dialect.createDriver()
    const config: KyselyConfig = {
      dialect: {
        createAdapter: () => dialect.createAdapter(),
        createDriver: () => driver,
        createIntrospector: (db) => dialect.createIntrospector(db),
        createQueryCompiler: () => dialect.createQueryCompiler(),
      },
    }
    super(config)
    this.#wakeUps = wakeUps
    this.outside = outside
    this.#props = { config, dialect, driver }
    this.#builder = super.transaction()
    this.#builder.execute = (work) => this.#transact(work)
  }

  override transaction(): TransactionBuilder<Tables> {
    return this.#builder
  }

  /**
   * Runs a transaction as Kysely's builder does, whose layers for other databases cost as much as several small
   * queries.
   */
  async #transact<Result>(work: (db: Transaction<Tables>) => Promise<Result>): Promise<Result> {
    if (this.#isClosed) throw new Error('the database is closed')
    const { driver } = this.#props
    if (!this.#isReady) {
      // Makes Kysely initialize its driver.
      await this.connection().execute(async () => {})
      this.#isReady = true
    }
    const connection = await driver.acquireConnection()
    const unit = this.#unitOn(connection)
    let result: Result
    try {
      await driver.beginTransaction(connection, {})
      try {
        result = await doAll(unit, work)
        await driver.commitTransaction(connection)
        unit.settle?.(true)
      } catch (error) {
        unit.settle?.(false)
        this.#failed(error)
        if (!(error instanceof AbortedTransactionError)) await driver.rollbackTransaction(connection)
        throw error
      }
    } finally {
      await driver.releaseConnection(connection)
    }
    for (const [topic, reach] of unit.topics) this.wake(topic, reach)
    return result
  }

  #unitOn(connection: DatabaseConnection): Unit {
    const provider = new UnitConnection(connection)
    const executor = this.getExecutor().withConnectionProvider(provider)
    return new Unit({ ...this.#props, executor }, provider)
  }

  /** Calls a listener with each error that ends a transaction. */
  onFailure(failed: (error: unknown) => void): void {
    this.#failed = failed
  }

  override async destroy(): Promise<void> {
    this.#isClosed = true
    await super.destroy()
  }

  wake(topic: string, reach: Reach): void {
    if (reach === 'everywhere') this.#wakeUps.send(topic)
    else this.#wakeUps.sendHere(topic)
  }
}

async function doAll<Result>(
  unit: Unit,
  work: (db: Transaction<Tables>) => Promise<Result>,
): Promise<Result> {
  try {
    const result = await work(unit)
    for (const write of unit.lastWrites) await write(unit)
    unit.settle = await writeAlong(unit)
    return result
  } finally {
    unit.provider.isOpen = false
  }
}

/**
 * Tells the listeners of a topic that there is something to do: after the transaction `db` commits, and never when it
 * fails; at once when `db` is not a transaction.
 */
export function wake(db: Kysely<Tables>, topic: string, reach: Reach = 'everywhere'): void {
  const topics = openUnit(db)?.topics
  if (topics) {
    if (topics.get(topic) !== 'everywhere') topics.set(topic, reach)
  } else if (db instanceof WakingDb) db.wake(topic, reach)
  else throw new Error('wake-ups need the database or one of its transactions')
}

/** Runs a write as one of the last of the transaction `db`, when its work is done. */
export function beforeCommit(db: Kysely<Tables>, write: (db: Transaction<Tables>) => Promise<void>): void {
  const transaction = openUnit(db)
  if (!transaction) throw new Error('what is written before a commit needs a transaction')
  transaction.lastWrites.push(write)
}
