import type { Kysely } from 'kysely'
import { byAgent } from '../../agents/team-of-agent.ts'
import { timestamp } from '../../lib/clock.ts'
import type { Tables } from '../../storage/tables.ts'
import { wake } from '../../storage/waking-db.ts'
import { queueOf } from '../../work/queue.ts'
import { ANEW, begunAnew } from '../../work/work-columns.ts'

type Db = Kysely<Tables>

/** The topic of wake-ups for conversations in which something follows if their users say nothing. */
export const SILENCES = 'silences'

export const silenceQueue = queueOf('silences', byAgent)

/** The setting of an agent that says what follows when users say nothing. */
interface Inactivity {
  policy: 'wait' | 'resolve' | 'check'
  /** Minutes after an answer; null: nothing is said. */
  follow_up_after: number | null
  /** Minutes after that, or after the answer. */
  resolve_after: number
}

/** Notes that an answer was given, after which something follows if its user says nothing. */
export async function expectSilence(
  db: Db,
  conversation_id: string,
  agent_id: number,
  { policy, follow_up_after, resolve_after }: Inactivity,
  now: string,
): Promise<void> {
  if (policy === 'wait') return
  const due_at = minutesAfter(now, follow_up_after ?? resolve_after)
  await db
    .insertInto('silences')
    .values({ conversation_id, agent_id, due_at, followed_up: 0, ...ANEW })
    .onConflict((conflict) =>
      conflict.column('conversation_id').doUpdateSet({ ...begunAnew('silences', due_at), followed_up: 0 }),
    )
    .execute()
  wake(db, SILENCES)
}

/** Makes what follows wait once more. */
export async function prolongSilence(
  db: Db,
  id: number,
  values: { due_at: string; followed_up?: 1 },
): Promise<void> {
  await db.updateTable('silences').set(values).where('id', '=', id).execute()
}

/** Forgets what would follow, since its user has written or nothing does. */
export async function endSilence(db: Db, conversationId: string): Promise<void> {
  await db.deleteFrom('silences').where('conversation_id', '=', conversationId).execute()
}

/** Returns the time some minutes after another. */
export function minutesAfter(time: string, minutes: number): string {
  return timestamp(Date.parse(time) + minutes * 60_000)
}
