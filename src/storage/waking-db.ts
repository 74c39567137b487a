import {
  type DatabaseConnection,
  Kysely,
  type KyselyConfig,
  type Transaction,
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

/** The connection of an open transaction; undefined when `db` is none. */
export function connectionOf(db: Kysely<Tables>): DatabaseConnection | undefined {
  return open.get(db)?.connection
}

/** Kysely with transactions that write what they promised before they commit, and then send their wake-ups. */
export class WakingDb extends Kysely<Tables> {
  readonly #wakeUps: WakeUps

  constructor(config: KyselyConfig, wakeUps: WakeUps) {
    super(config)
    this.#wakeUps = wakeUps
  }

  override transaction(): TransactionBuilder<Tables> {
    const builder = super.transaction()
    const execute = builder.execute.bind(builder)
    builder.execute = async <Result>(work: (db: Transaction<Tables>) => Promise<Result>) => {
      const topics: Open['topics'] = new Map()
      const result = await execute(async (db) => {
        const connection = await db.getExecutor().provideConnection(async (connection) => connection)
        const lastWrites: Open['lastWrites'] = []
        open.set(db, { connection, topics, lastWrites })
        try {
          const result = await work(db)
          for (const write of lastWrites) await write(db)
          return result
        } finally {
          open.delete(db)
        }
      })
      for (const [topic, reach] of topics) this.wake(topic, reach)
      return result
    }
    return builder
  }

  wake(topic: string, reach: Reach): void {
    if (reach === 'everywhere') this.#wakeUps.send(topic)
    else this.#wakeUps.sendHere(topic)
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
