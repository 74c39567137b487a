import { createHash, createHmac, hkdfSync } from 'node:crypto'
import { originOf } from '../outbound/http-address.ts'
import { equalInConstantTime } from './constant-time.ts'
import type { KeptPlace, SealedPlace, SentPlace } from './sealed-places.ts'
import { openText, sealText } from './sealed-text.ts'

/** The address beside a secret. Without one, the secret goes to an address that is built into the service. */
export type Address = string | object | null | undefined

/**
 * Seals secrets for storage. A sealed text opens only at the place for which it was sealed. A secret that is sent
 * somewhere also belongs to an origin (scheme, host and port) and opens for no other, so that nobody can get it by
 * changing the address.
 */
export interface SecretBox {
  seal(secret: string, place: KeptPlace): string
  /**
   * @throws Error that names the place, if the text was sealed with a key not in this box, was sealed for another
   * place, or was changed
   */
  open(sealed: string, place: KeptPlace): string
  /** Seals a secret for the origin of an address. */
  sealFor(address: Address, secret: string, place: SentPlace): string
  /** Opens a secret for the origin of an address; null if it belongs to another. @throws Error as `open` does */
  openFor(address: Address, sealed: string, place: SentPlace): string | null
  /** True if a sealed text was made with the present key, not with a previous one. */
  isCurrent(sealed: string): boolean
  /**
   * Seals anew with the present key, for the same origin.
   * @param address the one that stands beside the secret
   * @throws Error as `open` does, also if the secret belongs to another origin
   */
  renew(sealed: string, place: SealedPlace, address: Address): string
  /** Binds a secret from before secrets had origins to the origin of an address; returns any other unchanged. */
  bind(sealed: string, place: SentPlace, address: Address): string
}

/**
 * Makes a box that seals with AES-256-GCM. The sealed text holds the key's id, so that several keys can open texts
 * while the master key is rotated. A secret that belongs to an origin ends with a keyed hash of it and of the sealed
 * text. A version of the service that knows no origins can still read the parts before the hash, for as long as both
 * run.
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

  /** @throws Error if the box has no such key */
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

/** Returns the hash of a sealed text with its place and origin. None of these can hold a line break. */
function markOf({ marking }: Key, data: string, place: SealedPlace, address: Address): string {
  const text = [place, originOf(address) ?? '', data].join('\n')
  return createHmac('sha256', marking).update(text).digest('base64url')
}

function messageOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : 'unknown'
}
