import { isIP } from 'node:net'
import { EMAIL_ADDRESS } from '../lib/email-address.ts'
import { parsePrivateTargets } from '../lib/outbound/private-targets.ts'
import { parseS3Address } from '../lib/s3-address.ts'

/** Reads the text of a setting. Throws an error that says what the text must be, and does not repeat it. */
export type Parser<T> = (value: string) => T

export const text: Parser<string> = (value) => value

/** Parses a secret that is sent in a header, which allows no other characters. */
export const headerSecret: Parser<string> = (value) => {
  if (!/^[\x20-\x7e]+$/.test(value)) throw new Error('must be of printable ASCII characters')
  return value
}

export function integer(least: number, most: number): Parser<number> {
  return (value) => {
    const number = /^\d{1,15}$/.test(value) ? Number(value) : Number.NaN
    if (!(number >= least && number <= most))
      throw new Error(`must be a whole number from ${least} to ${most}`)
    return number
  }
}

export function oneOf<T extends string>(...values: T[]): Parser<T> {
  return (value) => {
    if (!values.includes(value as T)) throw new Error(`must be one of ${values.join(', ')}`)
    return value as T
  }
}

export const boolean: Parser<boolean> = (value) => oneOf('true', 'false')(value) === 'true'

export function address(...protocols: string[]): Parser<string> {
  return (value) => {
    if (!protocols.includes(URL.parse(value)?.protocol ?? '')) {
      throw new Error(
        `must be an address that begins with ${protocols.map((name) => `${name}//`).join(' or ')}`,
      )
    }
    return value
  }
}

/** Parses an address to which paths are appended. */
export const webAddress: Parser<string> = (value) => {
  address('http:', 'https:')(value)
  if (/[?#]/.test(value)) throw new Error('must be an address without ? and #')
  return value.replace(/\/+$/, '')
}

export const publicAddress: Parser<string> = (value) => {
  const address = webAddress(value)
  const { username, password } = new URL(address)
  if (username || password) throw new Error('must be an address without user and password')
  return address
}

export const issuerAddress: Parser<string> = (value) => {
  publicAddress(value)
  return value
}

export const mailAddress: Parser<string> = (value) => {
  if (!/^([^<>\r\n]*<)?[^\s<>@]+@[^\s<>@]+>?$/.test(value))
    throw new Error('must be an e-mail address, or a name with one: Parley <parley@example.com>')
  return value
}

export const mailDomains: Parser<string[]> = (value) =>
  list(value.toLowerCase()).map((domain) => {
    if (!/^[a-z0-9-]+(\.[a-z0-9-]+)*$/.test(domain))
      throw new Error('must be a comma list of domains such as example.com')
    return domain
  })

export const privateTargets: Parser<string> = (value) => {
  parsePrivateTargets(value)
  return value
}

export const storeAddress: Parser<string> = (value) => {
  parseS3Address(value)
  return value
}

export const key32: Parser<string> = (value) => {
  if (!/^[A-Za-z0-9+/_-]+={0,2}$/.test(value) || Buffer.from(value, 'base64').length !== 32) {
    throw new Error('must be 32 bytes in base64')
  }
  return value
}

const list: Parser<string[]> = (value) => value.split(',').flatMap((entry) => entry.trim() || [])

export const cidrs: Parser<string[]> = (value) =>
  list(value).map((entry) => {
    const [host = '', bits, ...rest] = entry.split('/')
    const most = isIP(host) === 6 ? 128 : 32
    // Fastify does not support a network of all addresses.
    const valid =
      isIP(host) &&
      !rest.length &&
      (bits === undefined || (/^[1-9]\d{0,2}$/.test(bits) && Number(bits) <= most))
    if (!valid) throw new Error('must be a comma list of addresses and CIDRs')
    return entry
  })

export function listOf<T extends string>(...values: T[]): Parser<T[]> {
  return (value) => {
    const chosen = list(value)
    if (!chosen.length || !chosen.every((one) => values.includes(one as T)))
      throw new Error(`must be a comma list of ${values.join(', ')}`)
    return chosen as T[]
  }
}

/** Parses the name of something, as long as the API allows. */
export const title: Parser<string> = (value) => {
  if (value.length > 200) throw new Error('must be a text of 1 to 200 characters')
  return value
}

/** Parses the address of one person, without a name. */
export const emailAddress: Parser<string> = (value) => {
  if (value.length > 254 || !EMAIL_ADDRESS.test(value)) throw new Error('must be an e-mail address')
  return value.toLowerCase()
}
