import { createHash, createHmac, hkdfSync } from 'node:crypto'
import { originOf } from '../outbound/http-address.ts'
import { equalInConstantTime } from './constant-time.ts'
import type { KeptPlace, SealedPlace, SentPlace } from './sealed-places.ts'
import { openText, sealText } from './sealed-text.ts'

/** The address that stands beside a secret; without one the secret goes to an address that the service knows itself. */
export type Address = string | null | undefined

/**
 * Seals secrets for storage. A sealed text opens only at the place that it was sealed for. One that is sent somewhere
 * belongs to an origin besides (scheme, host and port), and opens for no other: who moves the address does not get it.
 */
export interface SecretBox {
  seal(secret: string, place: KeptPlace): string
  /**
   * @throws Error that names the place, when the text was not sealed with a key of this box, for this place, or was
   * changed
   */
  open(sealed: string, place: KeptPlace): string
  /** Seals a secret for the origin of an address. */
  sealFor(address: Address, secret: string, place: SentPlace): string
  /** Opens a secret for the origin of an address; null when it belongs to another. @throws Error as `open` does */
  openFor(address: Address, sealed: string, place: SentPlace): string | null
  /** Whether a sealed text was made with the present key, not with a previous one. */
  isCurrent(sealed: string): boolean
  /**
   * Seals anew with the present key, for the same origin.
   * @param address the one that stands beside the secret
   * @throws Error as `open` does, also when the secret belongs to another origin
   */
  renew(sealed: string, place: SealedPlace, address: Address): string
  /** A secret from before secrets had origins, as one of the origin of an address; any other as it is. */
  bind(sealed: string, place: SentPlace, address: Address): string
}

/**
 * Seals with AES-256-GCM. The key's id stands in the sealed text, so that several keys can be open at once while the
 * master key is rotated. What belongs to an origin carries a keyed hash of it with the sealed text: the parts before it
 * stay readable for a version of the service that knows no origins, for as long as both run.
 * @param masterKey seals; 32 bytes in base64
 * @param previousKeys only open
 */
export function createSecretBox(masterKey: string, ...previousKeys: string[]): SecretBox {
  const current = readKey(masterKey)
  const keys = new Map([...previousKeys.map(readKey), current].map((key) => [key.id, key]))

  function open(sealed: string, place: SealedPlace): string {
    try {
      const { key, data } = partsOf(sealed)
      return openText(key.sealing, data, place)
    } catch (cause) {
      throw new Error(`the secret stored at ${place} cannot be opened: ${messageOf(cause)}`, { cause })
    }
  }

  function seal(secret: string, place: SealedPlace): string {
    return `v1.${current.id}.${sealText(current.sealing, secret, place)}`
  }

  /** @throws Error when the box has no such key */
  function partsOf(sealed: string) {
    const [version, id = '', data = '', mark] = sealed.split('.')
    const key = keys.get(id)
    if (version !== 'v1' || !key) throw new Error('it was sealed with another master key')
    return { key, data, mark }
  }

  function marked(sealed: string, place: SealedPlace, address: Address): string {
    const { key, data } = partsOf(sealed)
    return `v1.${key.id}.${data}.${markOf(key, data, place, address)}`
  }

  function belongs(sealed: string, place: SealedPlace, address: Address): boolean {
    const { key, data, mark } = partsOf(sealed)
    return mark !== undefined && equalInConstantTime(mark, markOf(key, data, place, address))
  }

  const isMarked = (sealed: string) => sealed.split('.').length > 3

  return {
    seal,
    open,
    sealFor: (address, secret, place) => marked(seal(secret, place), place, address),
    openFor(address, sealed, place) {
      const secret = open(sealed, place)
      return belongs(sealed, place, address) ? secret : null
    },
    isCurrent: (sealed) => sealed.split('.')[1] === current.id,
    renew(sealed, place, address) {
      const again = seal(open(sealed, place), place)
      if (!isMarked(sealed)) return again
      if (!belongs(sealed, place, address))
        throw new Error(`the secret stored at ${place} belongs to another origin than the address beside it`)
      return marked(again, place, address)
    },
    bind: (sealed, place, address) => (isMarked(sealed) ? sealed : marked(sealed, place, address)),
  }
}

interface Key {
  id: string
  sealing: Buffer
  marking: Buffer
}

function readKey(base64: string): Key {
  const sealing = Buffer.from(base64, 'base64')
  if (sealing.length !== 32) throw new Error('the master key must be 32 bytes in base64')
  const id = createHash('sha256').update(sealing).digest('hex').slice(0, 8)
  return { id, sealing, marking: Buffer.from(hkdfSync('sha256', sealing, '', 'origins of secrets', 32)) }
}

/** None of the parts can hold a line break. */
function markOf({ marking }: Key, data: string, place: SealedPlace, address: Address): string {
  const text = [place, originOf(address) ?? '', data].join('\n')
  return createHmac('sha256', marking).update(text).digest('base64url')
}

function messageOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : 'unknown'
}
