import { lookup as dnsLookup } from 'node:dns/promises'
import { isIP, type LookupFunction } from 'node:net'
import { isMetadataHost, judgeAddress, type Verdict } from './judge-address.ts'
import { OutboundError } from './outbound-error.ts'
import { outboundMessages } from './outbound-messages.ts'
import { normalizeHost, type PrivateTargets } from './private-targets.ts'

/** Resolves a name to all its addresses. */
export type Resolve = (host: string) => Promise<Address[]>

interface Address {
  address: string
  family: number
}

/** The rules for where guarded calls may go. */
interface Guard {
  /** Judges a URL without DNS. @throws OutboundError `blocked` */
  checkUrl(url: URL): void
  /**
   * Also judges the addresses of its name. A name without any is judged when it is connected to.
   * @throws OutboundError `blocked`
   */
  checkTarget(url: URL): Promise<void>
  /** Returns an address of a host that may be connected to. @throws OutboundError `blocked`, `unreachable` */
  addressOf(host: string): Promise<{ address: string; isPublic: boolean }>
  /**
   * A lookup for node:net and node:tls that returns only judged addresses, so that a name which changes its address
   * between check and connect gains nothing. Never called for literal addresses: `checkUrl` judges those.
   */
  readonly lookup: LookupFunction
}

export function createGuard(targets: PrivateTargets, resolve: Resolve = resolveAll): Guard {
  function checkUrl(url: URL): void {
    if (url.username !== '' || url.password !== '') {
      throw new OutboundError('blocked', outboundMessages.names_somebody)
    }
    const host = hostOf(url)
    if (isMetadataHost(host)) throw refusal('metadata')
    if (isIP(host)) refuseUnlessAllowed(judgeAddress(host, targets))
  }

  async function resolveAllowed(name: string): Promise<Address[]> {
    const host = normalizeHost(name)
    const addresses = await resolve(name).catch((error: unknown) => {
      throw new OutboundError('unreachable', outboundMessages.unresolved, error)
    })
    if (addresses.length === 0) throw new OutboundError('unreachable', outboundMessages.no_address)
    // One forbidden address refuses the whole name, because a name that mixes both kinds is an attack or a mistake.
    for (const { address } of addresses) {
      refuseUnlessAllowed(judgeAddress(address, targets, targets.hosts.has(host)))
    }
    return addresses
  }

  return {
    checkUrl,
    async checkTarget(url) {
      checkUrl(url)
      const host = hostOf(url)
      if (isIP(host)) return
      await resolveAllowed(host).catch((error: OutboundError) => {
        if (error.reason !== 'unreachable') throw error
      })
    },
    async addressOf(host) {
      const url = URL.parse(`https://${host.includes(':') ? `[${host}]` : host}`)
      if (url?.pathname !== '/') throw new OutboundError('blocked', outboundMessages.no_url)
      checkUrl(url)
      const name = hostOf(url)
      const address = isIP(name) ? name : ((await resolveAllowed(name))[0]?.address ?? '')
      return { address, isPublic: judgeAddress(address, NO_TARGETS) === 'allowed' }
    },
    lookup(host, options, callback) {
      resolveAllowed(host).then(
        (addresses) => {
          if (options.all) callback(null, addresses)
          else callback(null, addresses[0]?.address ?? '', addresses[0]?.family)
        },
        (error: OutboundError) => callback(error, ''),
      )
    },
  }
}

const NO_TARGETS: PrivateTargets = { hosts: new Set(), networks: [] }

async function resolveAll(host: string): Promise<Address[]> {
  return dnsLookup(host, { all: true })
}

/** Returns the host name or bare literal address. The URL parser has already normalized numbers of every spelling. */
function hostOf(url: URL): string {
  return normalizeHost(url.hostname.replace(/^\[(.*)\]$/, '$1'))
}

function refuseUnlessAllowed(verdict: Verdict): void {
  if (verdict !== 'allowed') throw refusal(verdict)
}

// The error does not name the address, so that nobody who sets targets can map the private network.
function refusal(verdict: Exclude<Verdict, 'allowed'>): OutboundError {
  return new OutboundError('blocked', outboundMessages[verdict === 'metadata' ? 'metadata' : 'not_public'])
}
