import { originOf } from '../lib/outbound/http-address.ts'
import { isObject } from '../lib/untrusted-json.ts'
import { type Path, valueAt, withValue } from '../lib/value-at.ts'
import type { Item } from './item.ts'
import type { SecretPlace } from './section.ts'

/** Stands in a file for a secret that is stored. */
const STORED = { $stored: true }

type Secrets = (item: Item) => SecretPlace[]

/** Replaces the secrets of an object by marks. @param present the stored object; secrets that differ are marked as new */
export function withoutSecrets(item: Item, secrets: Secrets, present: Item | null = item): Item {
  return secrets(item).reduce((rest, { path }) => {
    const value = valueAt(item, path)
    if (typeof value !== 'string') return rest
    const isSame = present !== null && secrets(present).some((one) => valueAt(present, one.path) === value)
    return withValue(rest, path, isSame ? STORED : '(a new secret)')
  }, item)
}

/**
 * Returns an object of a file with the stored secrets that it does not give. A secret stays with the origin of the
 * address that it was stored for.
 * @param isToStay true for a place of which the file says that its secret stays
 */
export function withStored(
  item: Item,
  present: Item,
  secrets: Secrets,
  isToStay: (path: Path) => boolean,
): Item {
  return secrets(present).reduce((whole, { path: from, url }) => {
    const path = placeIn(whole, present, from)
    const secret = valueAt(present, from)
    if (path === null || typeof secret !== 'string' || valueAt(whole, path) !== undefined) return whole
    // If the file lists headers, a stored header that it does not list is removed.
    if (path[0] === 'headers' && item.headers !== undefined && !isToStay(path)) return whole
    const filled = withValue(whole, path, secret)
    const place = secrets(filled).find((one) => String(one.path) === String(path))
    return place && originOf(place.url) === originOf(url) ? filled : whole
  }, item)
}

/** Returns the place in a file's object for one in the stored object. A part of a list is found by its address. */
function placeIn(item: Item, present: Item, path: Path): Path | null {
  const found: (string | number)[] = []
  for (const [at, name] of path.entries()) {
    if (typeof name !== 'number') {
      found.push(name)
      continue
    }
    const list = valueAt(item, found)
    const url = valueAt(present, [...path.slice(0, at + 1), 'url'])
    const place = Array.isArray(list) ? list.findIndex((one) => isObject(one) && one.url === url) : -1
    if (place < 0) return null
    found.push(place)
  }
  return found
}
