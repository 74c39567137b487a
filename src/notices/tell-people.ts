import type { Kysely } from 'kysely'
import { readersOf } from '../desk/mark-read.ts'
import { raise } from '../events/raise.ts'
import { includes } from '../http/rights.ts'
import { listOperators } from '../operators/find-operator.ts'
import type { Tables } from '../storage/tables.ts'
import { type QueueDependencies, runQueue } from '../work/run-queue.ts'
import type { RunningWork } from '../work/run-work.ts'
import { causeQueue, readCause, type Told } from './causes.ts'
import { kinds } from './kinds.ts'
import { deleteCause, insertNotice } from './store.ts'
import type { NoticeCauseRow } from './tables.ts'

const AT_ONCE = 8

export interface TellDependencies extends QueueDependencies {
  /** Tells whether a person looks at a conversation now, in whichever process. */
  isLooking: (conversationId: string, operatorId: number) => boolean
}

/**
 * Tells people what concerns them: everybody of whom a cause tells is told in one transaction, which ends it. Nobody is
 * told of their own acts, nor who looks at the conversation.
 */
export function tellPeople(dependencies: TellDependencies): RunningWork {
  const { database, isLooking } = dependencies
  return runQueue<NoticeCauseRow>(
    {
      name: 'notices',
      queue: causeQueue,
      atOnce: AT_ONCE,
      async work(cause, lease) {
        await database.db.transaction().execute(async (db) => {
          await lease.hold(db)
          const told = await readCause(db, cause)
          const conversationId = told?.conversation?.id ?? null
          for (const person of told ? await concerned(db, told) : [])
            if (conversationId === null || !isLooking(conversationId, person))
              await tell(db, cause, told as Told, person)
          await deleteCause(db, cause.id)
        })
      },
      raise,
      about: ({ agent_id }) => ({ agent_id }),
    },
    dependencies,
  )
}

async function tell(db: Kysely<Tables>, cause: NoticeCauseRow, told: Told, person: number): Promise<void> {
  const { kind, about, source_id, name, conversation } = told
  await insertNotice(db, {
    ...{ agent_id: cause.agent_id, operator_id: person, kind, about, source_id, name },
    conversation_id: conversation?.id ?? null,
    on_page: 1,
    at: cause.at,
  })
}

/** Reads the people whom something concerns, by their ids. */
async function concerned(db: Kysely<Tables>, told: Told): Promise<number[]> {
  const { people, kind, conversation, messageId } = told
  const some = (await listOperators(db, told.teamId))
    .filter(({ active, right }) => active && includes(right, kinds[kind]))
    .map(({ id }) => id)
    .filter((id) => id !== told.byOperator && (people === 'all' || people.includes(id)))
  if (!conversation || messageId === null) return some
  const readers = await readersOf(db, conversation.id, messageId, some)
  return some.filter((id) => !readers.includes(id))
}
