import { type Kysely, sql } from 'kysely'
import { type SealedPattern, type SealedPlace, sealedPlaces } from '../lib/secrets/sealed-places.ts'
import type { Address } from '../lib/secrets/secret-box.ts'
import type { Tables } from './tables.ts'

/** The result of changing sealed secrets. */
interface ChangedSecrets {
  changed: number
  /** The places of the secrets that could not be opened. */
  unopened: SealedPlace[]
}

/** A sealed secret, its place, and the address stored beside it; undefined when it is never sent. */
interface StoredSealed {
  sealed: string
  place: SealedPlace
  address: Address
}

/** Returns the secret as it is to be stored. @throws Error when it cannot be opened */
type ChangeSealed = (stored: StoredSealed) => string

const BATCH = 200

/** A column that holds sealed secrets. */
interface SealedColumn {
  table: string
  key: 'id' | 'name'
  column: string
  /** The id of the only row that holds sealed secrets; null when every row does. */
  row: string | null
  secrets: Place[]
  /** The column with the addresses. */
  addressColumn: string
}

/** The paths of a secret in the column's JSON, and of its address in the JSON of the addresses' column. */
interface Place {
  /** The path of the secret; empty when the whole column is the secret. */
  path: string[]
  /** The path of the address; null when there is none, empty when the whole column is the address. */
  addressPath: string[] | null
}

type Row = { id: number | string; value: string | null; addresses: string | null }

/**
 * Changes all stored secrets in their sealed form. It can be stopped and run again at any time: a row that changes
 * meanwhile is read again, with the address beside it then.
 */
export async function changeSealed(db: Kysely<Tables>, change: ChangeSealed): Promise<ChangedSecrets> {
  const result: ChangedSecrets = { changed: 0, unopened: [] }
  for (const column of sealedColumns()) {
    for await (const rows of batchesOf(db, column)) {
      await Promise.all(rows.map((row) => changeRow(db, column, row, change, result)))
    }
  }
  return result
}

function sealedColumns(): SealedColumn[] {
  const columns = Map.groupBy(Object.keys(sealedPlaces) as SealedPattern[], (pattern) =>
    [...pattern.split('|').slice(0, 2), pattern.split('|')[2]?.split('.')[0]].join('|'),
  )
  return [...columns].map(([name, patterns]) => {
    const [table = '', row = '', column = ''] = name.split('|')
    const addresses = patterns.map((pattern) => sealedPlaces[pattern]?.split('.') ?? null)
    return {
      table,
      column,
      ...(row === '*' ? { key: 'id', row: null } : { key: 'name', row }),
      secrets: patterns.map((pattern, index) => ({
        path: pattern.split('|')[2]?.split('.').slice(1) ?? [],
        addressPath: addresses[index]?.slice(1) ?? null,
      })),
      addressColumn: addresses.find((path) => path !== null)?.[0] ?? column,
    }
  })
}

async function* batchesOf(db: Kysely<Tables>, sealed: SealedColumn) {
  const { key, row } = sealed
  if (row !== null) {
    yield (await sql<Row>`${select(sealed)} where ${sql.ref(key)} = ${row}`.execute(db)).rows
    return
  }
  let last = 0
  while (true) {
    const batch = sql<Row>`${select(sealed)} where ${sql.ref(key)} > ${last} order by ${sql.ref(key)} limit ${BATCH}`
    const { rows } = await batch.execute(db)
    if (rows.length === 0) return
    yield rows
    last = Number(rows.at(-1)?.id)
  }
}

function select({ table, key, column, addressColumn }: SealedColumn) {
  return sql`select ${sql.ref(key)} as id, ${sql.ref(column)} as value, ${sql.ref(addressColumn)} as addresses
    from ${sql.table(table)}`
}

async function changeRow(
  db: Kysely<Tables>,
  sealed: SealedColumn,
  row: Row,
  change: ChangeSealed,
  result: ChangedSecrets,
): Promise<void> {
  if (row.value === null) return
  const { table, key, column, addressColumn } = sealed
  const mended = changeValue(sealed, row, row.value, change)
  if (mended.changed === 0) return void result.unopened.push(...mended.unopened)
  const asRead = row.addresses === null ? sql`is null` : sql`= ${row.addresses}`
  const { rows } = await sql<Row>`
    update ${sql.table(table)} set ${sql.ref(column)} = ${mended.value}
    where ${sql.ref(key)} = ${row.id} and ${sql.ref(column)} = ${row.value}
      and ${sql.ref(addressColumn)} ${asRead}
    returning ${sql.ref(key)} as id`.execute(db)
  if (rows.length > 0) {
    result.changed += mended.changed
    result.unopened.push(...mended.unopened)
    return
  }
  // The row has been changed or deleted since it was read.
  const present = await sql<Row>`${select(sealed)} where ${sql.ref(key)} = ${row.id}`.execute(db)
  for (const row of present.rows) await changeRow(db, sealed, row, change, result)
}

function changeValue(
  { table, column, secrets }: SealedColumn,
  { id, addresses }: Row,
  value: string,
  change: ChangeSealed,
): ChangedSecrets & { value: string } {
  const result: ChangedSecrets = { changed: 0, unopened: [] }

  function changeOne(sealed: string, path: string[], { addressPath }: Place): string {
    const place = `${table}|${id}|${[column, ...path].join('.')}` as SealedPlace
    try {
      const changed = change({
        sealed,
        place,
        address: addressPath ? addressAt(addressPath, path) : undefined,
      })
      if (changed !== sealed) result.changed++
      return changed
    } catch {
      result.unopened.push(place)
      return sealed
    }
  }

  /** Returns the address that belongs to the secret at a path, by the same array indexes. */
  function addressAt(pattern: string[], path: string[]): Address {
    if (pattern.length === 0) return addresses
    const indexes = path.filter((part) => /^\d+$/.test(part))
    return pattern.reduce<unknown>(
      (json, part) => {
        const name = part === '*' ? (indexes.shift() ?? '') : part
        return typeof json === 'object' && json !== null && Object.hasOwn(json, name)
          ? Reflect.get(json, name)
          : null
      },
      JSON.parse(addresses ?? 'null'),
    ) as Address
  }

  const [whole] = secrets.filter(({ path }) => path.length === 0)
  if (whole) return { value: changeOne(value, [], whole), ...result }
  const json = secrets.reduce(
    (json, place) => changeAt(json, place.path, [], (text, path) => changeOne(text, path, place)),
    JSON.parse(value) as unknown,
  )
  return { value: JSON.stringify(json), ...result }
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
