import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto'

/** Seals secrets for storage. `place` (`table|row|column`) binds a sealed text to where it is kept. */
export interface SecretBox {
  seal(secret: string, place: string): string
  /** @throws when the text was not sealed with a key of this box, for this place, or was changed. */
  open(sealed: string, place: string): string
  /** Whether a sealed text was made with the present key, not with the previous one. */
  isCurrent(sealed: string): boolean
}

/**
 * AES-256-GCM with a random nonce (NIST SP 800-38D); the key's id stands in the sealed text, so that two keys
 * can be open at once while the master key is rotated.
 * @param masterKey 32 bytes in base64
 */
export function createSecretBox(masterKey: string, previousKey: string | null = null): SecretBox {
  const current = readKey(masterKey)
  const keys = new Map([[current.id, current.key]])
  if (previousKey) {
    const previous = readKey(previousKey)
    keys.set(previous.id, previous.key)
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
      const [version, id = '', data = ''] = sealed.split('.')
      const key = keys.get(id)
      if (version !== 'v1' || !key) throw new Error('a stored secret was sealed with another master key')
      const bytes = Buffer.from(data, 'base64url')
      const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, 12))
      decipher.setAAD(Buffer.from(place))
      decipher.setAuthTag(bytes.subarray(-16))
      return decipher.update(bytes.subarray(12, -16), undefined, 'utf8') + decipher.final('utf8')
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
