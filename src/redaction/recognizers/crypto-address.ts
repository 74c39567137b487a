import { hash } from 'node:crypto'
import type { Recognizer } from '../engine/recognizer.ts'

const BASE58 = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'
const BECH32 = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l'
const BASE58_ADDRESS = /[13LMDT2mn][1-9A-HJ-NP-Za-km-z]{25,34}(?![A-Za-z0-9])/y
const BECH32_ADDRESS = /(bc|tb|ltc)1([ac-hj-np-z02-9]{8,87})(?![A-Za-z0-9])/iy
const ETHEREUM = /0x[0-9a-f]{40}(?![A-Za-z0-9])/iy
/** Version bytes of Bitcoin, its test network, Litecoin, Dogecoin and Tron. */
const VERSIONS = new Set([0x00, 0x05, 0x6f, 0xc4, 0x30, 0x32, 0x1e, 0x16, 0x41])

/** Bitcoin and related currencies by their checksums (base58check, BIP 173 and 350); Ethereum by its form. */
export const cryptoAddress: Recognizer = {
  type: 'CRYPTO',
  label: 'Cryptocurrency address',
  example: '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa',
  look(page, token) {
    const start = page.tokenStart(token)
    const length = page.tokenEnd(token) - start
    if (length < 26 || length > 92) return
    const end = addressEnd(page.text, start)
    return end > 0 ? { start, end, strength: 'alone' } : undefined
  },
  examples: [
    'send to «1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa»',
    'BTC «bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq»',
    'ETH «0x52908400098527886E0F7030069857D2E4169EE7»',
    '«3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy»',
    'taproot «bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0»',
  ],
  counterExamples: [
    '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNb',
    'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdw',
    'commit 0x5290840009852788',
    'tx 0x9fc76417374aa880d4449a1f7f31ec597f00b1f6f3dd2d66f4c9c6c445836d8b',
  ],
}

function addressEnd(text: string, start: number): number {
  ETHEREUM.lastIndex = start
  if (ETHEREUM.test(text)) return ETHEREUM.lastIndex
  BECH32_ADDRESS.lastIndex = start
  const bech32 = BECH32_ADDRESS.exec(text)
  if (bech32)
    return passesBech32((bech32[1] as string).toLowerCase(), (bech32[2] as string).toLowerCase())
      ? BECH32_ADDRESS.lastIndex
      : -1
  BASE58_ADDRESS.lastIndex = start
  const base58 = BASE58_ADDRESS.exec(text)
  return base58 && passesBase58(base58[0]) ? BASE58_ADDRESS.lastIndex : -1
}

/** Checks an address of 25 bytes: the last four must be the beginning of the double SHA-256 of the others. */
function passesBase58(address: string): boolean {
  const bytes = new Uint8Array(25)
  for (let at = 0; at < address.length; at++) {
    let carry = BASE58.indexOf(address.charAt(at))
    for (let index = 24; index >= 0; index--) {
      carry += (bytes[index] as number) * 58
      bytes[index] = carry & 255
      carry >>= 8
    }
    if (carry > 0) return false
  }
  if (!VERSIONS.has(bytes[0] as number)) return false
  const sha256 = (data: Uint8Array): Uint8Array => hash('sha256', data, 'buffer')
  const check = sha256(sha256(bytes.subarray(0, 21)))
  return check.subarray(0, 4).every((byte, at) => byte === bytes[21 + at])
}

const GENERATOR = [0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3]

function passesBech32(prefix: string, data: string): boolean {
  let check = 1
  const add = (value: number): void => {
    const top = check >>> 25
    check = ((check & 0x1ffffff) << 5) ^ value
    for (let bit = 0; bit < 5; bit++) if ((top >> bit) & 1) check ^= GENERATOR[bit] as number
  }
  for (const char of prefix) add(char.charCodeAt(0) >> 5)
  add(0)
  for (const char of prefix) add(char.charCodeAt(0) & 31)
  for (const char of data) add(BECH32.indexOf(char))
  return check === 1 || check === 0x2bc830a3
}
