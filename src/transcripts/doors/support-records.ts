import type { Kysely } from 'kysely'
import type { Tables } from '../../storage/tables.ts'
import { presentOutcome } from '../conversations/outcome.ts'
import type { Outcome } from '../conversations/outcomes.ts'
import type { WaitingReason } from '../tables.ts'

/** The facts of a conversation that the figures of support need, as the record has them. */
export interface SupportRecord {
  id: string
  channel_id: number | null
  widget_id: number | null
  language: string | null
  group_id: number | null
  assignee_id: number | null
  started_at: string
  ended_at: string | null
  outcome: Outcome | null
  /** The first time that it waited for a person. */
  wait: { at: string; reason: WaitingReason } | null
  /** The time of the first answer of a person after that. */
  answered_at: string | null
  /** The signed-in person who answered last. */
  answerer_id: number | null
  /** True if a person has answered since it began, or was last opened again. */
  hasPerson: boolean
  reopened_at: string | null
  /** The time at which its user was asked for a rating in their channel. */
  asked_at: string | null
  rating: { at: string; score: number } | null
  /** Those it can be filtered by, as `name:value`, in order. */
  tags: string[]
}

type Db = Kysely<Tables>

/** Reads the records of an agent's conversations; those that were erased are absent. */
export async function readSupportRecords(
  db: Db,
  agentId: number,
  ids: readonly string[],
): Promise<SupportRecord[]> {
  if (ids.length === 0) return []
  const conversations = await db
    .selectFrom('conversations')
    .select([
      'id',
      'channel_id',
      'widget_id',
      'language',
      'group_id',
      'assignee_id',
      'started_at',
      'ended_at',
    ])
    .select(['outcome', 'outcome_by'])
    .where('agent_id', '=', agentId)
    .where('id', 'in', ids)
    .execute()
  const waits = await happenings(db, ids, 'waiting', 'min')
  const reopenings = await happenings(db, ids, 'reopened', 'max')
  const answers = await db
    .selectFrom('messages')
    .select(['id', 'conversation_id', 'created_at', 'operator_id'])
    .where('conversation_id', 'in', ids)
    .where('role', '=', 'operator')
    .orderBy('id')
    .execute()
  const answersOf = Map.groupBy(answers, ({ conversation_id }) => conversation_id)
  const ratings = await db
    .selectFrom('ratings')
    .select(['conversation_id', 'created_at', 'score'])
    .where('conversation_id', 'in', ids)
    .execute()
  const ratingOf = new Map(ratings.map((row) => [row.conversation_id, row]))
  const requests = await db
    .selectFrom('rating_requests')
    .select(['conversation_id', 'asked_at'])
    .where('conversation_id', 'in', ids)
    .execute()
  const askedOf = new Map(requests.map((row) => [row.conversation_id, row.asked_at]))
  const tags = await db
    .selectFrom('conversation_tags')
    .select(['conversation_id', 'name', 'value'])
    .where('conversation_id', 'in', ids)
    .execute()
  const tagsOf = Map.groupBy(tags, ({ conversation_id }) => conversation_id)
  return conversations.map(({ outcome_by, ...row }) => {
    const wait = waits.get(row.id)
    const reopened = reopenings.get(row.id)
    const said = answersOf.get(row.id) ?? []
    const rating = ratingOf.get(row.id)
    return {
      ...row,
      outcome: presentOutcome({ ...row, outcome_by }).outcome,
      wait: wait ? { at: wait.at, reason: reasonOf(wait.details) } : null,
      answered_at: (wait && said.find(({ id }) => id > wait.after_message)?.created_at) ?? null,
      answerer_id: said.findLast(({ operator_id }) => operator_id !== null)?.operator_id ?? null,
      hasPerson: said.some(({ id }) => id > (reopened?.after_message ?? 0)),
      reopened_at: reopened?.at ?? null,
      asked_at: askedOf.get(row.id) ?? null,
      rating: rating ? { at: rating.created_at, score: rating.score } : null,
      tags: (tagsOf.get(row.id) ?? []).map(({ name, value }) => `${name}:${value}`).sort(),
    }
  })
}

/** Reads the first or the last happening of a kind in each of some conversations. */
async function happenings(
  db: Db,
  ids: readonly string[],
  kind: 'waiting' | 'reopened',
  which: 'min' | 'max',
) {
  const rows = await db
    .selectFrom('happenings')
    .select(['conversation_id', 'at', 'after_message', 'details'])
    .where('id', 'in', (select) =>
      select
        .selectFrom('happenings')
        .select(({ fn }) => fn[which]('id').as('id'))
        .where('conversation_id', 'in', ids)
        .where('kind', '=', kind)
        .groupBy('conversation_id'),
    )
    .execute()
  return new Map(rows.map((row) => [row.conversation_id, row]))
}

function reasonOf(details: string | null): WaitingReason {
  return (JSON.parse(details ?? '{}') as { reason?: WaitingReason }).reason ?? 'asked'
}

/** Reads the conversations of an agent that come after a given one, in their order. */
export async function conversationsAfter(db: Db, agentId: number, sequence: number, limit: number) {
  return db
    .selectFrom('conversations')
    .select(['id', 'sequence'])
    .where('agent_id', '=', agentId)
    .where('sequence', '>', sequence)
    .orderBy('sequence')
    .limit(limit)
    .execute()
}
