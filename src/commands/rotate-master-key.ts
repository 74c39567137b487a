import type { Kysely } from 'kysely'
import { openFoundation } from '../foundation.ts'
import type { SecretBox } from '../lib/secret-box.ts'
import type { Tables } from '../storage/tables.ts'
import { type Command, UsageError } from './command.ts'

export const rotateMasterKey: Command = {
  name: 'rotate-master-key',
  usage: '',
  summary: 'Seal all stored secrets with the present master key, while the service runs',
  async run({ config, print }) {
    if (!config.masterKeyPrevious)
      throw new UsageError(
        'set PARLEY_MASTER_KEY to the new key and PARLEY_MASTER_KEY_PREVIOUS to the old one, for the service too',
      )
    await using foundation = await openFoundation(config)
    const { database, box } = foundation
    let resealed = 0
    for (const { table, key, column } of SEALED) {
      const rows = await database.db
        .selectFrom(table as 'agents')
        .select(key as 'id')
        .execute()
      for (const row of rows) {
        const id = (row as Record<string, number | string>)[key] as number
        resealed += await database.db
          .transaction()
          .execute((db) => resealRow(db, box, table, key, column, id))
      }
    }
    print({ resealed }, `${resealed} secrets were sealed anew; PARLEY_MASTER_KEY_PREVIOUS may be taken away`)
    return 0
  },
}

/** Where sealed texts stand: alone in a column, or anywhere in a column's JSON. */
const SEALED = [
  { table: 'installation', key: 'name', column: 'value' },
  { table: 'agents', key: 'id', column: 'settings' },
  { table: 'channels', key: 'id', column: 'settings' },
  { table: 'evaluators', key: 'id', column: 'settings' },
  { table: 'rules', key: 'id', column: 'settings' },
  { table: 'notifications', key: 'id', column: 'secret' },
  { table: 'notifications', key: 'id', column: 'previous_secret' },
] as const

const SEALED_TEXT = /^v1\.[0-9a-f]{8}\.[\w-]{38,}$/

async function resealRow(
  db: Kysely<Tables>,
  box: SecretBox,
  table: string,
  key: string,
  column: string,
  id: number | string,
): Promise<number> {
  // Locked before it is read, so that a change made at the same moment is not lost.
  const row = (await db
    .updateTable(table as 'agents')
    .set((row) => ({ [column]: row.ref(column as 'settings') }) as never)
    .where(key as 'id', '=', id as number)
    .returning(column as 'settings')
    .executeTakeFirst()) as Record<string, string | null> | undefined
  const text = row?.[column]
  if (text === null || text === undefined) return 0
  const isJson = text.startsWith('{')
  let resealed = 0
  const change = (sealed: string, path: (string | number)[]): string => {
    if (!SEALED_TEXT.test(sealed) || box.isCurrent(sealed)) return sealed
    const place = placeOf(table, id, column, path)
    resealed++
    return box.seal(box.open(sealed, place), place)
  }
  const next = isJson ? JSON.stringify(mapTexts(JSON.parse(text), change, [])) : change(text, [])
  if (resealed > 0) {
    await db
      .updateTable(table as 'agents')
      .set({ [column]: next } as never)
      .where(key as 'id', '=', id as number)
      .execute()
  }
  return resealed
}

function mapTexts(
  value: unknown,
  change: (text: string, path: (string | number)[]) => string,
  path: (string | number)[],
): unknown {
  if (typeof value === 'string') return change(value, path)
  if (Array.isArray(value)) return value.map((item, index) => mapTexts(item, change, [...path, index]))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name, mapTexts(item, change, [...path, name])]),
  )
}

/** A sealed text opens only at its own place: `table|row|column`, with its path in the JSON behind. */
function placeOf(table: string, id: number | string, column: string, path: (string | number)[]): string {
  return `${table}|${id}|${[column, ...path].join('.')}`
}
