import { createHash } from 'node:crypto'
import { HEX, type Random } from '../random.ts'

const BASE58 = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'
const BECH32 = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l'
/** Mixed-case examples from EIP-55. */
const EIP55 = [
  '5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
  'fB6916095ca1df60bB79Ce92cE3Ea74c37c5d359',
  'dbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB',
  'D1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb',
]

/** A Bitcoin address of one of the four forms in use. */
export function bitcoinAddress(random: Random): string {
  const program = (length: number) => Buffer.from(random.text(length * 2, HEX), 'hex')
  return random.pick([
    () => base58check(0x00, program(20)),
    () => base58check(0x05, program(20)),
    () => segwitAddress(0, program(20)),
    () => segwitAddress(1, program(32)),
  ])()
}

export function ethereumAddress(random: Random): string {
  return `0x${random.chance(0.2) ? random.pick(EIP55) : random.text(40, HEX)}`
}

/** Returns the Base58Check form of a version byte and a hash. */
export function base58check(version: number, hash: Buffer): string {
  const payload = Buffer.concat([Buffer.from([version]), hash])
  const sha = (data: Buffer) => createHash('sha256').update(data).digest()
  const full = Buffer.concat([payload, sha(sha(payload)).subarray(0, 4)])
  let number = BigInt(`0x${full.toString('hex')}`)
  let text = ''
  for (; number > 0n; number /= 58n) text = (BASE58[Number(number % 58n)] ?? '') + text
  const zeros = full.findIndex((byte) => byte !== 0)
  return '1'.repeat(zeros) + text
}

/** Returns an address by BIP 173 (version 0) or BIP 350 (version 1 and above). */
export function segwitAddress(version: number, program: Buffer): string {
  const data = [version, ...toFiveBits(program)]
  const expanded = [...'bc'].map((c) => c.charCodeAt(0) >> 5)
  const low = [...'bc'].map((c) => c.charCodeAt(0) & 31)
  const target = version === 0 ? 1 : 0x2bc830a3
  const mod = polymod([...expanded, 0, ...low, ...data, 0, 0, 0, 0, 0, 0]) ^ target
  const check = [0, 1, 2, 3, 4, 5].map((i) => (mod >>> (5 * (5 - i))) & 31)
  return `bc1${[...data, ...check].map((value) => BECH32[value]).join('')}`
}

function polymod(values: number[]): number {
  const generators = [0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3]
  let check = 1
  for (const value of values) {
    const top = check >>> 25
    check = ((check & 0x1ffffff) << 5) ^ value
    generators.forEach((generator, i) => {
      if ((top >>> i) & 1) check ^= generator
    })
  }
  return check
}

function toFiveBits(bytes: Buffer): number[] {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('')
  return (bits.match(/.{1,5}/g) ?? []).map((group) => Number.parseInt(group.padEnd(5, '0'), 2))
}
