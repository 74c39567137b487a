import { randomBytes } from 'node:crypto'
import type { Kysely } from 'kysely'
import type { z } from 'zod'
import { record, type TeamBy } from '../audit/record.ts'
import { ApiError, foundOr } from '../errors.ts'
import { checkAddress } from '../http/check-address.ts'
import { parsePart } from '../http/schemas.ts'
import { refuseOutdated } from '../http/version.ts'
import type { Outbound } from '../lib/outbound/outbound.ts'
import { isSentToPlatform } from '../lib/secrets/sealed-places.ts'
import type { SecretBox } from '../lib/secrets/secret-box.ts'
import { isObject } from '../lib/untrusted-json.ts'
import {
  deleteChannel,
  insertChannel,
  lockChannel,
  selectChannel,
  updateChannel,
} from '../mailboxes/channel-store.ts'
import type { ChannelRow } from '../mailboxes/tables.ts'
import { MAILBOXES } from '../mailboxes/topics.ts'
import type { ChannelSettings, Platform } from '../platforms/platform.ts'
import { type PlatformKind, platforms } from '../platforms/platforms.ts'
import type { Tables } from '../storage/tables.ts'
import { wake } from '../storage/waking-db.ts'
import { type Channel, channelVersion, openSettings, sealSettings, settingAt, toChannel } from './channel.ts'
import { connectAnew } from './connections/store.ts'
import type { channelPatch } from './schemas.ts'

export interface SaveDependencies {
  db: Kysely<Tables>
  box: SecretBox
  outbound: Outbound
}

/** The longest time that saving a channel waits for settings from the platform. */
const LEARN_LIMIT_MS = 3000

/** Creates a channel of an agent. @throws ApiError invalid_request that names the setting */
export async function createChannel(
  dependencies: SaveDependencies,
  owner: { agentId: number; teamId: number },
  wish: {
    kind: PlatformKind
    name?: string | null | undefined
    active?: boolean | undefined
    settings: Record<string, unknown>
  },
  now: string,
  by: TeamBy,
): Promise<Channel> {
  const { db, box } = dependencies
  const platform = platforms[wish.kind]
  const settings = await learn(
    dependencies,
    owner.teamId,
    platform,
    await check(dependencies, platform, { ...wish.settings, ...newSecrets(platform) }),
  )
  return db.transaction().execute(async (db) => {
    const id = await insertChannel(db, {
      agent_id: owner.agentId,
      team_id: owner.teamId,
      kind: wish.kind,
      name: wish.name ?? null,
      active: wish.active === false ? 0 : 1,
      created_at: now,
    })
    const row = await updateChannel(db, id, { settings: sealSettings(settings, id, platform, box) })
    await connect(db, platform, row, now)
    const act = { ...by, agentId: owner.agentId, at: now, target: `channel ${id}` }
    await record(db, { ...act, action: 'channel.created', details: { kind: wish.kind } })
    return toChannel(row, box)
  })
}

/**
 * Changes a channel. Settings are merged field by field; null removes one.
 * @throws ApiError channel_not_found, version_outdated, or invalid_request that names the setting
 */
export async function changeChannel(
  dependencies: SaveDependencies,
  present: Channel,
  { version, ...patch }: z.output<typeof channelPatch>,
  now: string,
  by: TeamBy,
): Promise<Channel> {
  const { db, box } = dependencies
  const { platform, teamId } = present
  const merge = (row: ChannelRow) => mergeSettings(row, patch.settings ?? {}, platform, box)
  const [stored] = await selectChannel(db, { id: present.id })
  if (!stored) throw new ApiError('channel_not_found')
  // Before the transaction, because the platform may be slow.
  const learned =
    patch.settings === undefined
      ? {}
      : await askPlatform(dependencies, teamId, platform, await check(dependencies, platform, merge(stored)))
  return db.transaction().execute(async (db) => {
    const row = foundOr(await lockChannel(db, present.agentId, present.id), 'channel_not_found')
    refuseOutdated(version, channelVersion(row))
    const settings = { ...learned, ...merge(row) }
    const changed = await updateChannel(db, row.id, {
      ...(patch.name === undefined ? {} : { name: patch.name }),
      ...(patch.active === undefined ? {} : { active: patch.active ? 1 : 0 }),
      settings: sealSettings(settings, row.id, platform, box),
      updated_at: now,
    })
    await connect(db, platform, changed, now)
    const act = { ...by, agentId: row.agent_id, at: now, target: `channel ${row.id}` }
    await record(db, { ...act, action: 'channel.changed', details: { changed: Object.keys(patch) } })
    // Items may wait because the channel was switched off.
    wake(db, MAILBOXES)
    return toChannel(changed, box)
  })
}

/** Has a worker connect to the platform, where the service itself does that. */
async function connect(
  db: Kysely<Tables>,
  { connection }: Platform<ChannelSettings>,
  row: ChannelRow,
  now: string,
): Promise<void> {
  if (connection !== null) await connectAnew(db, row, now)
}

/** Merges settings. Another host without a new token drops the old one, which can be opened only for its own host. */
function mergeSettings(
  row: ChannelRow,
  patch: Record<string, unknown>,
  platform: Platform<ChannelSettings>,
  box: SecretBox,
): ChannelSettings {
  const addresses = merged(JSON.parse(row.settings), patch)
  const settings = openSettings(row, platform, box, addresses)
  return { ...newSecrets(platform), ...merged(settings, without(patch, platform.makes)) }
}

/** Merges field by field, also within a setting that has fields of its own. Null removes a field. */
function merged(settings: ChannelSettings, patch: Record<string, unknown>): ChannelSettings {
  const all: ChannelSettings = { ...settings }
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) delete all[name]
    else all[name] = isObject(value) && isObject(all[name]) ? merged(all[name], value) : value
  }
  return all
}

function without(patch: Record<string, unknown>, names: readonly string[] = []): Record<string, unknown> {
  return Object.fromEntries(Object.entries(patch).filter(([name]) => !names.includes(name)))
}

/** Makes the secrets of a platform that Parley chooses by itself. */
function newSecrets({ makes = [] }: Platform<ChannelSettings>): Partial<ChannelSettings> {
  return Object.fromEntries(makes.map((name) => [name, randomBytes(24).toString('base64url')]))
}

async function check(
  { outbound }: SaveDependencies,
  platform: Platform<ChannelSettings>,
  settings: Record<string, unknown>,
): Promise<ChannelSettings> {
  const checked = parsePart(platform.settings, settings, 'settings')
  if (checked.api_base !== undefined) await checkAddress(outbound, 'settings.api_base', checked.api_base)
  for (const { setting, url } of platform.servers?.(checked) ?? [])
    await checkAddress(outbound, `settings.${setting}`, url)
  return checked
}

/** Completes settings with those that the platform knows, such as the account to which webhooks must be addressed. */
export async function learn(
  dependencies: Pick<SaveDependencies, 'outbound'>,
  teamId: number,
  platform: Platform<ChannelSettings>,
  settings: ChannelSettings,
): Promise<ChannelSettings> {
  return { ...(await askPlatform(dependencies, teamId, platform, settings)), ...settings }
}

async function askPlatform(
  { outbound }: Pick<SaveDependencies, 'outbound'>,
  teamId: number,
  platform: Platform<ChannelSettings>,
  settings: ChannelSettings,
): Promise<Partial<ChannelSettings>> {
  const isKnown = platform.learns.every((name) => settings[name] !== undefined)
  const hasToken = platform.secrets.some(
    (name) => isSentToPlatform(name) && settingAt(settings, name) !== undefined,
  )
  if (isKnown || !hasToken) return {}
  const limit = AbortSignal.timeout(LEARN_LIMIT_MS)
  const asked = platform.check(outbound.of(teamId), settings).catch(() => null)
  const late = new Promise<null>((resolve) => limit.addEventListener('abort', () => resolve(null)))
  return (await Promise.race([asked, late]))?.settings ?? {}
}

/** Tells whether something of the agent sends through a channel. */
export type IsChannelUsed = (db: Kysely<Tables>, agentId: number, channelId: number) => Promise<boolean>

/** Disconnects a channel; its conversations stay. @throws ApiError channel_not_found, channel_in_use */
export async function removeChannel(
  db: Kysely<Tables>,
  agentId: number,
  id: number,
  isUsed: IsChannelUsed,
  now: string,
  by: TeamBy,
): Promise<void> {
  await db.transaction().execute(async (db) => {
    if (!(await lockChannel(db, agentId, id))) throw new ApiError('channel_not_found')
    if (await isUsed(db, agentId, id)) throw new ApiError('channel_in_use')
    await deleteChannel(db, agentId, id)
    await record(db, { ...by, agentId, at: now, action: 'channel.removed', target: `channel ${id}` })
  })
}
