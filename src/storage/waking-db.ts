import { Kysely, type KyselyConfig, type Transaction, type TransactionBuilder } from 'kysely'
import type { Tables } from './tables.ts'
import type { WakeUps } from './wake-ups.ts'

/** Whom to wake: the listeners of this process, or those of every process. */
type Reach = 'here' | 'everywhere'

/** What each open transaction will do once it has committed. */
const promised = new WeakMap<Kysely<Tables>, Promised>()

interface Promised {
  topics: Map<string, Reach>
  acts: ((db: WakingDb) => void)[]
}

/** Kysely with transactions that send their wake-ups, and do what else they promised, once they have committed. */
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
      const kept: Promised = { topics: new Map(), acts: [] }
      const result = await execute((db) => {
        promised.set(db, kept)
        return work(db)
      })
      for (const [topic, reach] of kept.topics) this.wake(topic, reach)
      for (const act of kept.acts) act(this)
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
  const topics = promised.get(db)?.topics
  if (topics) {
    if (topics.get(topic) !== 'everywhere') topics.set(topic, reach)
  } else if (db instanceof WakingDb) db.wake(topic, reach)
  else throw new Error('wake-ups need the database or one of its transactions')
}

/**
 * Does something, which must not throw, after the transaction `db` commits, and never when it fails; at once when `db` is
 * not a transaction.
 * @param act is given the database
 */
export function afterCommit(db: Kysely<Tables>, act: (db: WakingDb) => void): void {
  const acts = promised.get(db)?.acts
  if (acts) acts.push(act)
  else if (db instanceof WakingDb) act(db)
  else throw new Error('acts after a commit need the database or one of its transactions')
}
