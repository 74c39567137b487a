/**
 * All places where the database can hold a sealed secret, as `table|row|column` followed by the path in the column's
 * JSON; `*` stands for any id or index. The value is the place of the address that the secret is sent to, or that
 * receives what it signs, in the same row; null if the secret never leaves the service. Nothing can be sealed anywhere
 * else, and the rotation of the master key goes through all these places. A text elsewhere that merely looks sealed is
 * an ordinary text.
 */
export const sealedPlaces = {
  'installation|credential_hash_key|value': null,
  'installation|erasure_key|value': null,
  'installation|push_key|value': null,
  'agents|*|settings.model.api_key': 'settings.model.url',
  'agents|*|settings.model.fallbacks.*.api_key': 'settings.model.fallbacks.*.url',
  'agents|*|settings.embedding.api_key': 'settings.embedding.url',
  'agents|*|settings.transcription.api_key': 'settings.transcription.url',
  'agents|*|settings.redaction.api_key': 'settings.redaction.url',
  'channels|*|settings.verify_token': null,
  'channels|*|settings.app_secret': null,
  'channels|*|settings.access_token': 'settings.api_base',
  'channels|*|settings.bot_token': 'settings.api_base',
  'channels|*|settings.auth_token': 'settings.api_base',
  'channels|*|settings.channel_secret': null,
  'channels|*|settings.webhook_secret': null,
  'channels|*|settings.thread_key': null,
  'channels|*|settings.imap.password': 'settings.imap',
  'channels|*|settings.smtp.password': 'settings.smtp',
  'evaluators|*|settings.secret': 'settings.url',
  'rules|*|settings.actions.*.secret': 'settings.actions.*.url',
  'macros|*|actions.*.secret': 'actions.*.url',
  'notifications|*|secret': 'url',
  'notifications|*|previous_secret': 'url',
  'widgets|*|identity_secret': null,
  'tools|*|headers': 'settings.url',
  'operators|*|totp_secret': null,
  'operators|*|totp_pending': null,
  'operator_mails|*|token': null,
} as const

type Places = typeof sealedPlaces

/** A place without its ids and indexes. */
export type SealedPattern = keyof Places

type Filled<Text extends string> = Text extends `${infer Before}*${infer Behind}`
  ? `${Before}${number}${Filled<Behind>}`
  : Text

/** A pattern whose secrets are sent to an address that the row holds. */
export type SentPattern = { [P in SealedPattern]: Places[P] extends null ? never : P }[SealedPattern]

/** The place of a secret that is sent to an address, or signs what is sent there. */
export type SentPlace = Filled<SentPattern>

/** The place of a secret that never leaves the service. */
export type KeptPlace = Filled<Exclude<SealedPattern, SentPattern>>

/** One of the places, with its ids and indexes. */
export type SealedPlace = SentPlace | KeptPlace

type NameOf<Place> = Place extends `channels|*|settings.${infer Name}` ? Name : never

/** A setting of channels that is a secret. */
export type SecretChannelSetting = NameOf<SealedPattern>

/** A secret of channels that is sent to their platform. */
export type SentChannelSetting = NameOf<SentPattern>

/** Returns the name of the setting with the address to which a secret is sent. */
export function addressBeside(name: SentChannelSetting): string {
  return sealedPlaces[`channels|*|settings.${name}`].slice('settings.'.length)
}

export function isSentToPlatform(name: SecretChannelSetting): name is SentChannelSetting {
  return sealedPlaces[`channels|*|settings.${name}`] !== null
}
