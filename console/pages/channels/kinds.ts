import type { StoredSecret } from '../../../src/http/stored-secret.ts'
import type { SettingOf } from '../../../src/platforms/platforms.ts'
import type { Channel } from '../../api/types.ts'

type Kind = Channel['kind']
export type Setting = { [Name in Kind]: SettingOf<Name> }[Kind] | 'api_base'

/**
 * The settings of each kind of channel, in the order in which its platform shows them. The service's own types say
 * which settings a kind has, and its answers say which of them are secrets.
 */
export const channelSettings: { [Name in Kind]: readonly (SettingOf<Name> | 'api_base')[] } = {
  'messenger-one': ['verify_token', 'app_secret', 'phone_number_id', 'access_token', 'business_account_id'],
  'messenger-two': ['verify_token', 'app_secret', 'page_id', 'access_token'],
  'messenger-three': ['channel_secret', 'destination', 'access_token'],
  helpdesk: ['api_base', 'account_id', 'webhook_secret', 'access_token'],
  telegram: ['bot_token', 'bot_username'],
  instagram: ['verify_token', 'app_secret', 'instagram_id', 'access_token'],
  sms: ['account_sid', 'auth_token', 'from'],
}

export function settingsOf({ kind }: Pick<Channel, 'kind'>): readonly Setting[] {
  return channelSettings[kind]
}

/** Makes a random token, by which the service recognizes that the platform was set up by the channel's owner. */
export function newVerifyToken(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(24))
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
}

/** Returns the settings that are still missing: requests that need them are refused until then. */
export function missingSettings(channel: Pick<Channel, 'kind' | 'settings'>): Setting[] {
  const { settings } = channel
  // The platform supplies these when the connection is checked, or they default to its own.
  const canBeAbsent = ['destination', 'bot_username', 'instagram_id', 'business_account_id', 'api_base']
  return settingsOf(channel).filter((field) =>
    isSecret(channel, field)
      ? !(settings[field] as StoredSecret).set
      : settings[field] === undefined && !canBeAbsent.includes(field),
  )
}

/** Tells whether the service is still to tell the platform where messages go. */
export function isConnecting({ active, connection }: Pick<Channel, 'active' | 'connection'>): boolean {
  return active && connection !== null && (connection.by === null || connection.failure !== null)
}

/** Tells whether the service keeps a setting as a secret, whose value it never shows. */
export function isSecret({ settings }: Pick<Channel, 'settings'>, field: string): boolean {
  return typeof settings[field] === 'object'
}
