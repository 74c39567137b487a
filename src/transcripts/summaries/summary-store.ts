import { type Kysely, type SelectQueryBuilder, sql } from 'kysely'
import { timestamp } from '../../lib/clock.ts'
import { type ParamOf, prepared } from '../../storage/prepared.ts'
import type { Tables } from '../../storage/tables.ts'
import { wake } from '../../storage/waking-db.ts'
import { leasesOf } from '../../work/lease.ts'
import { forgotten } from '../redaction/text-columns.ts'
import type { SummaryRow } from '../tables.ts'

type Db = Kysely<Tables>

/** The topic of wake-ups for conversations that have become too long. */
export const SUMMARIES = 'summaries'

export const summaryLeases = leasesOf('conversation_summaries', { countsAttempts: true })

/** What stands for the oldest messages of a conversation. */
export interface Summary {
  text: string
  /** The id of the newest message that it covers. */
  coveredId: number
}

const selectRow = prepared((db, param: ParamOf<{ conversation_id: string }>) =>
  db
    .selectFrom('conversation_summaries')
    .select(['content', 'covered_id'])
    .where('conversation_id', '=', param('conversation_id'))
    .where('content', 'is not', null),
)

export async function readSummary(db: Db, conversationId: string): Promise<Summary | null> {
  const [row] = await selectRow(db, { conversation_id: conversationId })
  return row?.content ? { text: row.content, coveredId: row.covered_id } : null
}

/** Has the oldest turns of a conversation summarized, in the background. */
export async function wantSummary(
  db: Db,
  agentId: number,
  conversationId: string,
  now: string,
): Promise<void> {
  await db
    .insertInto('conversation_summaries')
    .values({ agent_id: agentId, conversation_id: conversationId, due_at: now })
    .onConflict((conflict) =>
      conflict.column('conversation_id').doUpdateSet(({ fn, ref, val }) => ({
        due_at: fn.coalesce(ref('conversation_summaries.due_at'), val(now)),
      })),
    )
    .execute()
  wake(db, SUMMARIES, 'here')
}

export async function claimSummaries(
  db: Db,
  claim: { holder: string; nowMs: number; limit: number },
): Promise<SummaryRow[]> {
  const due = db
    .selectFrom('conversation_summaries')
    .select('id')
    .where('due_at', '<=', timestamp(claim.nowMs))
    .orderBy('due_at')
  return summaryLeases.claim(db, due, claim)
}

/** When the next conversation is due. */
export async function nextSummaryDue(db: Db): Promise<string | null> {
  const row = await db
    .selectFrom('conversation_summaries')
    .select('due_at')
    .where('due_at', 'is not', null)
    .orderBy('due_at')
    .limit(1)
    .executeTakeFirst()
  return row?.due_at ?? null
}

/** Keeps a summary. The row must be held. */
export async function keepSummary(db: Db, id: number, { text, coveredId }: Summary): Promise<void> {
  await db
    .updateTable('conversation_summaries')
    .set({ content: text, covered_id: coveredId })
    .where('id', '=', id)
    .execute()
}

/** When a conversation is worked again; null: when it has become too long again. The row must be held. */
export async function settleSummary(
  db: Db,
  id: number,
  { attempts, dueAt }: { attempts: number; dueAt: string | null },
): Promise<void> {
  await db
    .updateTable('conversation_summaries')
    .set({ attempts, due_at: dueAt })
    .where('id', '=', id)
    .execute()
}

/**
 * Forgets the summaries of the conversations of completions that are redacted, and of other conversations. What is being
 * made of them is not kept.
 */
export async function forgetSummaries(
  db: Db,
  completions: SelectQueryBuilder<Tables, 'completions', { id: string }>,
  conversationIds: readonly string[],
): Promise<void> {
  const forget = db.updateTable('conversation_summaries').set({
    ...forgotten('conversation_summaries'),
    covered_id: 0,
    due_at: null,
    lease: sql<number>`lease + 1`,
    leased_until: null,
  })
  await forget
    .where('conversation_id', 'in', (from) =>
      from.selectFrom('completions').select('conversation_id').where('id', 'in', completions),
    )
    .execute()
  if (conversationIds.length > 0) await forget.where('conversation_id', 'in', conversationIds).execute()
}
