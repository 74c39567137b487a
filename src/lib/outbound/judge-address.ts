import ipaddr from 'ipaddr.js'
import type { Network, PrivateTargets } from './private-targets.ts'

export type Verdict = 'allowed' | 'private' | 'metadata'

/**
 * Judges whether an outgoing call may connect to an address. Public addresses are allowed. Others are allowed if a
 * network of `targets` contains them or if `hostIsAllowed`. Cloud metadata addresses never are. An IPv4 address inside
 * an IPv6 one (mapped, compatible, NAT64, 6to4, Teredo) is judged too, because the packets end up there.
 */
export function judgeAddress(text: string, targets: PrivateTargets, hostIsAllowed = false): Verdict {
  const address = ipaddr.parse(text)
  const inner = address instanceof ipaddr.IPv6 ? embedded(address) : []
  if ([address, ...inner].some(isMetadata)) return 'metadata'
  if (hostIsAllowed || isListed(address, targets)) return 'allowed'
  const judged = inner.length > 0 && !isLocalNat64(address) ? inner : [address]
  return judged.every((one) => isPublic(one) || isListed(one, targets)) ? 'allowed' : 'private'
}

/** Tells whether a name always stands for a cloud's metadata service. */
export function isMetadataHost(host: string): boolean {
  return METADATA_HOSTS.has(host)
}

function isPublic(address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  if (address.range() !== 'unicast') return false
  // ipaddr.js calls every range it does not know unicast; of IPv6 only 2000::/3 is assigned for it (RFC 4291).
  return address instanceof ipaddr.IPv4 || isIn(address, GLOBAL_UNICAST)
}

function isListed(address: ipaddr.IPv4 | ipaddr.IPv6, targets: PrivateTargets): boolean {
  return targets.networks.some((network) => isIn(address, network))
}

function isMetadata(address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  return METADATA_ADDRESSES.some((network) => isIn(address, network))
}

function isLocalNat64(address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  return isIn(address, LOCAL_NAT64)
}

/** Returns the IPv4 addresses that an IPv6 address carries. */
function embedded(address: ipaddr.IPv6): ipaddr.IPv4[] {
  const bytes = address.toByteArray()
  const at = (...places: number[]) => new ipaddr.IPv4(places.map((place) => bytes[place] ?? 0))
  if (IPV4_IN_THE_LAST_32_BITS.some((network) => isIn(address, network))) return [at(12, 13, 14, 15)]
  // RFC 6052, section 2.2: where the address sits depends on the length of the prefix; byte 8 is skipped.
  if (isLocalNat64(address)) return [at(12, 13, 14, 15), at(6, 7, 9, 10), at(7, 9, 10, 11), at(9, 10, 11, 12)]
  if (isIn(address, SIX_TO_FOUR)) return [at(2, 3, 4, 5)]
  if (isIn(address, TEREDO)) {
    // The server's address, and the client's with every bit inverted (RFC 4380, section 4).
    return [at(4, 5, 6, 7), new ipaddr.IPv4(bytes.slice(12).map((byte) => byte ^ 0xff))]
  }
  return []
}

function isIn(address: ipaddr.IPv4 | ipaddr.IPv6, [network, length]: Network): boolean {
  return address.kind() === network.kind() && address.match(network, length)
}

const network = (cidr: string): Network => ipaddr.parseCIDR(cidr)

const GLOBAL_UNICAST = network('2000::/3')
const LOCAL_NAT64 = network('64:ff9b:1::/48')
const SIX_TO_FOUR = network('2002::/16')
const TEREDO = network('2001::/32')
const IPV4_IN_THE_LAST_32_BITS = [
  network('::/96'), // IPv4-compatible; holds :: and ::1 too, which end up in 0.0.0.0/8
  network('::ffff:0:0/96'), // IPv4-mapped
  network('::ffff:0:0:0/96'), // IPv4-translated
  network('64:ff9b::/96'), // NAT64
]

const METADATA_HOSTS = new Set([
  'metadata',
  'metadata.google.internal',
  'metadata.goog',
  'instance-data',
  'instance-data.ec2.internal',
])

const METADATA_ADDRESSES = [
  '169.254.169.254/32', // most clouds
  '169.254.169.253/32', // AWS resolver
  '169.254.170.2/32', // AWS containers
  '169.254.170.23/32', // AWS pod identity
  '169.254.0.23/32', // Tencent
  '100.100.100.200/32', // Alibaba
  '168.63.129.16/32', // Azure
  '192.0.0.192/32', // Oracle
  'fd00:ec2::254/128', // AWS
  'fd00:ec2::253/128', // AWS resolver
  'fd00:ec2::23/128', // AWS pod identity
  'fd20:ce::254/128', // Google
  'fe80::a9fe:a9fe/128', // OpenStack
].map(network)
