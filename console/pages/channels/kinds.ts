import type { StoredSecret } from '../../../src/http/stored-secret.ts'
import { valueAt } from '../../../src/lib/value-at.ts'
import type { MailServer } from '../../../src/platforms/email/settings.ts'
import type { SettingOf } from '../../../src/platforms/platforms.ts'
import type { Channel } from '../../api/types.ts'

type Kind = Channel['kind']
/** A setting within another one, by its path. */
type ServerSetting = `${'imap' | 'smtp'}.${keyof MailServer}`
type Made = 'imap' | 'smtp' | 'thread_key'
type Shown<Name extends Kind> =
  | Exclude<SettingOf<Name>, Made>
  | 'api_base'
  | (Name extends 'email' ? ServerSetting : never)
export type Setting = { [Name in Kind]: Shown<Name> }[Kind]

/**
 * The settings of each kind of channel, in the order in which its platform shows them. The service's own types say
 * which settings a kind has, and its answers say which of them are secrets.
 */
export const channelSettings: { [Name in Kind]: readonly Shown<Name>[] } = {
  'messenger-one': ['verify_token', 'app_secret', 'phone_number_id', 'access_token', 'business_account_id'],
  'messenger-two': ['verify_token', 'app_secret', 'page_id', 'access_token'],
  'messenger-three': ['channel_secret', 'destination', 'access_token'],
  helpdesk: ['api_base', 'account_id', 'webhook_secret', 'access_token'],
  telegram: ['bot_token', 'bot_username'],
  instagram: ['verify_token', 'app_secret', 'instagram_id', 'access_token'],
  sms: ['account_sid', 'auth_token', 'from'],
  email: [
    'address',
    'name',
    'imap.host',
    'imap.security',
    'imap.port',
    'imap.user',
    'imap.password',
    'smtp.host',
    'smtp.security',
    'smtp.port',
    'smtp.user',
    'smtp.password',
    'signature',
    'allow',
    'authserv_id',
  ],
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

/** Settings that the platform supplies when the connection is checked, that have a default, or that few need. */
const CAN_BE_ABSENT: readonly Setting[] = [
  'destination',
  'bot_username',
  'instagram_id',
  'business_account_id',
  'api_base',
  'name',
  'imap.security',
  'imap.port',
  'smtp.security',
  'smtp.port',
  'signature',
  'allow',
  'authserv_id',
]

/** Returns the settings that are still missing: requests that need them are refused until then. */
export function missingSettings(channel: Pick<Channel, 'kind' | 'settings'>): Setting[] {
  return settingsOf(channel).filter((field) =>
    isSecret(channel, field)
      ? !(settingAt(channel, field) as StoredSecret).set
      : settingAt(channel, field) === undefined && !CAN_BE_ABSENT.includes(field),
  )
}

/** Tells whether the service is still to tell the platform where messages go. */
export function isConnecting({ active, connection }: Pick<Channel, 'active' | 'connection'>): boolean {
  return active && connection !== null && (connection.by === null || connection.failure !== null)
}

/** Tells whether the service keeps a setting as a secret, whose value it never shows. */
export function isSecret(channel: Pick<Channel, 'settings'>, field: string): boolean {
  const value = settingAt(channel, field)
  return typeof value === 'object' && value !== null && 'set' in value
}

/** Returns a setting by its path. */
export function settingAt({ settings }: Pick<Channel, 'settings'>, field: string): unknown {
  return valueAt(settings, field.split('.'))
}
