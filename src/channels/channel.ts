import type { Kysely } from 'kysely'
import { ApiError } from '../errors.ts'
import { versionOf } from '../http/version.ts'
import { rowId } from '../lib/ids.ts'
import {
  addressBeside,
  isSentToPlatform,
  type KeptPlace,
  type SecretChannelSetting,
  type SentChannelSetting,
  type SentPlace,
} from '../lib/secrets/sealed-places.ts'
import type { Address, SecretBox } from '../lib/secrets/secret-box.ts'
import { valueAt, withValue } from '../lib/value-at.ts'
import { selectChannel } from '../mailboxes/channel-store.ts'
import type { ChannelRow } from '../mailboxes/tables.ts'
import type { ChannelSettings, Platform } from '../platforms/platform.ts'
import { type AnyPlatform, type PlatformKind, platforms } from '../platforms/platforms.ts'
import type { Tables } from '../storage/tables.ts'

/** A channel with its platform and its settings, whose secrets are opened. */
export interface Channel {
  id: number
  agentId: number
  teamId: number
  kind: PlatformKind
  name: string | null
  isActive: boolean
  version: string
  createdAt: string
  updatedAt: string
  platform: AnyPlatform
  settings: ChannelSettings
}

/** Reads a channel of an agent. @throws ApiError channel_not_found, also if it is another agent's */
export async function readChannel(
  db: Kysely<Tables>,
  box: SecretBox,
  agentId: number,
  id: string,
): Promise<Channel> {
  const [row] = await selectChannel(db, { id: rowId(id) })
  if (row?.agent_id !== agentId) throw new ApiError('channel_not_found')
  return toChannel(row, box)
}

export function toChannel(row: ChannelRow, box: SecretBox): Channel {
  const platform = platforms[row.kind as PlatformKind]
  return {
    id: row.id,
    agentId: row.agent_id,
    teamId: row.team_id,
    kind: platform.kind,
    name: row.name,
    isActive: row.active === 1,
    version: channelVersion(row),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    platform,
    settings: openSettings(row, platform, box),
  }
}

export function channelVersion({ name, active, settings }: ChannelRow): string {
  return versionOf(name, active, settings)
}

/** Returns the settings as JSON for the database, each secret sealed for its own place. */
export function sealSettings(
  settings: ChannelSettings,
  id: number,
  { secrets }: Platform<ChannelSettings>,
  box: SecretBox,
): string {
  let sealed = settings
  for (const name of secrets) {
    const secret = settingAt(settings, name)
    if (typeof secret !== 'string') continue
    const stored = isSentToPlatform(name)
      ? box.sealFor(addressOfSecret(settings, name), secret, sentPlace(id, name))
      : box.seal(secret, keptPlace(id, name))
    sealed = withValue(sealed, name.split('.'), stored)
  }
  return JSON.stringify(sealed)
}

/** @param addresses settings with the addresses of the platform; a token that belongs to another is left out */
export function openSettings(
  row: ChannelRow,
  { secrets }: Platform<ChannelSettings>,
  box: SecretBox,
  addresses?: ChannelSettings,
): ChannelSettings {
  let settings = JSON.parse(row.settings) as ChannelSettings
  const beside = addresses ?? settings
  for (const name of secrets) {
    const sealed = settingAt(settings, name)
    if (typeof sealed !== 'string') continue
    const secret = isSentToPlatform(name)
      ? box.openFor(addressOfSecret(beside, name), sealed, sentPlace(row.id, name))
      : box.open(sealed, keptPlace(row.id, name))
    settings = withValue(settings, name.split('.'), secret ?? undefined)
  }
  return settings
}

/** Returns a setting by its name, which may lead into another one: `imap.password`. */
export function settingAt(settings: ChannelSettings, name: string): unknown {
  return valueAt(settings, name.split('.'))
}

/** Returns the address to which a secret is sent. */
export function addressOfSecret(settings: ChannelSettings, name: SentChannelSetting): Address {
  return settingAt(settings, addressBeside(name)) as Address
}

function sentPlace(id: number, name: SentChannelSetting): SentPlace {
  return `channels|${id}|settings.${name}`
}

function keptPlace(id: number, name: Exclude<SecretChannelSetting, SentChannelSetting>): KeptPlace {
  return `channels|${id}|settings.${name}`
}

/** Returns the address at which a channel's platform sends its webhooks. @param baseUrl ends in /api/v1 */
export function webhookUrl(baseUrl: string, { id, kind }: Pick<Channel, 'id' | 'kind'>): string {
  return `${baseUrl}/channels/${id}/${kind}`
}
