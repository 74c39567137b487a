import { createHash } from 'node:crypto'
import type { SealedPlace } from './sealed-places.ts'
import { openText, sealText } from './sealed-text.ts'

/** Seals secrets for storage. A sealed text opens only at the place that it was sealed for. */
export interface SecretBox {
  seal(secret: string, place: SealedPlace): string
  /**
   * @throws Error that names the place, when the text was not sealed with a key of this box, for this place, or was
   * changed
   */
  open(sealed: string, place: SealedPlace): string
  /** Whether a sealed text was made with the present key, not with a previous one. */
  isCurrent(sealed: string): boolean
}

/**
 * Seals with AES-256-GCM. The key's id stands in the sealed text, so that several keys can be open at once while the
 * master key is rotated.
 * @param masterKey seals; 32 bytes in base64
 * @param previousKeys only open
 */
export function createSecretBox(masterKey: string, ...previousKeys: string[]): SecretBox {
  const current = readKey(masterKey)
  const keys = new Map([...previousKeys.map(readKey), current].map(({ id, key }) => [id, key]))

  function open(sealed: string, place: SealedPlace): string {
    const [version, id = '', data = ''] = sealed.split('.')
    const key = keys.get(id)
    if (version !== 'v1' || !key) throw new Error('it was sealed with another master key')
    return openText(key, data, place)
  }

  return {
    seal(secret, place) {
      return `v1.${current.id}.${sealText(current.key, secret, place)}`
    },
    open(sealed, place) {
      try {
        return open(sealed, place)
      } catch (cause) {
        const reason = cause instanceof Error ? cause.message : 'unknown'
        throw new Error(`the secret stored at ${place} cannot be opened: ${reason}`, { cause })
      }
    },
    isCurrent(sealed) {
      return sealed.split('.')[1] === current.id
    },
  }
}

function readKey(base64: string): { id: string; key: Buffer } {
  const key = Buffer.from(base64, 'base64')
  if (key.length !== 32) throw new Error('the master key must be 32 bytes in base64')
  return { id: createHash('sha256').update(key).digest('hex').slice(0, 8), key }
}
