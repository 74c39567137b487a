import { ALNUM, DIGITS, HEX, LOWER, type Random } from '../random.ts'
import { latinPerson } from './people.ts'
import type { Filled } from './slot.ts'

const PROVIDERS = [
  'gmail.com',
  'outlook.com',
  'yahoo.co.uk',
  'gmx.de',
  'web.de',
  'orange.fr',
  'laposte.net',
  'libero.it',
  'wp.pl',
  'onet.pl',
  'telia.se',
  'mail.ru',
  'yandex.ru',
  'qq.com',
  '163.com',
  'naver.com',
  'hanmail.net',
  'ziggo.nl',
  'uol.com.br',
  'sapo.pt',
  'seznam.cz',
  'rediffmail.com',
  'proton.me',
  'fastmail.com',
  'icloud.com',
  'ukr.net',
  'mail.uni-koeln.de',
  'students.example.ac.uk',
  'post.example.org',
  'firma.example.net',
]
const INTERNATIONAL = [
  ['info', 'müller-söhne.de'],
  ['kontakt', 'bücherstube.at'],
  ['anna', 'señoría.es'],
  ['анна.петрова', 'почта.рф'],
  ['用户', '例子.中国'],
  ['jörg.weiß', 'gmx.de'],
  ['josé.núñez', 'correo.es'],
  ['иван', 'пример.рф'],
  ['søren', 'blåbær.dk'],
  ['łukasz', 'poczta.pl'],
  ['info', 'xn--bcher-kva.de'],
] as const

/** Fills `{email}` with dots, plus tags or digits, `{email:idn}` with non-ASCII letters, `{email:spoken}` in words. */
export function emailAddress(random: Random, _language: string, variant: string): string {
  if (variant === 'idn') return random.pick(INTERNATIONAL).join('@')
  const { given, family } = latinPerson(random)
  const local = random.pick([
    `${given}.${family}`,
    `${given[0]}.${family}`,
    `${given}${family}${random.digits(2)}`,
    `${given}_${family}`,
    `${given}.${family}+${random.pick(['shop', 'news', 'support', 'test1'])}`,
    `${family}-${given}${1950 + random.below(55)}`,
  ])
  const domain = random.pick(PROVIDERS)
  if (variant === 'spoken') {
    const spoken = domain.replaceAll('.', ' dot ')
    return `${local.replace(/\+.*/, '').replaceAll('_', '.')} at ${spoken}`
  }
  const address = `${local}@${domain}`
  return random.chance(0.1) ? address.toUpperCase() : address
}

/** A public or private IPv4 address, never a loopback address, a netmask or a network's first address. */
export function ipv4Address(random: Random): string {
  const last = () => 1 + random.below(254)
  if (random.chance(0.15))
    return `${random.pick(['192.168', '10.14', '172.20'])}.${random.below(255)}.${last()}`
  return `${random.pick([31, 46, 62, 77, 81, 88, 93, 109, 134, 151, 178, 185, 188, 203, 212])}.${random.below(255)}.${random.below(255)}.${last()}`
}

export function ipv6Address(random: Random): string {
  const word = () => random.text(4, HEX).replace(/^0+/, '') || '1'
  const start = random.pick(['2001:db8', '2a02:8108', '2a01:4f8', '2600:1f18', '2404:6800', '2001:4860'])
  const words = (count: number) => Array.from({ length: count }, word).join(':')
  const full = `${start}:${words(6)}`
  return random.pick([
    full,
    `${start}:${words(2)}::${words(1)}`,
    `${start}::${words(2)}`,
    full.toUpperCase(),
    `fe80::${words(4)}`,
    `::ffff:${ipv4Address(random)}`,
  ])
}

export function macAddress(random: Random): string {
  const bytes = Array.from({ length: 6 }, () => random.text(2, HEX))
  const dotted = `${bytes[0]}${bytes[1]}.${bytes[2]}${bytes[3]}.${bytes[4]}${bytes[5]}`
  return random.pick([bytes.join(':'), bytes.join(':').toUpperCase(), bytes.join('-').toUpperCase(), dotted])
}

/** A URL that carries personal data: the personal part must go, the rest may. */
export function personalUrl(random: Random): Filled {
  const { given, family } = latinPerson(random)
  const token = random.text(28, ALNUM)
  const handle = `${given}-${family}-${random.text(5, `${LOWER}${DIGITS}`)}`
  const plain = `${given}.${family}${random.digits(2)}`
  const encoded = `${given}.${family}%40${random.pick(PROVIDERS)}`
  const word = `${random.text(7, LOWER)}${random.digits(2)}`
  const [text, secret] = random.pick([
    [`https://${plain}:${word}@intranet.example.org/files`, `${plain}:${word}`],
    [`ftp://${plain}:${word}@ftp.example.net/pub`, `${plain}:${word}`],
    [`https://example.org/unsubscribe?email=${encoded}`, encoded],
    [`https://shop.example.com/account?lang=en&mail=${plain}@gmail.com&x=1`, `${plain}@gmail.com`],
    [`https://app.example.com/reset?token=${token}`, token],
    [`https://api.example.com/v1/me?access_token=${token}`, token],
    [`https://www.linkedin.com/in/${handle}/`, handle],
    [`https://www.facebook.com/${plain}`, plain],
    [`https://www.instagram.com/${plain.replace('.', '_')}/`, plain.replace('.', '_')],
    [`linkedin.com/in/${handle}`, handle],
  ] as const)
  return { text, secrets: [secret] }
}
