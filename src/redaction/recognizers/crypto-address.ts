import { hash } from 'node:crypto'
import type { Recognizer } from '../engine/recognizer.ts'
import { step } from '../engine/step.ts'

const BASE58 = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'
const BECH32 = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l'
const BASE58_ADDRESS = /[13LMDT2mnrt9Xd][1-9A-HJ-NP-Za-km-z]{24,36}(?![A-Za-z0-9])/y
const BECH32_ADDRESS =
  /(bc|tb|ltc|cosmos|osmo|inj|terra|juno|celestia|kava|secret|akash|addr|addr_test|stake)1([ac-hj-np-z02-9]{8,104})(?![A-Za-z0-9])/iy
/** Addresses of Bitcoin Cash, Stellar, Monero and, near a word, Solana. */
const CASH = /[qp][ac-hj-np-z02-9]{41}(?![A-Za-z0-9])/iy
const STELLAR = /G[A-Z2-7]{55}(?![A-Za-z0-9])/y
const MONERO = /[48][0-9AB][1-9A-HJ-NP-Za-km-z]{93}(?:[1-9A-HJ-NP-Za-km-z]{11})?(?![A-Za-z0-9])/y
const SOLANA = /[1-9A-HJ-NP-Za-km-z]{32,44}(?![A-Za-z0-9])/y
const ETHEREUM = /0x[0-9a-f]{40}(?![A-Za-z0-9])/iy
/** Version bytes of Bitcoin, its test network, Litecoin, Dogecoin, Dash, Tron and, in its own alphabet, XRP. */
const VERSIONS = new Set([0x00, 0x05, 0x6f, 0xc4, 0x30, 0x32, 0x1e, 0x16, 0x4c, 0x10, 0x41])
const RIPPLE = 'rpshnaf39wBUDNEGHJKLM4PQRST7VWXYZ2bcdeCg65jkm8oFqi1tuvAxyz'

/**
 * Addresses of Bitcoin and related currencies, of Cosmos and Cardano, XRP and Tezos by their checksums (base58check, BIP
 * 173 and 350); of Ethereum, Stellar, Monero and Bitcoin Cash by their form; of Solana near a word.
 */
export const cryptoAddress: Recognizer = {
  type: 'CRYPTO',
  label: 'Cryptocurrency address',
  example: '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa',
  context: ['solana*', 'sol', 'phantom', 'spl'],
  look(page, token) {
    const start = page.tokenStart(token)
    const length = page.tokenEnd(token) - start
    if (length < 25 || length > 112) return
    const end = addressEnd(page.text, start)
    if (end > start) return { start, end, strength: 'alone' }
    const solana = step(SOLANA, page.text, start)
    return solana > start ? { start, end: solana, strength: 'context' } : undefined
  },
  examples: [
    'send to «1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa»',
    'BTC «bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq»',
    'ETH «0x52908400098527886E0F7030069857D2E4169EE7»',
    '«3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy»',
    'taproot «bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0»',
    'XRP «rN7n7otQDd6FczFgLdSqtcsAUxDkw6fzRH»',
    'stellar «GBZXN7PIRZGNMHGA7MUUUF4GWPY5AYPV6LY4UV2GL6VJGIQRXFDNMADI»',
    '«cosmos1hsk6jryyqjfhp5dhc55tc9jtckygx0eph6dd02»',
    '«tz1VSUr8wwNhLAzempoch5d6hLRiTh8Cjcjb»',
    'bitcoincash:«qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a»',
    'my solana wallet «7EcDhSYGxXyscszYEp35KHN8vvw3svAuLKTzXwCFLtV»',
  ],
  counterExamples: [
    '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNb',
    'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdw',
    '7EcDhSYGxXyscszYEp35KHN8vvw3svAuLKTzXwCFLtV',
    'commit 0x5290840009852788',
    'tx 0x9fc76417374aa880d4449a1f7f31ec597f00b1f6f3dd2d66f4c9c6c445836d8b',
  ],
}

function addressEnd(text: string, start: number): number {
  for (const form of [ETHEREUM, STELLAR, MONERO]) {
    const end = step(form, text, start)
    if (end > start) return end
  }
  if (/bitcoincash:$/i.test(text.slice(Math.max(0, start - 12), start))) return step(CASH, text, start)
  BECH32_ADDRESS.lastIndex = start
  const bech32 = BECH32_ADDRESS.exec(text)
  if (bech32)
    return passesBech32((bech32[1] as string).toLowerCase(), (bech32[2] as string).toLowerCase())
      ? BECH32_ADDRESS.lastIndex
      : -1
  const end = step(BASE58_ADDRESS, text, start)
  return end > start && passesBase58(text.slice(start, end)) ? end : -1
}

/** Checks an address whose last four bytes must be the beginning of the double SHA-256 of the others. */
function passesBase58(address: string): boolean {
  const isTezos = /^tz[1-4]/.test(address)
  const alphabet = address.startsWith('r') ? RIPPLE : BASE58
  const bytes = new Uint8Array(isTezos ? 27 : 25)
  for (let at = 0; at < address.length; at++) {
    let carry = alphabet.indexOf(address.charAt(at))
    for (let index = bytes.length - 1; index >= 0; index--) {
      carry += (bytes[index] as number) * 58
      bytes[index] = carry & 255
      carry >>= 8
    }
    if (carry > 0) return false
  }
  if (!isTezos && !VERSIONS.has(bytes[0] as number)) return false
  const sha256 = (data: Uint8Array): Uint8Array => hash('sha256', data, 'buffer')
  const check = sha256(sha256(bytes.subarray(0, -4)))
  return check.subarray(0, 4).every((byte, at) => byte === bytes[bytes.length - 4 + at])
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
