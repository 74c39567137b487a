import { randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'

/** `parley_key_…` names one agent, `parley_token_…` one caller of a team. */
export type CredentialKind = 'key' | 'token'

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const SECRET_LENGTH = 43
const CHECKSUM_LENGTH = 6
const FORM = /^parley_(key|token)_([1-9]\d{0,14})_([0-9A-Za-z]{49})$/

/** Creates the text of a credential: 256 random bits in base62 after its kind and id, with a checksum at the end. */
export function writeCredential(kind: CredentialKind, id: number): string {
  const secret = base62(BigInt(`0x${randomBytes(32).toString('hex')}`), SECRET_LENGTH)
  const head = `parley_${kind}_${id}_${secret}`
  return head + checksum(head)
}

/** Returns the id in a credential's text; null when the text has another form or kind, or its checksum is wrong. */
export function readCredentialId(kind: CredentialKind, text: string): number | null {
  const match = FORM.exec(text)
  if (!match || match[1] !== kind) return null
  const head = text.slice(0, -CHECKSUM_LENGTH)
  return checksum(head) === text.slice(-CHECKSUM_LENGTH) ? Number(match[2]) : null
}

/**
 * True if the secret in a credential's text is not of random characters. Random ones have about thirty that differ, and
 * fewer than sixteen never.
 */
export function isGuessable(text: string): boolean {
  const secret = FORM.exec(text)?.[3] ?? ''
  return new Set(secret.slice(0, SECRET_LENGTH)).size < 16
}

/** Returns a checksum, which tells typing errors from revoked credentials without a query; it protects nothing. */
function checksum(head: string): string {
  return base62(BigInt(crc32(head)), CHECKSUM_LENGTH)
}

function base62(number: bigint, length: number): string {
  let text = ''
  for (let rest = number; rest > 0n; rest /= 62n) text = ALPHABET[Number(rest % 62n)] + text
  return text.padStart(length, '0')
}
