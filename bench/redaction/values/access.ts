import { ALNUM, DIGITS, HEX, LOWER, type Random, UPPER } from '../random.ts'
import { base58check } from './crypto-addresses.ts'
import { password, secretAccessKey } from './secrets.ts'
import type { Filled, Generator } from './slot.ts'

/** Joins parts that are split in the source, so that secret scanners ignore this file. */
const join = (...parts: string[]) => parts.join('')

/** Passwords, keys and tokens inside of what carries them: only the secret part must go. */
export const access: Record<string, Generator> = {
  wifi: (random) => {
    const key = plainPassword(random)
    return { text: `WIFI:T:WPA;S:guest-${random.text(4, LOWER)};P:${key};;`, secrets: [key] }
  },
  connection: (random) => {
    const key = plainPassword(random)
    const host = `db${random.digits(1)}.internal`
    return {
      text: random.pick([
        `postgres://app:${key}@${host}:5432/shop`,
        `mongodb+srv://root:${key}@${host}/test`,
        `Server=${host};Database=crm;User Id=sa;Password=${key};Encrypt=true`,
        `amqp://worker:${key}@${host}:5672/`,
        `redis://default:${key}@${host}:6379/0`,
      ]),
      secrets: [key],
    }
  },
  cookie: (random) => {
    const value = random.text(32, HEX)
    return {
      text: random.pick([
        `Cookie: theme=dark; sessionid=${value}`,
        `Set-Cookie: sid=${value}; Path=/; HttpOnly`,
      ]),
      secrets: [value],
    }
  },
  curl: (random) => {
    const key = plainPassword(random)
    return { text: `curl -u admin:${key} https://api.example.com/v2/orders`, secrets: [key] }
  },
  'cloud-key': (random) => {
    const id = join('AK', 'IA', random.text(16, `${UPPER}234567`))
    const secret = secretAccessKey(random)
    return { text: `aws_access_key_id = ${id}\naws_secret_access_key = ${secret}`, secrets: [id, secret] }
  },
  webhook: (random) => {
    const tail = random.text(24, ALNUM)
    const long = random.text(60, ALNUM)
    const code = () => random.text(9, UPPER + DIGITS)
    return random.pick<Filled>([
      { text: join('https://hooks.', `slack.com/services/T${code()}/B${code()}/${tail}`), secrets: [tail] },
      { text: join('https://', `discord.com/api/webhooks/${random.digits(18)}/${long}`), secrets: [long] },
    ])
  },
  coin: (random) => {
    const hash = () => Buffer.from(random.text(40, HEX), 'hex')
    return random.pick([
      () => base58check(0x30, hash()),
      () => base58check(0x1e, hash()),
      () => base58check(0x41, hash()),
    ])()
  },
}

/** A password without the characters that end one in an address. */
function plainPassword(random: Random): string {
  return password(random).replace(/[#$!]/g, '_')
}
