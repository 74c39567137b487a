/**
 * Every place where the database holds a sealed secret, as `table|row|column` with the path in the column's JSON behind;
 * `*` stands for any id or index. Nothing can be sealed anywhere else, and the rotation of the master key goes through
 * all of them. A text that merely looks sealed, at any other place, is a text.
 */
export const sealedPlaces = [
  'installation|credential_hash_key|value',
  'agents|*|settings.model.api_key',
  'agents|*|settings.model.fallbacks.*.api_key',
  'agents|*|settings.embedding.api_key',
  'agents|*|settings.redaction.api_key',
  'channels|*|settings.verify_token',
  'channels|*|settings.app_secret',
  'channels|*|settings.access_token',
  'channels|*|settings.channel_secret',
  'channels|*|settings.webhook_secret',
  'evaluators|*|settings.secret',
  'rules|*|settings.actions.*.secret',
  'notifications|*|secret',
  'notifications|*|previous_secret',
  'widgets|*|identity_secret',
  'tools|*|headers',
  'operators|*|totp_secret',
  'operators|*|totp_pending',
  'operator_mails|*|token',
] as const

type Pattern = (typeof sealedPlaces)[number]

type Filled<Text extends string> = Text extends `${infer Before}*${infer Behind}`
  ? `${Before}${number}${Filled<Behind>}`
  : Text

/** One of the places, with its ids and indexes. */
export type SealedPlace = Filled<Pattern>

type NameOf<Place> = Place extends `channels|*|settings.${infer Name}` ? Name : never

/** A setting of channels that is a secret. */
export type SecretChannelSetting = NameOf<Pattern>
