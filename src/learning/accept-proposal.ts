import type { Kysely } from 'kysely'
import { record, type TeamBy } from '../audit/record.ts'
import { ApiError } from '../errors.ts'
import { refuseOutdated, versionOf } from '../http/version.ts'
import { addDocument } from '../knowledge/documents/add-document.ts'
import type { Publish } from '../knowledge/documents/write-document.ts'
import { timestamp } from '../lib/clock.ts'
import type { Tables } from '../storage/tables.ts'
import {
  acceptProposal,
  deleteProposal,
  entryOf,
  keepEntry,
  lockProposal,
  type ProposalRow,
  type ProposedEntry,
  selectProposal,
} from './proposal-store.ts'

type Db = Kysely<Tables>

/** Returns the source of the document that a proposal becomes: it names the conversation. */
export function sourceOf({ id, conversation_id }: Pick<ProposalRow, 'id' | 'conversation_id'>): string {
  return `conversations/${conversation_id}/proposals/${id}`
}

/** Returns the version of a proposal, by which an edit knows that nobody else has edited it. */
export function proposalVersion({ question, answer, questions }: ProposalRow): string {
  return versionOf(question, answer, questions)
}

/** The fields to change in a proposal. */
interface ProposalPatch {
  question?: string | undefined
  answer?: string | undefined
  questions?: string[] | undefined
  version?: string | undefined
}

/** Edits a proposal. @throws ApiError proposal_not_found, proposal_not_ready, version_outdated */
export async function editProposal(
  db: Db,
  agentId: number,
  id: number,
  { version, ...patch }: ProposalPatch,
  now: string,
  by: TeamBy,
): Promise<ProposalRow> {
  return db.transaction().execute(async (db) => {
    const { row, entry } = readyProposal(await lockProposal(db, agentId, id), version)
    const { question = entry.question, answer = entry.answer, questions = entry.questions } = patch
    const edited = { question, answer, questions }
    const fields = (['question', 'answer', 'questions'] as const).filter(
      (name) => JSON.stringify(edited[name]) !== JSON.stringify(entry[name]),
    )
    if (fields.length === 0) return row
    const target = `proposal ${id}`
    await record(db, { ...by, agentId, at: now, action: 'proposal.changed', target, details: { fields } })
    return keepEntry(db, id, edited, now)
  })
}

/**
 * Accepts a proposal: it becomes a document.
 * @returns the id of the document
 * @throws ApiError proposal_not_found, proposal_not_ready, version_outdated
 */
export async function accept(
  db: Db,
  agentId: number,
  id: number,
  version: string | undefined,
  nowMs: number,
  by: TeamBy,
): Promise<number> {
  const { row, entry } = readyProposal(await selectProposal(db, agentId, id), version)
  const { question: title, answer: content, questions } = entry
  const document = { source: sourceOf(row), title, content, questions, format: 'markdown' as const }
  const become = async (db: Db, documentId: number) => {
    const now = timestamp(nowMs)
    if (!(await acceptProposal(db, row, documentId, now))) {
      // It was edited meanwhile; or else accepted by somebody else, rejected, or redacted with its conversation.
      const isEdited = (await selectProposal(db, agentId, id)) !== undefined
      throw new ApiError(isEdited ? 'version_outdated' : 'proposal_not_found')
    }
    await record(db, { ...by, agentId, at: now, action: 'proposal.accepted', target: `proposal ${id}` })
  }
  // In one transaction: a document that no proposal names would stay when its conversation is scrubbed.
  const publish: Publish = (put) =>
    db.transaction().execute(async (db) => {
      const written = await put(db)
      await become(db, written.documentId)
      return written
    })
  const { documentId, outcome } = await addDocument(db, agentId, { ...document, publish }, nowMs, by)
  if (outcome === 'unchanged') await db.transaction().execute((db) => become(db, documentId))
  return documentId
}

/** Rejects a proposal. @throws ApiError proposal_not_found */
export async function reject(db: Db, agentId: number, id: number, now: string, by: TeamBy): Promise<void> {
  await db.transaction().execute(async (db) => {
    if (!(await lockProposal(db, agentId, id))) throw new ApiError('proposal_not_found')
    await deleteProposal(db, id)
    await record(db, { ...by, agentId, at: now, action: 'proposal.rejected', target: `proposal ${id}` })
  })
}

const UNMADE = 'The proposal could not be written. It can be proposed again.'

/** Checks that a proposal is there, was made, and is as its reader has read it. */
function readyProposal(
  row: ProposalRow | undefined,
  version: string | undefined,
): { row: ProposalRow; entry: ProposedEntry } {
  if (!row) throw new ApiError('proposal_not_found')
  const entry = entryOf(row)
  if (!entry) throw new ApiError('proposal_not_ready', row.parked_at === null ? {} : { message: UNMADE })
  refuseOutdated(version, proposalVersion(row))
  return { row, entry }
}
