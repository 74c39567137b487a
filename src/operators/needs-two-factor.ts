import type { OperatorRow } from './tables.ts'

type HowTheySignIn = Pick<OperatorRow, 'totp_secret' | 'password_hash' | 'oidc_subject'>

/** True if a person has to set up a second factor before they may do anything else. */
export function needsTwoFactor(operator: HowTheySignIn, { isRequired }: { isRequired: boolean }): boolean {
  return isRequired && operator.totp_secret === null && !signsInByProvider(operator)
}

/** True if a person signs in only through the identity provider, which decides whether to ask for a second factor. */
export function signsInByProvider({
  password_hash,
  oidc_subject,
}: Pick<HowTheySignIn, 'password_hash' | 'oidc_subject'>): boolean {
  return oidc_subject !== null && password_hash === null
}
