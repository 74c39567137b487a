import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto'
import type { SealedPlace } from './sealed-places.ts'

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
 * AES-256-GCM with a random nonce (NIST SP 800-38D); the key's id stands in the sealed text, so that several keys
 * can be open at once while the master key is rotated.
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
    const bytes = Buffer.from(data, 'base64url')
    const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, 12))
    decipher.setAAD(Buffer.from(place))
    decipher.setAuthTag(bytes.subarray(-16))
    return decipher.update(bytes.subarray(12, -16), undefined, 'utf8') + decipher.final('utf8')
  }

  return {
    seal(secret, place) {
      const nonce = randomBytes(12)
      const cipher = createCipheriv('aes-256-gcm', current.key, nonce)
      cipher.setAAD(Buffer.from(place))
      const sealed = Buffer.concat([
        nonce,
        cipher.update(secret, 'utf8'),
        cipher.final(),
        cipher.getAuthTag(),
      ])
      return `v1.${current.id}.${sealed.toString('base64url')}`
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
