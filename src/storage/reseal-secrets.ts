import { type Kysely, sql } from 'kysely'
import { type SealedPlace, sealedPlaces } from '../lib/secrets/sealed-places.ts'
import type { SecretBox } from '../lib/secrets/secret-box.ts'
import type { Tables } from './tables.ts'

/** The result of rotating the master key. */
export interface Resealed {
  /** How many secrets were sealed with a previous key and are now sealed with the current one. */
  resealed: number
  /** Where the secrets are that no key opens. */
  unopened: string[]
}

const BATCH = 200

/** A column that holds sealed secrets. */
interface SealedColumn {
  table: string
  key: 'id' | 'name'
  column: string
  /** The id of the only row that holds sealed secrets; null: all rows do. */
  row: string | null
  /** Where the secrets are in the column's JSON. An empty path means that the whole column is the secret. */
  paths: string[][]
}

type Row = { id: number | string; value: string | null }

/**
 * Seals every stored secret with the current master key. It can be stopped and run again at any time: secrets that are
 * sealed with the current key are left as they are, and a row that changes meanwhile is read again.
 */
export async function resealSecrets(db: Kysely<Tables>, box: SecretBox): Promise<Resealed> {
  const result: Resealed = { resealed: 0, unopened: [] }
  for (const column of sealedColumns()) {
    for await (const rows of batchesOf(db, column)) {
      await Promise.all(rows.map((row) => resealRow(db, box, column, row, result)))
    }
  }
  return result
}

function sealedColumns(): SealedColumn[] {
  const columns = Map.groupBy(
    sealedPlaces.map((place) => {
      const [table = '', row = '', path = ''] = place.split('|')
      const [column = '', ...inJson] = path.split('.')
      return { table, row, column, inJson }
    }),
    ({ table, row, column }) => [table, row, column].join('|'),
  )
  return [...columns.values()].flatMap((places) => {
    const [first] = places
    if (!first) return []
    const { table, column, row } = first
    const paths = places.map(({ inJson }) => inJson)
    return row === '*'
      ? { table, key: 'id' as const, column, row: null, paths }
      : { table, key: 'name' as const, column, row, paths }
  })
}

async function* batchesOf(db: Kysely<Tables>, { table, key, column, row }: SealedColumn) {
  const select = sql<Row>`select ${sql.ref(key)} as id, ${sql.ref(column)} as value from ${sql.table(table)}`
  if (row !== null) {
    yield (await sql<Row>`${select} where ${sql.ref(key)} = ${row}`.execute(db)).rows
    return
  }
  let last = 0
  while (true) {
    const batch = sql<Row>`${select} where ${sql.ref(key)} > ${last} order by ${sql.ref(key)} limit ${BATCH}`
    const { rows } = await batch.execute(db)
    if (rows.length === 0) return
    yield rows
    last = Number(rows.at(-1)?.id)
  }
}

async function resealRow(
  db: Kysely<Tables>,
  box: SecretBox,
  sealed: SealedColumn,
  { id, value }: Row,
  result: Resealed,
): Promise<void> {
  if (value === null) return
  const { table, key, column, paths } = sealed
  const mended = resealValue(box, value, paths, (path) => placeOf(table, id, [column, ...path]))
  if (mended.resealed === 0) return void result.unopened.push(...mended.unopened)
  const { rows } = await sql<Row>`
    update ${sql.table(table)} set ${sql.ref(column)} = ${mended.value}
    where ${sql.ref(key)} = ${id} and ${sql.ref(column)} = ${value}
    returning ${sql.ref(key)} as id, ${sql.ref(column)} as value`.execute(db)
  if (rows.length > 0) {
    result.resealed += mended.resealed
    result.unopened.push(...mended.unopened)
    return
  }
  // The row has been changed or deleted since it was read.
  const present = await sql<Row>`
    select ${sql.ref(key)} as id, ${sql.ref(column)} as value from ${sql.table(table)}
    where ${sql.ref(key)} = ${id}`.execute(db)
  for (const row of present.rows) await resealRow(db, box, sealed, row, result)
}

function resealValue(
  box: SecretBox,
  value: string,
  paths: string[][],
  placeAt: (path: string[]) => SealedPlace,
): Resealed & { value: string } {
  let resealed = 0
  const unopened: string[] = []
  const reseal = (sealed: string, path: string[]): string => {
    if (box.isCurrent(sealed)) return sealed
    const place = placeAt(path)
    try {
      const again = box.seal(box.open(sealed, place), place)
      resealed++
      return again
    } catch {
      unopened.push(place)
      return sealed
    }
  }
  if (paths.some((path) => path.length === 0)) return { value: reseal(value, []), resealed, unopened }
  const json = paths.reduce((json, path) => changeAt(json, path, [], reseal), JSON.parse(value) as unknown)
  return { value: JSON.stringify(json), resealed, unopened }
}

/** Returns a JSON value with the texts at a path changed. `*` in the path stands for every item of an array. */
function changeAt(
  value: unknown,
  [name, ...rest]: string[],
  path: string[],
  change: (text: string, path: string[]) => string,
): unknown {
  if (name === undefined) return typeof value === 'string' ? change(value, path) : value
  if (name === '*') {
    if (!Array.isArray(value)) return value
    return value.map((item, index) => changeAt(item, rest, [...path, String(index)], change))
  }
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return value
  const inside = changeAt(Reflect.get(value, name), rest, [...path, name], change)
  return { ...value, [name]: inside }
}

function placeOf(table: string, id: number | string, path: string[]): SealedPlace {
  return `${table}|${id}|${path.join('.')}` as SealedPlace
}
