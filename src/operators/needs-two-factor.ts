import type { OperatorRow } from './tables.ts'

type HowTheySignIn = Pick<OperatorRow, 'totp_secret' | 'password_hash' | 'oidc_subject'>

/** Says whether a person has to set up a second factor before they may do anything else. */
export function needsTwoFactor(operator: HowTheySignIn, { isRequired }: { isRequired: boolean }): boolean {
  return isRequired && operator.totp_secret === null && !signsInByProvider(operator)
}

/** Says whether a person signs in through the identity provider alone, which then asks for a second factor or does not. */
export function signsInByProvider({
  password_hash,
  oidc_subject,
}: Pick<HowTheySignIn, 'password_hash' | 'oidc_subject'>): boolean {
  return oidc_subject !== null && password_hash === null
}
