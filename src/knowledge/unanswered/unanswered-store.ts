import { type Kysely, type RawBuilder, type Selectable, type SelectQueryBuilder, sql } from 'kysely'
import type { Page, PageRequest } from '../../lib/page.ts'
import type { Filter } from '../../storage/list.ts'
import { type ParamOf, prepared } from '../../storage/prepared.ts'
import { selectPage } from '../../storage/select-page.ts'
import type { Tables } from '../../storage/tables.ts'
import type { UnansweredNotesTable, UnansweredQuestionsTable } from '../tables.ts'
import { bitsOf, type GapReason, gapReasons, reasonsIn } from './gap-reasons.ts'
import type { Wording } from './wording.ts'

type Db = Kysely<Tables>

type UnansweredRow = Selectable<UnansweredQuestionsTable>
type NoteRow = Selectable<UnansweredNotesTable>

/** A prompt to which the agent had no good answer, and the time at which it was asked. */
type AskedPrompt = Pick<NoteRow, 'agent_id' | 'conversation_id' | 'completion_id' | 'asked_at'>

/** The columns of a group that count its prompts. `others` counts those whose reasons do not include `unknown`. */
type Counter = 'count' | 'others' | Exclude<GapReason, 'unknown'>
type Counts = Record<Counter, number>

/** The most prompts of a group that are kept. Older ones only count. */
const MOST_NOTES = 50

/** Counts a prompt by its reasons. @param bits as `bitsOf` wrote them; 0: it does not count */
function countsOf(bits: number): Counts {
  const reasons: readonly GapReason[] = reasonsIn(bits)
  const has = (reason: GapReason) => (reasons.includes(reason) ? 1 : 0)
  return {
    count: bits === 0 ? 0 : 1,
    others: bits === 0 ? 0 : 1 - has('unknown'),
    no_passage: has('no_passage'),
    uncited: has('uncited'),
    disliked: has('disliked'),
    handed_off: has('handed_off'),
  }
}

const counters = Object.keys(countsOf(0)) as Counter[]

/** Returns the values that add some counts to the counters of a group. */
function changes(by: (name: Counter) => unknown) {
  return Object.fromEntries(
    counters.map((name) => [name, sql<number>`unanswered_questions.${sql.ref(name)} + ${by(name)}`]),
  ) as Record<Counter, ReturnType<typeof sql<number>>>
}

const lockGroupOfNote = prepared((db, param: ParamOf<{ completion_id: string }>) =>
  lockedGroups(db).where('id', 'in', noteOf(db, param('completion_id')).select('question_id')),
)

const selectNote = prepared((db, param: ParamOf<{ completion_id: string }>) =>
  noteOf(db, param('completion_id')).selectAll().forNoKeyUpdate(),
)

const lockGroup = prepared((db, param: ParamOf<{ id: number }>) =>
  lockedGroups(db).where('id', '=', param('id')),
)

function noteOf(db: Db, completionId: string) {
  return db.selectFrom('unanswered_notes').where('completion_id', '=', completionId)
}

/** Locks groups in the order of their ids, and selects the ids. */
function lockedGroups(db: Db) {
  return db.selectFrom('unanswered_questions').select('id').orderBy('id').forNoKeyUpdate()
}

/** Finds the note of a prompt. Locks its group and the note, so that simultaneous causes follow each other. */
export async function lockNote(db: Db, completionId: string): Promise<NoteRow | undefined> {
  await lockGroupOfNote(db, { completion_id: completionId })
  const [note] = await selectNote(db, { completion_id: completionId })
  return note
}

/** Lists the groups whose questions were asked last, with their wordings. */
export const latestWordings = prepared((db, param: ParamOf<{ agent_id: number; limit: number }>) =>
  db
    .selectFrom('unanswered_questions')
    .select(['id', 'words'])
    .where('agent_id', '=', param('agent_id'))
    .where(sql<boolean>`count > 0`)
    .orderBy('last_asked_at', 'desc')
    .orderBy('id', 'desc')
    .limit(param('limit')),
)

/** Notes a prompt in an existing group. @returns false if the group is gone by now */
export async function addToGroup(db: Db, id: number, asked: AskedPrompt, bits: number): Promise<boolean> {
  if ((await lockGroup(db, { id })).length === 0) return false
  // A prompt that already has a note is not counted again.
  const noted = await insertNote(db, { ...asked, question_id: id, reasons: bits })
  if (noted.length === 0) return true
  await countNote(db, { ...asked, ...countsOf(bits), id })
  await removeOldNotes(db, { id })
  return true
}

/** Stores a note, and returns its id; nothing if the prompt has a note already. */
const insertNote = prepared((db, param: ParamOf<AskedPrompt & { question_id: number; reasons: number }>) =>
  db
    .insertInto('unanswered_notes')
    .values({
      agent_id: param('agent_id'),
      conversation_id: param('conversation_id'),
      completion_id: param('completion_id'),
      asked_at: param('asked_at'),
      question_id: param('question_id'),
      reasons: param('reasons'),
    })
    .onConflict((conflict) => conflict.column('completion_id').doNothing())
    .returning('id'),
)

const countNote = prepared((db, param: ParamOf<AskedPrompt & Counts & { id: number }>) => {
  const at = param('asked_at')
  const isLast = sql`last_asked_at <= ${at}`
  return db
    .updateTable('unanswered_questions')
    .set({
      ...changes(param),
      first_asked_at: sql`case when first_asked_at > ${at} then ${at} else first_asked_at end`,
      last_asked_at: sql`case when ${isLast} then ${at} else last_asked_at end`,
      conversation_id: sql`case when ${isLast} then ${param('conversation_id')} else conversation_id end`,
      completion_id: sql`case when ${isLast} then ${param('completion_id')} else completion_id end`,
    })
    .where('id', '=', param('id'))
})

const removeOldNotes = prepared((db, param: ParamOf<{ id: number }>) =>
  db
    .deleteFrom('unanswered_notes')
    .where('question_id', '=', param('id'))
    .where('id', '<', (notes) =>
      notes
        .selectFrom('unanswered_notes')
        .select('id')
        .where('question_id', '=', param('id'))
        .orderBy('id', 'desc')
        .limit(1)
        .offset(MOST_NOTES - 1),
    ),
)

/** Notes a prompt in a new group, or in one of the same words that was made in the meantime. */
export async function putGroup(
  db: Db,
  { hash: words_hash, words }: Wording,
  asked: AskedPrompt,
  bits: number,
): Promise<void> {
  const { asked_at: at, ...named } = asked
  const { id } = await db
    .insertInto('unanswered_questions')
    .values({ ...named, words_hash, words, ...countsOf(0), first_asked_at: at, last_asked_at: at })
    .onConflict((conflict) => conflict.columns(['agent_id', 'words_hash']).doUpdateSet({ words }))
    .returning('id')
    .executeTakeFirstOrThrow()
  await addToGroup(db, id, asked, bits)
}

/**
 * Changes the reasons of a note that is locked. At least one reason must be left. The note of a dismissed question
 * counts in no group.
 */
export async function setReasons(db: Db, { id, question_id, reasons }: NoteRow, bits: number): Promise<void> {
  const [before, after] = [countsOf(reasons), countsOf(bits)]
  const by = (name: Counter) => after[name] - before[name]
  if (question_id !== null)
    await db.updateTable('unanswered_questions').set(changes(by)).where('id', '=', question_id).execute()
  await db.updateTable('unanswered_notes').set({ reasons: bits }).where('id', '=', id).execute()
}

/** The number of notes that are deleted by one statement. */
const DELETED_AT_ONCE = 500

/** Deletes notes, and subtracts them from the counts of their groups. A group without any note left is deleted. */
export async function removeNotes(db: Db, ids: readonly number[]): Promise<void> {
  for (let from = 0; from < ids.length; from += DELETED_AT_ONCE)
    await removeSome(db, ids.slice(from, from + DELETED_AT_ONCE))
}

async function removeSome(db: Db, ids: readonly number[]): Promise<void> {
  const notes = db.selectFrom('unanswered_notes').where('id', 'in', ids)
  const locked = await lockedGroups(db).where('id', 'in', notes.select('question_id')).execute()
  const groups = locked.map(({ id }) => id)
  if (groups.length > 0)
    await db
      .updateTable('unanswered_questions')
      .from(notes.select('question_id').select(sumsOfReasons).groupBy('question_id').as('gone'))
      .set(
        Object.fromEntries(
          counters.map((name) => [name, sql`unanswered_questions.${sql.ref(name)} - gone.${sql.ref(name)}`]),
        ),
      )
      .whereRef('unanswered_questions.id', '=', 'gone.question_id')
      .execute()
  await db.deleteFrom('unanswered_notes').where('id', 'in', ids).execute()
  if (groups.length === 0) return
  await db
    .updateTable('unanswered_questions')
    .from(placedNotes(db, groups, 'asked_at').as('last'))
    .set((eb) => ({
      last_asked_at: eb.ref('last.asked_at'),
      conversation_id: eb.ref('last.conversation_id'),
      completion_id: eb.ref('last.completion_id'),
    }))
    .whereRef('unanswered_questions.id', '=', 'last.question_id')
    .where('last.place', '=', 1)
    .execute()
  await db
    .deleteFrom('unanswered_questions')
    .where('id', 'in', groups)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('unanswered_notes')
            .select('unanswered_notes.id')
            .whereRef('unanswered_notes.question_id', '=', 'unanswered_questions.id'),
        ),
      ),
    )
    .execute()
}

/** Returns the sums by which notes count in their group: `countsOf` in SQL. */
function sumsOfReasons() {
  const has = (reason: GapReason) => sql`reasons & ${sql.lit(bitsOf([reason]))} <> 0`
  const conditions: Record<Counter, RawBuilder<unknown>> = {
    count: sql`reasons <> 0`,
    others: sql`reasons <> 0 and not ${has('unknown')}`,
    no_passage: has('no_passage'),
    uncited: has('uncited'),
    disliked: has('disliked'),
    handed_off: has('handed_off'),
  }
  return counters.map((name) =>
    sql<number>`cast(sum(case when ${conditions[name]} then 1 else 0 end) as integer)`.as(name),
  )
}

/** Selects an agent's unanswered questions, those that were asked last first. @param reason undefined: all of them */
export async function selectUnanswered(
  db: Db,
  agentId: number,
  reason: GapReason | undefined,
  filters: readonly Filter[],
  request: PageRequest,
): Promise<Page<UnansweredRow>> {
  const all = db.selectFrom('unanswered_questions').selectAll()
  const ofReason =
    reason === 'unknown' ? sql<boolean>`count > others` : sql<boolean>`${sql.ref(reason ?? '')} > 0`
  return selectPage(
    db,
    {
      query: reason === undefined ? all : all.where(ofReason),
      of: { agent_id: agentId },
      ...(reason === undefined ? { guard: sql<boolean>`count > 0` } : {}),
      key: ['last_asked_at', 'id'],
      order: 'desc',
      filters,
    },
    request,
  )
}

/** Counts the prompts of a group by their reasons. Reasons that none has are left out. */
export function countsByReason(row: UnansweredRow): { reason: GapReason; count: number }[] {
  return gapReasons.flatMap((reason) => {
    const count = reason === 'unknown' ? row.count - row.others : row[reason]
    return count > 0 ? [{ reason, count }] : []
  })
}

/** Reads the newest prompts of some groups, the newest first. @param each the most prompts of one group */
export async function selectNotes(db: Db, questionIds: readonly number[], each: number): Promise<NoteRow[]> {
  if (questionIds.length === 0) return []
  return db
    .selectFrom(placedNotes(db, questionIds, 'id').as('notes'))
    .selectAll()
    .where('place', '<=', each)
    .orderBy('asked_at', 'desc')
    .execute()
}

/** Selects the notes of some groups with their place in the group, the newest first. */
function placedNotes(db: Db, questionIds: readonly number[], by: 'asked_at' | 'id') {
  const place = sql<number>`row_number() over (partition by question_id order by ${sql.ref(by)} desc, id desc)`
  return db
    .selectFrom('unanswered_notes')
    .selectAll()
    .select(place.as('place'))
    .where('question_id', 'in', questionIds)
}

/**
 * Deletes a question. Its prompts stay noted without one, so that what comes of them later does not list it again.
 * @returns false if there was none
 */
export async function deleteUnanswered(db: Db, agentId: number, id: number): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('unanswered_questions')
    .where('id', '=', id)
    .where('agent_id', '=', agentId)
    .executeTakeFirstOrThrow()
  if (numDeletedRows === 0n) return false
  await db.updateTable('unanswered_notes').set({ question_id: null }).where('question_id', '=', id).execute()
  return true
}

/** Forgets the questions that were asked in some completions. @param completions a query for their ids */
export async function forgetQuestions(
  db: Db,
  completions: SelectQueryBuilder<Tables, 'completions', { id: string }>,
): Promise<number> {
  const notes = await db
    .selectFrom('unanswered_notes')
    .select('id')
    .where('completion_id', 'in', completions)
    .orderBy('question_id')
    .execute()
  await removeNotes(
    db,
    notes.map(({ id }) => id),
  )
  // Groups that are older than the notes know only their last prompt.
  await db.deleteFrom('unanswered_questions').where('completion_id', 'in', completions).execute()
  return notes.length
}
