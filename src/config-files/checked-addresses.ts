import { originOf } from '../lib/outbound/http-address.ts'
import { type Outbound, OutboundError } from '../lib/outbound/outbound.ts'
import { isObject } from '../lib/untrusted-json.ts'

/**
 * Checks all addresses anywhere in a value, and returns an outbound client for a transaction, in which nothing may take
 * long. The client knows the results of the checks, so it looks up no host again. It makes no calls.
 */
export async function withCheckedAddresses(outbound: Outbound, value: unknown): Promise<Outbound> {
  const seen = new Map<string, Promise<void>>()
  const checkTarget: Outbound['checkTarget'] = (url) => {
    const key = String(url)
    const known = seen.get(key) ?? outbound.checkTarget(url)
    seen.set(key, known)
    return known
  }
  // Failures are not reported here, but when a section stores the address.
  await Promise.allSettled(addressesIn(value).map(checkTarget))
  const refuse = () =>
    Promise.reject(new OutboundError('aborted', 'no calls are made while a file is being applied'))
  return { ...outbound, checkTarget, of: () => ({ request: refuse, stream: refuse, addressOf: refuse }) }
}

function addressesIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(addressesIn)
  if (isObject(value)) return Object.values(value).flatMap(addressesIn)
  if (typeof value !== 'string' || !/^https?:/i.test(value)) return []
  // For an address with placeholders, sections check only the origin.
  const origin = originOf(value)
  return origin === null ? [value] : [value, origin]
}
