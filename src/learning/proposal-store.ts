import { type Kysely, type Selectable, type SelectQueryBuilder, sql } from 'kysely'
import { byAgent } from '../agents/team-of-agent.ts'
import { mostOf } from '../errors.ts'
import type { Caller } from '../http/member.ts'
import type { Page, PageRequest } from '../lib/page.ts'
import type { Engine } from '../storage/engine.ts'
import { lockedRowOfAgent, rowOfAgent } from '../storage/rows-of-agent.ts'
import { selectPage } from '../storage/select-page.ts'
import type { Tables } from '../storage/tables.ts'
import { wake } from '../storage/waking-db.ts'
import { forgotten } from '../texts/text-columns.ts'
import type { RedactionMode } from '../texts/text-rows.ts'
import { namesOneInScope, scopeFilter } from '../transcripts/conversations/in-scope.ts'
import { inConversations } from '../transcripts/conversations/of-completions.ts'
import { queueOf } from '../work/queue.ts'
import { begunAnew, dueAgain } from '../work/work-columns.ts'
import type { KnowledgeProposalsTable } from './tables.ts'

type Db = Kysely<Tables>

export type ProposalRow = Selectable<KnowledgeProposalsTable>

/** The texts of a proposal. */
export interface ProposedEntry {
  question: string
  answer: string
  /** Other ways to ask. */
  questions: string[]
}

/** The topic of wake-ups for proposals that are to be made. */
export const PROPOSALS = 'proposals'

export const proposalQueue = queueOf('knowledge_proposals', byAgent)

const isOpen = sql<boolean>`document_id is null`

const openProposals = (db: Db) => db.selectFrom('knowledge_proposals').selectAll().where(isOpen)

/** The purpose of the lock under which an agent's proposals are counted. */
const COUNTED = 36

/**
 * Tells whether an agent has as many waiting proposals as it may have, and keeps others from proposing until the
 * transaction ends. The agent itself is not locked: its row comes before that of the conversation, which is locked
 * already.
 */
export async function areTooMany(db: Db, engine: Pick<Engine, 'lock'>, agentId: number): Promise<boolean> {
  await engine.lock(db, COUNTED, agentId)
  const rows = await db
    .selectFrom('knowledge_proposals')
    .select('id')
    .where('agent_id', '=', agentId)
    .where(isOpen)
    .limit(mostOf.proposals)
    .execute()
  return rows.length === mostOf.proposals
}

/** Finds the newest proposal that was made of a question, accepted or not. */
export async function newestOf(
  db: Db,
  { conversation_id, completion_id }: Pick<ProposalRow, 'conversation_id' | 'completion_id'>,
): Promise<ProposalRow | undefined> {
  return db
    .selectFrom('knowledge_proposals')
    .selectAll()
    .where('conversation_id', '=', conversation_id)
    .where('completion_id', '=', completion_id)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/** Stores a proposal without its texts, which are made in the background. */
export async function insertProposal(
  db: Db,
  of: Pick<ProposalRow, 'agent_id' | 'conversation_id' | 'completion_id'>,
  now: string,
): Promise<ProposalRow> {
  wake(db, PROPOSALS)
  return db
    .insertInto('knowledge_proposals')
    .values({ ...of, created_at: now, updated_at: now, due_at: now })
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Queues a proposal again that had been given up. */
export async function makeAgain(db: Db, id: number, now: string): Promise<ProposalRow> {
  wake(db, PROPOSALS)
  return db
    .updateTable('knowledge_proposals')
    .set(dueAgain(now))
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Selects the proposals of an agent that wait, the newest first. */
export async function selectProposals(
  db: Db,
  { agentId, scope }: Pick<Caller, 'agentId' | 'scope'>,
  request: PageRequest,
): Promise<Page<ProposalRow>> {
  const filters = scopeFilter(scope, (scope) => namesOneInScope(scope, 'knowledge_proposals.conversation_id'))
  return selectPage(
    db,
    { query: openProposals(db), of: { agent_id: agentId }, key: ['id'], order: 'desc', filters },
    request,
  )
}

/** Reads a proposal that waits. */
export const selectProposal = rowOfAgent(openProposals)

/** Reads a proposal that waits and locks it until the transaction ends. */
export const lockProposal = lockedRowOfAgent(openProposals)

/** Stores the texts of a proposal. */
export async function keepEntry(db: Db, id: number, entry: ProposedEntry, now: string): Promise<ProposalRow> {
  return db
    .updateTable('knowledge_proposals')
    .set({ ...entry, questions: JSON.stringify(entry.questions), updated_at: now, due_at: null })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Reads the texts of a proposal; null while they are being made. */
export function entryOf({ question, answer, questions }: ProposalRow): ProposedEntry | null {
  if (question === null || answer === null) return null
  return { question, answer, questions: questions === null ? [] : (JSON.parse(questions) as string[]) }
}

/**
 * Names the document that a proposal became, and forgets its texts, which are the document's.
 * @param read the proposal as its texts were read
 * @returns false if the proposal is gone, was edited since, or was accepted by somebody else
 */
export async function acceptProposal(
  db: Db,
  { id, question, answer, questions }: ProposalRow,
  documentId: number,
  now: string,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('knowledge_proposals')
    .set({ ...forgotten('knowledge_proposals'), document_id: documentId, updated_at: now })
    .where('id', '=', id)
    .where('question', '=', question)
    .where('answer', '=', answer)
    .where(({ eb, fn, val }) => eb(fn.coalesce('questions', val('')), '=', questions ?? ''))
    .where(isOpen)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

export async function deleteProposal(db: Db, id: number): Promise<void> {
  await db.deleteFrom('knowledge_proposals').where('id', '=', id).execute()
}

/**
 * Forgets what was made of conversations, in the transaction that redacts texts of them. A proposal that waits is
 * deleted, in either mode. An accepted one is the team's own text, which somebody has reviewed: its document is removed,
 * in the background, when a text of the conversation is scrubbed because somebody asked for it, and stays otherwise.
 * @param completions a query for the ids of the completions that are redacted
 * @param conversationIds the conversations of texts without a completion that are redacted
 * @param isAsked false: they are redacted because of their age
 */
export async function forgetProposals(
  db: Db,
  completions: SelectQueryBuilder<Tables, 'completions', { id: string }>,
  conversationIds: readonly string[],
  mode: RedactionMode,
  isAsked: boolean,
): Promise<number> {
  return inConversations(db, completions, conversationIds, async (conversations) => {
    const { numDeletedRows } = await db
      .deleteFrom('knowledge_proposals')
      .where('conversation_id', 'in', conversations)
      .where(isOpen)
      .executeTakeFirst()
    const deleted = Number(numDeletedRows)
    if (mode !== 'scrub' || !isAsked) return deleted
    const { numUpdatedRows } = await db
      .updateTable('knowledge_proposals')
      .set(begunAnew('knowledge_proposals', sql<string>`updated_at`))
      .where('conversation_id', 'in', conversations)
      .executeTakeFirstOrThrow()
    if (numUpdatedRows > 0n) wake(db, PROPOSALS)
    // The entries that were accepted are removed right after this.
    return deleted + Number(numUpdatedRows)
  })
}
