import { type Kysely, sql } from 'kysely'
import { byAgent } from '../../agents/team-of-agent.ts'
import { timestamp } from '../../lib/clock.ts'
import type { Tables } from '../../storage/tables.ts'
import { wake } from '../../storage/waking-db.ts'
import { type Claim, LEASE_MS } from '../../work/lease.ts'
import { queueOf } from '../../work/queue.ts'
import { ANEW, begunAnew } from '../../work/work-columns.ts'

type Db = Kysely<Tables>

/** The topic of wake-ups for conversations that are counted alone. */
export const SUPPORT_RETRIES = 'figures of single conversations'

export const retryQueue = queueOf('support_retries', byAgent)

/**
 * Notes that this process counts some conversations together, so that each is counted alone if the process ends
 * meanwhile: one of them may be why. Those that are already to be counted alone stay so.
 * @returns the conversations that are counted together
 */
export async function holdTogether(
  db: Db,
  agent_id: number,
  conversationIds: readonly string[],
  { holder, nowMs }: Pick<Claim, 'holder' | 'nowMs'>,
): Promise<string[]> {
  if (conversationIds.length === 0) return []
  const due_at = timestamp(nowMs)
  const known = await db
    .selectFrom('support_retries')
    .select('conversation_id')
    .where('conversation_id', 'in', conversationIds)
    .execute()
  const alone = new Set(known.map(({ conversation_id }) => conversation_id))
  if (alone.size > 0) await countAlone(db, agent_id, [...alone], due_at)
  const together = conversationIds.filter((id) => !alone.has(id))
  const held = { due_at, ...ANEW, leased_until: timestamp(nowMs + LEASE_MS), holder }
  if (together.length > 0)
    await db
      .insertInto('support_retries')
      .values(together.map((conversation_id) => ({ agent_id, conversation_id, ...held })))
      .execute()
  return together
}

/**
 * Has each of some conversations counted by itself. A worker that has one already loses it. One that processes have died
 * of stays a suspect.
 */
export async function countAlone(
  db: Db,
  agent_id: number,
  conversationIds: readonly string[],
  due_at: string,
): Promise<void> {
  await db
    .insertInto('support_retries')
    .values(conversationIds.map((conversation_id) => ({ agent_id, conversation_id, due_at, ...ANEW })))
    .onConflict((conflict) =>
      conflict.column('conversation_id').doUpdateSet({
        ...begunAnew('support_retries', due_at),
        deaths: sql`support_retries.deaths`,
      }),
    )
    .execute()
  wake(db, SUPPORT_RETRIES)
}

/** Forgets that conversations wait to be counted alone, since they are counted. */
export async function forgetRetries(db: Db, conversationIds: readonly string[]): Promise<void> {
  await db.deleteFrom('support_retries').where('conversation_id', 'in', conversationIds).execute()
}
