import type { Random } from '../random.ts'
import { NAMES } from './names.ts'
import type { Filled } from './slot.ts'

interface Person {
  given: string
  family: string
}

/** Lower-case ASCII names, for e-mail addresses and profiles. */
export function latinPerson(random: Random): Person {
  const { given, family } = person(random, random.pick(['en', 'de', 'es', 'it', 'nl', 'pl']))
  return { given: toAscii(given), family: toAscii(family) }
}

function person(random: Random, language: string): Person {
  const names = NAMES[language]
  if (!names) throw new Error(`no names for ${language}`)
  return { given: random.pick(names.given), family: random.pick(names.family) }
}

/** Returns the family name first where the language does so, without a space in Chinese, Japanese and Korean. */
function fullName({ given, family }: Person, language: string): string {
  if (language === 'zh' || language === 'ko' || language === 'ja') return family + given
  if (language === 'vi') return `${family} ${given}`
  return `${given} ${family}`
}

/** Fills `{name}`, `{name:lower}` as typed in haste, `{name:given}` and `{name:family}`, with one person each. */
export function personName(random: Random, language: string, variant: string): Filled | string {
  const one = person(random, language)
  if (variant === 'given') return one.given
  if (variant === 'family') return one.family
  const text = fullName(one, language)
  const secrets = text.includes(' ') ? [one.given, one.family] : [text]
  if (variant === 'lower')
    return { text: text.toLowerCase(), secrets: secrets.map((name) => name.toLowerCase()) }
  return { text, secrets }
}

function toAscii(name: string): string {
  return name
    .toLowerCase()
    .replaceAll('ł', 'l')
    .replaceAll('ß', 'ss')
    .normalize('NFD')
    .replace(/[^a-z]/g, '')
}
