import { createHash, randomInt } from 'node:crypto'
import { Secret, TOTP } from 'otpauth'

/** Time-based one-time passwords (RFC 6238) as all apps support them: six digits, SHA-1, 30 seconds per code. */
const STEP_SECONDS = 30
const RECOVERY_CODES = 10
const RECOVERY_ALPHABET = '23456789abcdefghjkmnpqrstuvwxyz'

/** Creates a secret, in base32. */
export function newTotpSecret(): string {
  return new Secret({ size: 20 }).base32
}

/** Returns the address that an app reads from a QR code. */
export function totpAddress(secret: string, email: string): string {
  return totp(secret, email).toString()
}

/**
 * Returns the time step that a code belongs to: the current one, or a neighbour in case clocks differ.
 * @param usedStep the step of the last code that was accepted; its code and earlier ones no longer work
 * @returns null when the code is wrong or was used
 */
export function stepOfCode(
  secret: string,
  code: string,
  nowMs: number,
  usedStep: number | null,
): number | null {
  const delta = totp(secret).validate({ token: code, timestamp: nowMs, window: 1 })
  if (delta === null) return null
  const step = Math.floor(nowMs / 1000 / STEP_SECONDS) + delta
  return usedStep !== null && step <= usedStep ? null : step
}

/** Creates codes for people who have lost their phone, each valid for one sign-in. They are shown only once. */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: RECOVERY_CODES }, () => Array.from({ length: 4 }, () => letters(4)).join('-'))
}

/** Hashes a recovery code. It has 79 random bits, so a plain hash protects it. */
export function hashRecoveryCode(code: string): string {
  return createHash('sha256').update(code.trim().toLowerCase()).digest('base64url')
}

function letters(count: number): string {
  return Array.from({ length: count }, () => RECOVERY_ALPHABET[randomInt(RECOVERY_ALPHABET.length)]).join('')
}

function totp(secret: string, label = 'operator'): TOTP {
  return new TOTP({
    issuer: 'Parley',
    label,
    secret: Secret.fromBase32(secret),
    period: STEP_SECONDS,
    digits: 6,
  })
}
