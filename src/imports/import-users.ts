import { setImmediate as letOthers } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import { record, type TeamBy } from '../audit/record.ts'
import { ApiError } from '../errors.ts'
import { patchProfile, tellOfPerson } from '../profiles/profile.ts'
import type { ProfilePatch } from '../profiles/schemas.ts'
import { type Erasures, userSubject } from '../receipts/erasures.ts'
import { isAnyErased } from '../receipts/store.ts'
import { subjectText } from '../receipts/subject.ts'
import type { Tables } from '../storage/tables.ts'
import { lockPerson, othersOf, type PersonKeys } from '../users/person-store.ts'
import { insertUser, readAttributes, selectUser, writeProfile } from '../users/profile-store.ts'
import type { UserRow } from '../users/tables.ts'
import { readUserKey, type UserKey, writeSourcedId } from '../users/user-key.ts'
import { type Fault, faultIn } from './faults.ts'
import { type ReadRow, readPeople } from './read-people.ts'
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

/** The most people that one transaction changes. */
const AT_ONCE = 100

/** The profile of somebody who is not known. */
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
  for (const { row, key } of sound.sort((a, b) => (a.key < b.key ? -1 : 1))) {
    await letOthers()
    settled.set(row, await settle(db, context, key, row.patch))
  }
  return settled
}

/** Stores what a row says of a person, or tells what that would do. */
async function settle(db: Db, context: Import, key: UserKey, patch: ProfilePatch): Promise<Outcome | Fault> {
  const { agentId, isDryRun, now } = context
  const known = await (isDryRun ? selectUser : lockPerson)(db, agentId, key)
  const others = known ? await othersOf(db, agentId, known.id) : []
  const keys: PersonKeys = [known?.id ?? key, ...others.map(({ id }) => id)]
  if (await isErased(db, context, keys)) return 'erased'
  const news = newsOf(known ?? NOBODY, patch)
  if (known && !news) return 'unchanged'
  const changed = profileOf(known ?? NOBODY, others, news ?? {})
  if ('code' in changed) return changed
  if (isDryRun) return known ? 'changed' : 'created'
  if (!known) {
    const { source, id: given_id } = readUserKey(key)
    // The team vouches for whom it names, but not for who will write as them on a platform.
    const proof = source === 'api' || source === 'widget' ? 'signed' : 'none'
    const row = { agent_id: agentId, id: key, given_id, proof, first_seen_at: now } as const
    // They have written meanwhile.
    if ((await insertUser(db, row)).length === 0) return settle(db, context, key, patch)
  }
  await writeProfile(db, agentId, keys[0], changed.profile, changed.words)
  if (!known) return 'created'
  await tellOfPerson(db, agentId, keys)
  return 'changed'
}

/** Tells whether all text of a person was scrubbed or anonymized. What an erasure has taken no file brings back. */
async function isErased(db: Db, { erasures, agentId }: Import, keys: PersonKeys): Promise<boolean> {
  const names = keys.map((key) => writeSourcedId(readUserKey(key)))
  const subjects = names.map((named) => subjectText(userSubject(erasures, agentId, named)))
  return isAnyErased(db, agentId, subjects)
}

/** Returns what of a patch is not in a profile as the same text already; null: nothing. */
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
