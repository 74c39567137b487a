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

/** Whom to wake: the listeners of this process, or those of every process. */
type Reach = 'here' | 'everywhere'

/** The open transactions. */
const open = new WeakMap<Kysely<Tables>, Open>()

/** The connection of a transaction, and what it will do at its end. */
interface Open {
  connection: DatabaseConnection
  topics: Map<string, Reach>
  lastWrites: ((db: Transaction<Tables>) => Promise<void>)[]
}

/** The connection of an open transaction, or the one for everything outside of them, if the database has such a one. */
export function connectionOf(db: Kysely<Tables>): DatabaseConnection | null {
  return open.get(db)?.connection ?? (db instanceof WakingDb ? db.outside : null)
}

/** Kysely with transactions that write what they promised before they commit, and then send their wake-ups. */
export class WakingDb extends Kysely<Tables> {
  readonly #wakeUps: WakeUps
  readonly #props: Omit<KyselyProps, 'executor'>
  readonly #builder: TransactionBuilder<Tables>
  #isReady = false
  #isClosed = false
  /** Serves all queries outside of transactions; null: each takes one of its own. */
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

  /** Does what Kysely's builder does, whose layers for other databases cost as much as several small queries. */
  async #transact<Result>(work: (db: Transaction<Tables>) => Promise<Result>): Promise<Result> {
    if (this.#isClosed) throw new Error('the database is closed')
    const { driver } = this.#props
    if (!this.#isReady) {
      // Has Kysely initialize its driver.
      await this.connection().execute(async () => {})
      this.#isReady = true
    }
    const connection = await driver.acquireConnection()
    const topics: Open['topics'] = new Map()
    let result: Result
    try {
      await driver.beginTransaction(connection, {})
      try {
        result = await this.#within(connection, topics, work)
        await driver.commitTransaction(connection)
      } catch (error) {
        if (!(error instanceof AbortedTransactionError)) await driver.rollbackTransaction(connection)
        throw error
      }
    } finally {
      await driver.releaseConnection(connection)
    }
    for (const [topic, reach] of topics) this.wake(topic, reach)
    return result
  }

  async #within<Result>(
    connection: DatabaseConnection,
    topics: Open['topics'],
    work: (db: Transaction<Tables>) => Promise<Result>,
  ): Promise<Result> {
    const provider = new UnitConnection(connection)
    const executor = this.getExecutor().withConnectionProvider(provider)
    const db = new Transaction<Tables>({ ...this.#props, executor })
    const lastWrites: Open['lastWrites'] = []
    open.set(db, { connection, topics, lastWrites })
    try {
      const result = await work(db)
      for (const write of lastWrites) await write(db)
      return result
    } finally {
      open.delete(db)
      provider.end()
    }
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

/** The connection of one transaction. When that has ended, the connection may already serve another one. */
class UnitConnection extends SingleConnectionProvider implements ConnectionProvider {
  #hasEnded = false

  end(): void {
    this.#hasEnded = true
  }

  override provideConnection<T>(consumer: (connection: DatabaseConnection) => Promise<T>): Promise<T> {
    if (this.#hasEnded) return Promise.reject(new Error('the transaction has ended'))
    return super.provideConnection(consumer)
  }
}

/**
 * Tells the listeners of a topic that there is something to do: after the transaction `db` commits, and never when it
 * fails; at once when `db` is not a transaction.
 */
export function wake(db: Kysely<Tables>, topic: string, reach: Reach = 'everywhere'): void {
  const topics = open.get(db)?.topics
  if (topics) {
    if (topics.get(topic) !== 'everywhere') topics.set(topic, reach)
  } else if (db instanceof WakingDb) db.wake(topic, reach)
  else throw new Error('wake-ups need the database or one of its transactions')
}

/** Writes something as the last of what the transaction `db` writes, when its work is done. */
export function beforeCommit(db: Kysely<Tables>, write: (db: Transaction<Tables>) => Promise<void>): void {
  const transaction = open.get(db)
  if (!transaction) throw new Error('what is written before a commit needs a transaction')
  transaction.lastWrites.push(write)
}
