import { createECDH } from 'node:crypto'
import type { Kysely, Selectable } from 'kysely'
import { z } from 'zod'
import { time } from '../http/schemas.ts'
import type { Tables } from '../storage/tables.ts'
import type { PushBrowsersTable } from './tables.ts'

type Db = Kysely<Tables>

export type PushBrowserRow = Selectable<PushBrowsersTable>

/** The most browsers of a person; a further one replaces the oldest. */
const MOST = 20

const base64url = (bytes: number) =>
  z
    .string()
    .max(200)
    .regex(/^[\w-]+=*$/, 'must be base64url')
    .refine((text) => Buffer.from(text, 'base64url').length === bytes, `must be ${bytes} bytes`)

/** A subscription, as `PushSubscription.toJSON()` of a browser gives it. */
export const newBrowser = z.object({
  endpoint: z.url().max(1000).describe('The address of the push service.'),
  keys: z.object({
    p256dh: base64url(65).refine(isPoint, 'must be a public key on the curve P-256'),
    auth: base64url(16),
  }),
})

export const browserSchema = z
  .object({
    id: z.int(),
    user_agent: z.string().nullable(),
    created_at: time,
    current: z.boolean().describe('Whether this session added it.'),
  })
  .meta({ id: 'PushBrowser' })

/** Presents a browser as the API returns it; its address and keys stay here. */
export function presentBrowser(
  { id, user_agent, created_at, session_id }: PushBrowserRow,
  sessionId: number,
): z.output<typeof browserSchema> {
  return { id, user_agent, created_at, current: session_id === sessionId }
}

/** Reads the browsers to which a person has notices pushed, the oldest first. */
export async function browsersOf(db: Db, operatorId: number): Promise<PushBrowserRow[]> {
  return db
    .selectFrom('push_browsers')
    .selectAll()
    .where('operator_id', '=', operatorId)
    .orderBy('id')
    .execute()
}

/** Reads the browsers of some people. */
export async function browsersOfAll(
  db: Db,
  people: readonly number[],
): Promise<Map<number, PushBrowserRow[]>> {
  if (people.length === 0) return new Map()
  const rows = await db.selectFrom('push_browsers').selectAll().where('operator_id', 'in', people).execute()
  return Map.groupBy(rows, ({ operator_id }) => operator_id)
}

export async function selectBrowser(db: Db, id: number): Promise<PushBrowserRow | undefined> {
  return db.selectFrom('push_browsers').selectAll().where('id', '=', id).executeTakeFirst()
}

/** Adds the browser of a session. A browser that is already known belongs to this person from now on. */
export async function addBrowser(db: Db, row: Omit<PushBrowserRow, 'id'>): Promise<PushBrowserRow> {
  return db.transaction().execute(async (db) => {
    // Pushes for the person who used the browser before are not shown to this one.
    await db.deleteFrom('push_browsers').where('endpoint', '=', row.endpoint).execute()
    const added = await db.insertInto('push_browsers').values(row).returningAll().executeTakeFirstOrThrow()
    const all = await browsersOf(db, row.operator_id)
    const old = all.slice(0, -MOST).map(({ id }) => id)
    if (old.length > 0) await db.deleteFrom('push_browsers').where('id', 'in', old).execute()
    return added
  })
}

/** Pushes nothing more to a browser. @param operatorId its person; absent: whoever it is @returns false if there is none */
export async function deleteBrowser(db: Db, id: number, operatorId?: number): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('push_browsers')
    .where('id', '=', id)
    .$if(operatorId !== undefined, (query) => query.where('operator_id', '=', operatorId as number))
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** Tells whether bytes are a point of the curve: nothing can be encrypted for other bytes. */
function isPoint(text: string): boolean {
  const own = createECDH('prime256v1')
  own.generateKeys()
  try {
    own.computeSecret(Buffer.from(text, 'base64url'))
    return true
  } catch {
    return false
  }
}
