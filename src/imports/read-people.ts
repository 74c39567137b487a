import { setImmediate as letOthers } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import { keysNamedEach, waysToName } from '../profiles/find-user.ts'
import { type ProfilePatch, profilePatch } from '../profiles/schemas.ts'
import type { Tables } from '../storage/tables.ts'
import { pathId } from '../transcripts/conversations/schemas.ts'
import { personKeys } from '../users/person-store.ts'
import { isAnonymous, readSourcedId, type SourcedId, type UserKey, userKey } from '../users/user-key.ts'
import { type Fault, faultIn } from './faults.ts'
import type { Columns, PeopleFile, PeopleRow } from './read-people-file.ts'

/** A row of a file, with the person whom it names. */
export interface ReadRow {
  line: number
  /** The id as the file has it. */
  id: string
  /** The name and the attributes of the person. Empty cells say nothing. */
  patch: ProfilePatch
  /** The key of the person's profile; null: the row has faults. */
  key: UserKey | null
  faults: Fault[]
}

/** The most rows that are read at once, and that one transaction stores. */
export const AT_ONCE = 100

/** The most characters of an id that a report repeats. */
const LONGEST_ID = 300

/** Reads the rows of a file, and finds the person whom each names. The first row of a person counts. */
export async function readPeople(
  db: Kysely<Tables>,
  agentId: number,
  { columns, rows }: PeopleFile,
): Promise<ReadRow[]> {
  const ofFile = keysWithSource(columns, rows)
  const lines = new Map<UserKey, number>()
  const read: ReadRow[] = []
  let named: Named = new Map()
  for (const [at, { line, cells }] of rows.entries()) {
    await letOthers()
    if (at % AT_ONCE === 0) {
      const texts = rows.slice(at, at + AT_ONCE).map(({ cells }) => cells[columns.id] ?? '')
      named = await readNamed(db, agentId, texts, ofFile)
    }
    const id = cells[columns.id] ?? ''
    const { patch, faults } = readCells(columns, cells)
    const title = columns.titles[columns.id] ?? null
    const found = findPerson(id, named)
    if (typeof found === 'object') faults.push(faultIn(title, found.code, found.values))
    const before = typeof found === 'string' ? lines.get(found) : undefined
    if (before !== undefined) faults.push(faultIn(title, 'repeated', { line: String(before) }))
    else if (typeof found === 'string') lines.set(found, line)
    const key = typeof found === 'string' && faults.length === 0 ? found : null
    read.push({ line, id: id.slice(0, LONGEST_ID).toWellFormed(), patch, key, faults })
  }
  return read
}

/** Reads the name and the attributes of a row as the profile of one user takes them. */
function readCells(
  { id, name, titles }: Columns,
  cells: PeopleRow['cells'],
): { patch: ProfilePatch; faults: Fault[] } {
  const faults: Fault[] = []
  if (cells.slice(titles.length).some((cell) => cell !== '')) faults.push(faultIn(null, 'too_many_values'))
  const filled = titles.flatMap((title, at) => {
    const cell = cells[at] ?? ''
    return at === id || cell === '' ? [] : [{ title, cell, isName: at === name }]
  })
  for (const { title, cell, isName } of filled) {
    const { error } = profilePatch.safeParse(isName ? { name: cell } : { attributes: { [title]: cell } })
    const issue = error?.issues.find(({ code }) => code === 'too_big')
    if (issue?.code === 'too_big') faults.push(faultIn(title, 'too_long', { most: String(issue.maximum) }))
  }
  const own = filled.find(({ isName }) => isName)
  const attributes = Object.fromEntries(
    filled.filter(({ isName }) => !isName).map(({ title, cell }) => [title, cell]),
  )
  return { patch: { ...(own ? { name: own.cell } : {}), attributes }, faults }
}

type KeysOfFile = ReadonlyMap<string, ReadonlySet<UserKey>>

/** Returns the keys of the rows whose ids have a source, by the id without its source. */
function keysWithSource({ id }: Columns, rows: readonly PeopleRow[]): KeysOfFile {
  const sourced = rows.flatMap(({ cells }) => readSourcedId(cells[id] ?? '') ?? []).filter(canBeAdded)
  return new Map(
    [...Map.groupBy(sourced, (one) => one.id)].map(([id, those]) => [id, new Set(those.map(userKey))]),
  )
}

/** Tells whether an import may create a person for an id: a site must know it before the person first writes. */
function canBeAdded(sourced: SourcedId): boolean {
  return sourced.source === 'api' || (sourced.source === 'widget' && !isAnonymous(sourced))
}

/** The keys of the profiles that an id of the file may stand for, by id. */
type Named = ReadonlyMap<string, UserKey[]>

/**
 * Finds the profiles that ids name, as the API's addresses do. An id without a source also names a person whom another
 * row of the file names by the same id with its source: otherwise one file could make two profiles of one person.
 */
async function readNamed(
  db: Kysely<Tables>,
  agentId: number,
  texts: readonly string[],
  ofFile: KeysOfFile,
): Promise<Named> {
  const sound = texts.filter((text) => pathId.safeParse(readSourcedId(text)?.id ?? text).success)
  const known = await keysNamedEach(db, agentId, sound)
  const all = [...known].map(([text, keys]) => {
    const added = readSourcedId(text) ? [] : (ofFile.get(text) ?? [])
    return [text, [...keys, ...added]] as const
  })
  const people = await personKeys(db, agentId, [...new Set(all.flatMap(([, keys]) => keys))])
  return new Map(all.map(([text, keys]) => [text, [...new Set(keys.map((key) => people.get(key) ?? key))]]))
}

/**
 * Finds the person whom an id names.
 * @returns the key of their profile, which may not be there yet
 */
function findPerson(text: string, named: Named): UserKey | Pick<Fault, 'code' | 'values'> {
  if (text === '') return { code: 'missing', values: {} }
  const sourced = readSourcedId(text)
  const { source, id } = sourced ?? { source: 'api', id: text }
  if (!pathId.safeParse(id).success) return { code: 'id_form', values: {} }
  const people = named.get(text) ?? []
  if (people.length > 1) return { code: 'id_ambiguous', values: { ids: waysToName(people) } }
  const [key] = people
  if (key !== undefined) return key
  if (!canBeAdded({ source, id })) return { code: 'id_unknown', values: {} }
  return userKey({ source, id })
}
