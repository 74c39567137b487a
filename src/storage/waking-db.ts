import { Kysely, type KyselyConfig, type Transaction, type TransactionBuilder } from 'kysely'
import type { Tables } from './tables.ts'
import type { WakeUps } from './wake-ups.ts'

/** Whom to wake: the listeners of this process, or those of every process. */
type Reach = 'here' | 'everywhere'

/** The wake-ups that each open transaction will send once it has committed. */
const promised = new WeakMap<Kysely<Tables>, Map<string, Reach>>()

/** Kysely with transactions that send their wake-ups once they have committed. */
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
      const topics = new Map<string, Reach>()
      const result = await execute((db) => {
        promised.set(db, topics)
        return work(db)
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
  const topics = promised.get(db)
  if (topics) {
    if (topics.get(topic) !== 'everywhere') topics.set(topic, reach)
  } else if (db instanceof WakingDb) db.wake(topic, reach)
  else throw new Error('wake-ups need the database or one of its transactions')
}
