import { setImmediate as letOthers } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import { record, type TeamBy } from '../audit/record.ts'
import { ApiError } from '../errors.ts'
import { patchProfile, tellOfPerson } from '../profiles/profile.ts'
import type { ProfilePatch } from '../profiles/schemas.ts'
import { type Erasures, userSubject } from '../receipts/erasures.ts'
import { erasedOf } from '../receipts/store.ts'
import { subjectText } from '../receipts/subject.ts'
import type { Tables } from '../storage/tables.ts'
import { insertUser, readAttributes, selectUsers, writeProfile } from '../users/known-users.ts'
import { lockUsers, othersOfEach, type PersonKeys } from '../users/person-store.ts'
import type { UserRow } from '../users/tables.ts'
import { readUserKey, type UserKey, writeSourcedId } from '../users/user-key.ts'
import { type Fault, faultIn } from './faults.ts'
import { AT_ONCE, type ReadRow, readPeople } from './read-people.ts'
import type { PeopleFile } from './read-people-file.ts'

type Db = Kysely<Tables>

export const outcomes = ['created', 'changed', 'unchanged', 'erased', 'refused'] as const

export type Outcome = (typeof outcomes)[number]

/** The outcome of a row of a file. */
interface RowReport {
  line: number
  id: string
  outcome: Outcome
  faults: Fault[]
}

interface Import {
  db: Db
  erasures: Pick<Erasures, 'subjectKey'>
  agentId: number
  file: PeopleFile
  isDryRun: boolean
  now: string
  by: TeamBy
}

/** The empty profile of a person who is not known yet. */
const NOBODY = { name: null, attributes: null, adopted: null }

/**
 * Stores the people of a file, and leaves those out whose rows have faults. What it has stored stays when it is cut
 * off; the same file again stores the rest, and changes nothing twice.
 */
export async function importUsers(context: Import): Promise<RowReport[]> {
  const { db, agentId, file, isDryRun } = context
  const reports: RowReport[] = []
  const rows = await readPeople(db, agentId, file)
  for (let at = 0; at < rows.length; at += AT_ONCE) {
    const some = rows.slice(at, at + AT_ONCE)
    const settled = isDryRun
      ? await settleRows(db, context, some)
      : await db.transaction().execute((db) => storeRows(db, context, some))
    reports.push(...some.map((row) => reportOf(row, settled.get(row))))
  }
  return reports
}

/** The outcomes of rows that have no fault by themselves. */
type Settled = ReadonlyMap<ReadRow, Outcome | Fault>

function reportOf({ line, id, faults }: ReadRow, settled: Outcome | Fault | undefined): RowReport {
  if (typeof settled === 'string') return { line, id, outcome: settled, faults: [] }
  return { line, id, outcome: 'refused', faults: settled ? [settled] : faults }
}

async function storeRows(db: Db, context: Import, rows: readonly ReadRow[]): Promise<Settled> {
  const { agentId, now, by } = context
  const settled = await settleRows(db, context, rows)
  const count = (outcome: Outcome) => [...settled.values()].filter((one) => one === outcome).length
  const details = { created: count('created'), changed: count('changed') }
  if (details.created + details.changed > 0)
    await record(db, { ...by, agentId, at: now, action: 'users.imported', details })
  return settled
}

/** Settles rows in an order in which two imports never wait for each other. */
async function settleRows(db: Db, context: Import, rows: readonly ReadRow[]): Promise<Settled> {
  const settled = new Map<ReadRow, Outcome | Fault>()
  const sound = rows.flatMap((row) => (row.key === null ? [] : [{ row, key: row.key }]))
  const late: Sound[] = []
  const settleSome = async (some: readonly Sound[]) => {
    const read = await readKnown(
      db,
      context,
      some.map(({ key }) => key),
    )
    for (const { row, key } of some) {
      await letOthers()
      const person = read.get(key) ?? UNKNOWN
      const outcome = await settle(db, context, key, row.patch, person)
      if (outcome === null) late.push({ row, key: person.known?.person_id ?? key })
      else settled.set(row, outcome)
    }
  }
  await settleSome(sound.sort((a, b) => (a.key < b.key ? -1 : 1)))
  // One by one, because two of these rows may mean the same person by now.
  for (let one = late.shift(); one; one = late.shift()) await settleSome([one])
  return settled
}

/** A row without faults, and the key of the person's profile. */
interface Sound {
  row: ReadRow
  key: UserKey
}

/** A person, as far as they are stored. */
interface Person {
  known: UserRow | undefined
  /** The end users who were merged into them. */
  others: readonly UserRow[]
  /** True if all of their texts were scrubbed or anonymized. An import does not bring erased data back. */
  isErased: boolean
}

const UNKNOWN: Person = { known: undefined, others: [], isErased: false }

/** Reads what is stored about people. Locks their rows, except in a dry run. */
async function readKnown(
  db: Db,
  { erasures, agentId, isDryRun }: Import,
  keys: readonly UserKey[],
): Promise<ReadonlyMap<UserKey, Person>> {
  const present = new Map((await selectUsers(db, agentId, keys)).map((row) => [row.id, row]))
  const known = isDryRun ? present : await lockUsers(db, agentId, [...present.keys()])
  const others = await othersOfEach(db, agentId, [...known.keys()])
  const subjects = new Map(
    keys.map((key) => [
      key,
      [key, ...(others.get(key) ?? []).map(({ id }) => id)].map((id) =>
        subjectText(userSubject(erasures, agentId, writeSourcedId(readUserKey(id)))),
      ),
    ]),
  )
  const erased = await erasedOf(db, agentId, [...subjects.values()].flat())
  return new Map(
    [...subjects].map(([key, those]) => {
      const isErased = those.some((subject) => erased.has(subject))
      return [key, { known: known.get(key), others: others.get(key) ?? [], isErased }]
    }),
  )
}

/**
 * Stores what a row says about a person; in a dry run, only returns the outcome.
 * @returns null if the person was merged, or has written for the first time, since they were read
 */
async function settle(
  db: Db,
  { agentId, isDryRun, now }: Import,
  key: UserKey,
  patch: ProfilePatch,
  { known, others, isErased }: Person,
): Promise<Outcome | Fault | null> {
  if (known?.person_id) return null
  if (isErased) return 'erased'
  const news = newsOf(known ?? NOBODY, patch)
  if (known && !news) return 'unchanged'
  const changed = profileOf(known ?? NOBODY, others, news ?? {})
  if ('code' in changed) return changed
  if (isDryRun) return known ? 'changed' : 'created'
  if (!known) {
    const { source, id: given_id } = readUserKey(key)
    // The team vouches for the ids of its own sites, but not for who writes under an id on a platform.
    const proof = source === 'api' || source === 'widget' ? 'signed' : 'none'
    const row = { agent_id: agentId, id: key, given_id, proof, first_seen_at: now } as const
    if ((await insertUser(db, row)).length === 0) return null
  }
  await writeProfile(db, agentId, key, changed.profile, changed.words)
  if (!known) return 'created'
  const keys: PersonKeys = [key, ...others.map(({ id }) => id)]
  await tellOfPerson(db, agentId, keys)
  return 'changed'
}

/** Returns the part of a patch that changes the text of a profile's name or attributes; null: none does. */
function newsOf(
  { name, attributes }: Pick<UserRow, 'name' | 'attributes'>,
  patch: ProfilePatch,
): ProfilePatch | null {
  const present = new Map(Object.entries(readAttributes(attributes)))
  const isNew = ([title, value]: [string, unknown]) => String(present.get(title)) !== String(value)
  const other = Object.entries(patch.attributes ?? {}).filter(isNew)
  const isRenamed = patch.name !== undefined && patch.name !== name
  if (!isRenamed && other.length === 0) return null
  return { ...(isRenamed ? { name: patch.name } : {}), attributes: Object.fromEntries(other) }
}

function profileOf(...patched: Parameters<typeof patchProfile>) {
  try {
    return patchProfile(...patched)
  } catch (error) {
    if (error instanceof ApiError && error.code === 'invalid_request') return faultIn(null, 'too_much')
    throw error
  }
}
