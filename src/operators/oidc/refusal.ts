/**
 * Reasons for which a sign-in through the identity provider failed. The sign-in page gets the reason as `?error=`:
 * - `provider_unreachable`: the provider gave no answer
 * - `provider_failed`: the provider refused, or its answer cannot be trusted
 * - `sign_in_cancelled`: the person did not consent
 * - `sign_in_expired`: it was begun too long ago, in another browser, or was finished before
 * - `email_not_verified`: the provider does not state that the e-mail address is the person's
 * - `not_invited`: nobody has invited this e-mail address
 * - `account_exists`: the account of this e-mail address signs in with a password, or its invitation has expired
 * - `account_disabled`: an owner has disabled the account
 */
export const refusalReasons = [
  'provider_unreachable',
  'provider_failed',
  'sign_in_cancelled',
  'sign_in_expired',
  'email_not_verified',
  'not_invited',
  'account_exists',
  'account_disabled',
] as const

export class OidcRefusal extends Error {
  readonly reason: (typeof refusalReasons)[number]

  constructor(reason: OidcRefusal['reason'], cause?: unknown) {
    super(reason, cause === undefined ? undefined : { cause })
    this.name = 'OidcRefusal'
    this.reason = reason
  }
}
