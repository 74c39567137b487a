import { domainToASCII } from 'node:url'
import ipaddr from 'ipaddr.js'

/** Targets that outgoing calls may reach although they are not public. */
export interface PrivateTargets {
  /** Host names, lower case, without a final dot. */
  readonly hosts: ReadonlySet<string>
  readonly networks: readonly Network[]
}

export type Network = [ipaddr.IPv4 | ipaddr.IPv6, number]

/**
 * Reads PARLEY_PRIVATE_TARGETS: a comma-separated list of host names, addresses and CIDR networks.
 * @throws Error that names the first entry which is none of these
 */
export function parsePrivateTargets(text: string): PrivateTargets {
  const hosts = new Set<string>()
  const networks: Network[] = []
  for (const entry of text.split(',').map((part) => part.trim())) {
    if (entry === '') continue
    const network = parseNetwork(entry)
    if (network) networks.push(network)
    else hosts.add(parseHost(entry))
  }
  return { hosts, networks }
}

/** Returns a host name in the form in which host names are compared. */
export function normalizeHost(host: string): string {
  return host.toLowerCase().replace(/\.$/, '')
}

function parseNetwork(entry: string): Network | null {
  if (ipaddr.IPv4.isValidFourPartDecimal(entry)) return [ipaddr.IPv4.parse(entry), 32]
  if (ipaddr.IPv4.isValidCIDRFourPartDecimal(entry)) return ipaddr.IPv4.parseCIDR(entry)
  if (entry.includes('%')) return null
  if (ipaddr.IPv6.isValid(entry)) return [ipaddr.IPv6.parse(entry), 128]
  if (ipaddr.IPv6.isValidCIDR(entry)) return ipaddr.IPv6.parseCIDR(entry)
  return null
}

function parseHost(entry: string): string {
  const host = normalizeHost(domainToASCII(entry))
  const labels = host.split('.')
  // A last label of digits makes the host a number in a URL, never a name.
  const isName =
    host.length <= 253 && labels.every(isLabel) && !/^(\d+|0x[\da-f]*)$/.test(labels.at(-1) ?? '')
  if (!isName) {
    throw new Error(`"${entry}" is no host name, address or CIDR network (no port, scheme or wildcard here)`)
  }
  return host
}

function isLabel(label: string): boolean {
  return /^[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?$/.test(label)
}
