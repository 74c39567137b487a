import type { Kysely } from 'kysely'
import { record, type TeamBy } from '../audit/record.ts'
import { ApiError, foundOr, invalidField, mostOf } from '../errors.ts'
import { requireEvaluators } from '../evaluators/find-evaluator.ts'
import type { Caller } from '../http/member.ts'
import { refuseOutdated, versionOf } from '../http/version.ts'
import { rowId } from '../lib/ids.ts'
import { inTurnOfRedactions } from '../privacy/in-turn-of-redactions.ts'
import type { Engine } from '../storage/engine.ts'
import type { Tables } from '../storage/tables.ts'
import { findCompletion } from '../transcripts/completions/find-completion.ts'
import { type CaseParts, type Expectation, toParts, toTexts } from './case.ts'
import { caseOfCompletion } from './case-of-completion.ts'
import {
  countCases,
  deleteCases,
  insertCase,
  replaceTexts,
  selectCase,
  selectTexts,
  updateCase,
} from './case-store.ts'
import { lockDataset, updateDataset } from './dataset-store.ts'
import type { CasePatch, NewCase } from './schemas.ts'
import type { CaseRow, CaseTextRow } from './tables.ts'

type Db = Kysely<Tables>

interface Dependencies {
  db: Db
  engine: Pick<Engine, 'lock' | 'locksRows'>
}

/** A case and its texts. */
export interface WholeCase {
  row: CaseRow
  texts: CaseTextRow[]
}

/** @throws ApiError dataset_not_found, completion_not_found, too_many_cases, invalid_request */
export async function addCase(
  { db, engine }: Dependencies,
  caller: Pick<Caller, 'agentId' | 'teamId' | 'right'>,
  datasetId: string,
  { completion_id, messages, customer, tags = {}, expectations, tool_results }: NewCase,
  now: string,
  by: TeamBy,
): Promise<WholeCase> {
  const { agentId } = caller
  const given = [completion_id, messages, customer].filter((one) => one !== undefined)
  if (given.length !== 1) {
    const needed = given.length === 0 ? 'one of' : 'only one of'
    throw invalidField('messages', `${needed} \`messages\`, \`customer\` and \`completion_id\` is needed.`)
  }
  return inDataset({ db, engine }, agentId, datasetId, now, async (db, id) => {
    if ((await countCases(db, id)) >= mostOf.cases) throw new ApiError('too_many_cases')
    await requireEvaluators(db, agentId, evaluatorsIn(expectations), 'expectations')
    const completion = completion_id === undefined ? null : await findCompletion(db, caller, completion_id)
    const made = completion ? await caseOfCompletion(db, completion) : null
    const row = await insertCase(db, {
      agent_id: agentId,
      dataset_id: id,
      completion_id: completion?.id ?? null,
      tags: JSON.stringify(tags),
      created_at: now,
      updated_at: now,
    })
    const parts: CaseParts = {
      messages: messages ?? made?.parts.messages ?? [],
      customer: customer ?? null,
      expectations: expectations ?? made?.parts.expectations ?? [],
      tool_results: tool_results ?? made?.parts.tool_results ?? [],
    }
    const sourceOf = (at: number | null) => (at === null ? null : made?.sources[at]) ?? row.completion_id
    await replaceTexts(db, row, toTexts(parts, sourceOf))
    await recordCase(db, row, 'added', now, by)
    return wholeCase(db, row)
  })
}

/** @throws ApiError dataset_not_found, case_not_found, version_outdated, invalid_request */
export async function changeCase(
  dependencies: Dependencies,
  agentId: number,
  datasetId: string,
  id: string,
  { tags, version, ...patch }: CasePatch,
  now: string,
  by: TeamBy,
): Promise<WholeCase> {
  if (patch.messages && patch.customer)
    throw invalidField('customer', '`messages` and `customer` are not given together.')
  return inDataset(dependencies, agentId, datasetId, now, async (db, datasetId) => {
    const { row, texts } = await readCase(db, datasetId, id)
    refuseOutdated(version, caseVersion({ row, texts }))
    const changed = await updateCase(db, row.id, {
      ...(tags === undefined ? {} : { tags: JSON.stringify(tags) }),
      updated_at: now,
    })
    const present = toParts(texts)
    // One that was deleted since may stay, so that the case can be edited.
    const before = new Set(evaluatorsIn(present.expectations))
    const added = evaluatorsIn(patch.expectations).filter((id) => !before.has(id))
    await requireEvaluators(db, agentId, added, 'expectations')
    const parts: CaseParts = {
      messages: patch.customer ? [] : (patch.messages ?? present.messages),
      customer: patch.messages ? null : (patch.customer ?? present.customer),
      expectations: patch.expectations ?? present.expectations,
      tool_results: patch.tool_results ?? present.tool_results,
    }
    // A changed message keeps the source of the message that was in its place.
    const sources = texts.filter(isMessage).map(({ completion_id }) => completion_id)
    const sourceOf = (at: number | null) => (at === null ? null : sources[at]) ?? row.completion_id
    await replaceTexts(db, row, toTexts(parts, sourceOf))
    await recordCase(db, row, 'changed', now, by)
    return wholeCase(db, changed)
  })
}

/** @throws ApiError dataset_not_found, case_not_found */
export async function removeCase(
  dependencies: Dependencies,
  agentId: number,
  datasetId: string,
  id: string,
  now: string,
  by: TeamBy,
): Promise<void> {
  await inDataset(dependencies, agentId, datasetId, now, async (db, datasetId) => {
    const { row } = await readCase(db, datasetId, id)
    await deleteCases(db, datasetId, { limit: 1, only: row.id })
    await recordCase(db, row, 'removed', now, by)
  })
}

/** @throws ApiError case_not_found */
export async function readCase(db: Db, datasetId: number, id: string): Promise<WholeCase> {
  const row = foundOr(await selectCase(db, datasetId, rowId(id)), 'case_not_found')
  return wholeCase(db, row)
}

/** Cases with their texts. */
export async function wholeCases(db: Db, rows: readonly CaseRow[]): Promise<WholeCase[]> {
  const ids = rows.map(({ id }) => id)
  const texts = await selectTexts(db, 'case_id', ids)
  return rows.map((row) => ({ row, texts: texts.get(row.id) ?? [] }))
}

async function wholeCase(db: Db, row: CaseRow): Promise<WholeCase> {
  return { row, texts: (await selectTexts(db, 'case_id', [row.id])).get(row.id) ?? [] }
}

/** Changes the cases of a dataset, one request at a time. Transcripts are copied only while no redaction writes. */
async function inDataset<T>(
  { db, engine }: Dependencies,
  agentId: number,
  datasetId: string,
  now: string,
  work: (db: Db, datasetId: number) => Promise<T>,
): Promise<T> {
  return inTurnOfRedactions(db, engine, agentId, async (db) => {
    const dataset = foundOr(await lockDataset(db, agentId, rowId(datasetId)), 'dataset_not_found')
    await updateDataset(db, dataset.id, { updated_at: now })
    return work(db, dataset.id)
  })
}

export function caseVersion({ row, texts }: WholeCase): string {
  return versionOf(row.tags, toParts(texts))
}

function evaluatorsIn(expectations: readonly Expectation[] = []): number[] {
  return expectations.flatMap((one) => (one.kind === 'evaluator' ? [one.value] : []))
}

function isMessage({ part }: CaseTextRow): boolean {
  return part === 'user' || part === 'assistant' || part === 'system'
}

async function recordCase(
  db: Db,
  { id, agent_id, dataset_id }: CaseRow,
  verb: 'added' | 'changed' | 'removed',
  at: string,
  by: TeamBy,
): Promise<void> {
  const details = { dataset_id }
  await record(db, { ...by, agentId: agent_id, at, action: `case.${verb}`, target: `case ${id}`, details })
}
