import { ALNUM, HEX, LOWER, type Random, UPPER } from '../random.ts'
import type { Filled } from './slot.ts'

const URL_SAFE = `${ALNUM}_-`
/** Joins prefixes that are split in the source, so that secret scanners ignore this file. */
const join = (...parts: string[]) => parts.join('')

/** Made-up keys in the shapes that providers publish. */
export function apiKey(random: Random): string {
  const alnum = (length: number) => random.text(length, ALNUM)
  const urlSafe = (length: number) => random.text(length, URL_SAFE)
  return random.pick([
    () => join('s', 'k-', alnum(20), 'T3Blbk', 'FJ', alnum(20)),
    () => join('s', 'k-proj-', urlSafe(74), 'T3Blbk', 'FJ', urlSafe(74)),
    () => join('s', 'k-ant-', 'api03-', urlSafe(93), 'AA'),
    () => join('AK', 'IA', random.text(16, `${UPPER}234567`)),
    () => join('gh', 'p_', alnum(36)),
    () => join('gh', 'o_', alnum(36)),
    () => join('github', '_pat_', alnum(22), '_', alnum(59)),
    () => join('glp', 'at-', urlSafe(19), alnum(1)),
    () => join('xo', 'xb-', random.digits(12), '-', random.digits(12), '-', alnum(24)),
    () =>
      join(
        'xo',
        'xp-',
        random.digits(12),
        '-',
        random.digits(12),
        '-',
        random.digits(12),
        '-',
        random.text(32, HEX),
      ),
    () => join('s', 'k_live_', alnum(24)),
    () => join('r', 'k_live_', alnum(24)),
    () => join('s', 'k_test_', alnum(24)),
    () => join('AI', 'za', urlSafe(34), alnum(1)),
    () => join('np', 'm_', alnum(36)),
  ])()
}

/** A JSON web token: header and payload are real base64url of JSON, the signature is noise. */
export function jsonWebToken(random: Random): string {
  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const header = part({ alg: random.pick(['HS256', 'RS256', 'ES256']), typ: 'JWT' })
  const payload = part({
    sub: random.digits(10),
    name: random.text(8, LOWER),
    iat: 1500000000 + random.below(2e8),
  })
  return `${header}.${payload}.${random.text(43, URL_SAFE)}`
}

/** A PEM private key; the base64 lines must go, the frame may. */
export function pemBlock(random: Random): Filled {
  const kind = random.pick(['RSA ', 'EC ', '', 'OPENSSH '])
  const lines = Array.from({ length: 4 + random.below(8) }, () => random.text(64, `${ALNUM}+/`))
  const body = `${lines.join('\n')}\n${random.text(30, ALNUM)}==`
  const dashes = '-----'
  const text = `${dashes}BEGIN ${kind}PRIVATE${' '}KEY${dashes}\n${body}\n${dashes}END ${kind}PRIVATE${' '}KEY${dashes}`
  return { text, secrets: body.split('\n') }
}

/** A password as people choose them: at least seven characters, no spaces. */
export function password(random: Random): string {
  const word = random.pick([
    'Sommer',
    'winter',
    'Tiger',
    'blaubeere',
    'dragon',
    'Qwert',
    'Lisboa',
    'monkey',
    'Kaktus',
  ])
  return random.pick([
    `${word}${1960 + random.below(60)}!`,
    `${word}#${random.digits(3)}`,
    `${random.text(10, ALNUM)}`,
    `${random.text(5, LOWER)}-${random.text(5, LOWER)}-${random.digits(2)}`,
    `${random.text(4, UPPER)}${random.text(5, LOWER)}$${random.digits(2)}`,
  ])
}

export const secretAccessKey = (random: Random): string => random.text(40, `${ALNUM}+/`)
