import assert from 'node:assert/strict'
import { after } from 'node:test'
import {
  createOutbound,
  type Outbound,
  OutboundError,
  type OutboundOptions,
  type OutboundReason,
  parsePrivateTargets,
  type TeamHttp,
} from '../../../src/lib/outbound/outbound.ts'

const opened: Outbound[] = []
after(() => Promise.all(opened.map((outbound) => outbound.close())))

/** An outbound with the calls of a team. It may reach public targets alone unless told otherwise, closed after the tests. */
export function open(options: Partial<OutboundOptions>): Outbound & TeamHttp {
  const outbound = createOutbound({ privateTargets: parsePrivateTargets(''), ...options })
  opened.push(outbound)
  return { ...outbound, ...outbound.of(1) }
}

/** One that may reach the peers of the tests. */
export function allowing(): Outbound & TeamHttp {
  return open({ privateTargets: parsePrivateTargets('127.0.0.1/32') })
}

export function resolved(...addresses: string[]) {
  return addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
}

export function resolveTo(...addresses: string[]) {
  return async () => resolved(...addresses)
}

export function failure(reason: OutboundReason) {
  return (error: unknown) => {
    assert.ok(error instanceof OutboundError, String(error))
    assert.equal(error.reason, reason)
    return true
  }
}
