import type { Kysely } from 'kysely'
import { readersOf } from '../desk/mark-read.ts'
import { CONCERNS } from '../events/concerns-topic.ts'
import { raise } from '../events/raise.ts'
import { includes } from '../http/rights.ts'
import { MINUTE_MS, timestamp } from '../lib/clock.ts'
import { browsersOfAll } from '../operators/browsers.ts'
import { listOperators, scopeOfOperator } from '../operators/find-operator.ts'
import type { Tables } from '../storage/tables.ts'
import { HAPPENINGS } from '../transcripts/conversations/happenings.ts'
import { isInScope } from '../transcripts/conversations/in-scope.ts'
import { type QueueDependencies, runQueue } from '../work/run-queue.ts'
import type { RunningWork } from '../work/run-work.ts'
import { causeQueue, type NoticeSubject, readCause } from './causes.ts'
import { kinds } from './kinds.ts'
import { askForMail } from './mails/store.ts'
import { askForPushes } from './pushes/store.ts'
import { settingsOf } from './settings.ts'
import { deleteCause, insertNotice } from './store.ts'
import type { NoticeCauseRow } from './tables.ts'

const AT_ONCE = 8

interface TellDependencies extends QueueDependencies {
  /** Tells whether a person looks at a conversation now, in whichever process. */
  isLooking: (conversationId: string, operatorId: number) => boolean
  /** True if there is a mail server. */
  isMailing: boolean
}

/**
 * Tells people what concerns them: one transaction tells everybody whom a cause concerns, and deletes the cause. It
 * leaves out the person who acted, and people who look at the conversation now or may not see it.
 */
export function tellPeople(dependencies: TellDependencies): RunningWork {
  const { isLooking, isMailing } = dependencies
  return runQueue<NoticeCauseRow>(
    {
      name: 'notices',
      queue: causeQueue,
      frequentTopics: [HAPPENINGS, CONCERNS],
      atOnce: AT_ONCE,
      async work(cause, lease) {
        await lease.transaction(async (db) => {
          const subject = await readCause(db, cause)
          if (subject) await notify(db, cause, subject)
          await deleteCause(db, cause.id)
        })
      },
      raise,
      about: ({ agent_id }) => ({ agent_id }),
    },
    dependencies,
  )

  async function notify(db: Kysely<Tables>, cause: NoticeCauseRow, subject: NoticeSubject): Promise<void> {
    const { kind, about, source_id, name, conversation } = subject
    const { agent_id, at } = cause
    const people = (await concerned(db, subject)).filter(
      (id) => !conversation || !isLooking(conversation.id, id),
    )
    const settings = await settingsOf(db, people)
    const chosen = people.map((operator_id) => ({
      operator_id,
      ...settings(operator_id),
      ...settings(operator_id).kinds[kind],
    }))
    for (const { operator_id, mail, after_minutes } of chosen)
      if (isMailing && mail)
        await askForMail(db, {
          agent_id,
          operator_id,
          due_at: timestamp(Date.parse(at) + after_minutes * MINUTE_MS),
        })
    const browsers = await browsersOfAll(
      db,
      chosen.filter(({ push }) => push).map(({ operator_id }) => operator_id),
    )
    for (const { operator_id, page, mail } of chosen) {
      const pushed = browsers.get(operator_id) ?? []
      if (page || (isMailing && mail) || pushed.length > 0) {
        const notice = await insertNotice(db, {
          agent_id,
          operator_id,
          kind,
          about,
          source_id,
          name,
          at,
          conversation_id: conversation?.id ?? null,
          on_page: page ? 1 : 0,
        })
        await askForPushes(
          db,
          notice,
          pushed.map(({ id }) => id),
        )
      }
    }
  }
}

/** Reads the people whom something concerns, by their ids. */
async function concerned(db: Kysely<Tables>, subject: NoticeSubject): Promise<number[]> {
  const { people, kind, conversation, messageId } = subject
  const some = (await listOperators(db, subject.teamId))
    .filter(({ active, right }) => active && includes(right, kinds[kind]))
    .map(({ id }) => id)
    .filter((id) => id !== subject.byOperator && (people === 'all' || people.includes(id)))
  if (!conversation) return some
  const readers = messageId === null ? [] : await readersOf(db, conversation.id, messageId, some)
  const concerned: number[] = []
  for (const id of some.filter((id) => !readers.includes(id)))
    if (isInScope(conversation, await scopeOfOperator(db, id))) concerned.push(id)
  return concerned
}
