import { randomBytes } from 'node:crypto'
import type { Kysely } from 'kysely'
import { record, type TeamBy } from '../audit/record.ts'
import { foundOr, invalidField } from '../errors.ts'
import { parsePart } from '../http/schemas.ts'
import { refuseOutdated } from '../http/version.ts'
import { rowId } from '../lib/ids.ts'
import type { KeptPlace } from '../lib/secrets/sealed-places.ts'
import type { SecretBox } from '../lib/secrets/secret-box.ts'
import { lockChannel } from '../mailboxes/channel-store.ts'
import { isPlatformKind, platforms } from '../platforms/platforms.ts'
import type { Tables } from '../storage/tables.ts'
import { lookOf, type NewWidget, newWidget, textsOf, type WidgetPatch, widgetVersion } from './schemas.ts'
import { deleteWidget, insertWidget, lockWidget, selectWidget, updateWidget } from './store.ts'
import type { WidgetRow } from './tables.ts'

export interface SaveDependencies {
  db: Kysely<Tables>
  box: SecretBox
}

/** Creates a widget. Only this call and a rotation return its identity secret. */
export async function createWidget(
  { db, box }: SaveDependencies,
  agentId: number,
  wish: NewWidget,
  now: string,
  by: TeamBy,
): Promise<{ row: WidgetRow; secret: string }> {
  const secret = makeSecret()
  const row = await db.transaction().execute(async (db) => {
    await requireMail(db, agentId, wish.continue_by)
    const id = await insertWidget(db, {
      agent_id: agentId,
      name: wish.name,
      active: wish.active ? 1 : 0,
      public_key: `parley_widget_${randomBytes(16).toString('hex')}`,
      allowed_origins: JSON.stringify(wish.allowed_origins),
      look: JSON.stringify(wish.look),
      texts: JSON.stringify(wish.texts),
      identity: wish.identity,
      uploads: wish.uploads,
      continue_by: wish.continue_by,
      continue_after: wish.continue_after,
      identity_secret: '',
      secret_version: 1,
      created_at: now,
      updated_at: now,
    })
    await record(db, { ...by, agentId, at: now, action: 'widget.created', target: `widget ${id}` })
    return updateWidget(db, id, { identity_secret: box.seal(secret, secretPlace(id)) })
  })
  return { row, secret }
}

/** @throws ApiError widget_not_found, version_outdated */
export async function changeWidget(
  { db }: Pick<SaveDependencies, 'db'>,
  agentId: number,
  id: string,
  { version, ...patch }: WidgetPatch,
  now: string,
  by: TeamBy,
): Promise<WidgetRow> {
  return db.transaction().execute(async (db) => {
    const { continue_by, continue_after } = patch
    await requireMail(db, agentId, continue_by)
    const present = await lock(db, agentId, id)
    refuseOutdated(version, widgetVersion(present))
    const { name, active, allowed_origins, look, texts, identity, uploads } = patch
    const act = { ...by, agentId, at: now, target: `widget ${present.id}` }
    await record(db, { ...act, action: 'widget.changed', details: { changed: Object.keys(patch) } })
    return updateWidget(db, present.id, {
      ...(name === undefined ? {} : { name }),
      ...(active === undefined ? {} : { active: active ? 1 : 0 }),
      ...(allowed_origins === undefined ? {} : { allowed_origins: JSON.stringify(allowed_origins) }),
      ...(look === undefined ? {} : { look: JSON.stringify({ ...lookOf(present), ...look }) }),
      ...(texts === undefined ? {} : { texts: JSON.stringify(mergeTexts(present, texts)) }),
      ...(identity === undefined ? {} : { identity }),
      ...(uploads === undefined ? {} : { uploads }),
      ...(continue_by === undefined ? {} : { continue_by }),
      ...(continue_after === undefined ? {} : { continue_after }),
      updated_at: now,
    })
  })
}

/** Gives a widget a new identity secret, which only this call returns. Hashes made with the old one no longer count. */
export async function rotateSecret(
  { db, box }: SaveDependencies,
  agentId: number,
  id: string,
  now: string,
  by: TeamBy,
): Promise<{ row: WidgetRow; secret: string }> {
  const secret = makeSecret()
  const row = await db.transaction().execute(async (db) => {
    const present = await lock(db, agentId, id)
    const act = { ...by, agentId, at: now, target: `widget ${present.id}` }
    await record(db, { ...act, action: 'widget.changed', details: { changed: ['identity_secret'] } })
    return updateWidget(db, present.id, {
      identity_secret: box.seal(secret, secretPlace(present.id)),
      secret_version: present.secret_version + 1,
      updated_at: now,
    })
  })
  return { row, secret }
}

/** Deletes a widget. Its conversations stay with the agent. @throws ApiError widget_not_found */
export async function removeWidget(
  { db }: Pick<SaveDependencies, 'db'>,
  agentId: number,
  id: string,
  now: string,
  by: TeamBy,
): Promise<void> {
  await db.transaction().execute(async (db) => {
    const present = await lock(db, agentId, id)
    await deleteWidget(db, present.id)
    await record(db, { ...by, agentId, at: now, action: 'widget.removed', target: `widget ${present.id}` })
  })
}

/** @throws ApiError widget_not_found, also if it is another agent's */
export async function readWidget(db: Kysely<Tables>, agentId: number, id: string): Promise<WidgetRow> {
  return foundOr(await selectWidget(db, agentId, rowId(id)), 'widget_not_found')
}

export function secretPlace(id: number): KeptPlace {
  return `widgets|${id}|identity_secret`
}

/** @throws ApiError invalid_request unless a channel is one of the agent's through which conversations can go on */
async function requireMail(
  db: Kysely<Tables>,
  agentId: number,
  channelId: number | null | undefined,
): Promise<void> {
  if (channelId === null || channelId === undefined) return
  const channel = await lockChannel(db, agentId, channelId)
  if (!channel || !isPlatformKind(channel.kind) || !platforms[channel.kind].continues)
    throw invalidField('continue_by', 'is no e-mail channel of this agent')
}

async function lock(db: Kysely<Tables>, agentId: number, id: string): Promise<WidgetRow> {
  return foundOr(await lockWidget(db, agentId, rowId(id)), 'widget_not_found')
}

/** @throws ApiError invalid_request when the widget would have more texts than a new one may have */
function mergeTexts(present: WidgetRow, patch: NonNullable<WidgetPatch['texts']>) {
  const merged = Object.entries({ ...textsOf(present), ...patch })
  const left = Object.fromEntries(merged.filter(([, texts]) => texts !== null))
  return parsePart(newWidget.shape.texts, left, 'texts')
}

function makeSecret(): string {
  return `parley_identity_${randomBytes(32).toString('hex')}`
}
