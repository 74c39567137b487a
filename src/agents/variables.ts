import type { z } from 'zod'
import { languageName } from '../language/language-name.ts'
import { fillVariables, variablesIn } from '../lib/fill-variables.ts'
import { timeInWords } from '../lib/time-zone.ts'
import { cleanName, onOneLine, quoted } from '../model/as-data.ts'
import type { Occasion } from './occasion.ts'

/** The variables of an agent's texts, beside `user.` and the name of an attribute. */
const VARIABLES = ['now', 'date', 'channel', 'language', 'user.name']
const KNOWN = VARIABLES.map((name) => `{{${name}}}`).join(', ')
const ATTRIBUTE = /^user\.(?<name>.{1,64})$/s

/** Says which variable of a text does not exist; null: all do. */
export function unknownVariable(text: string): string | null {
  const unknown = variablesIn(text).find((name) => !VARIABLES.includes(name) && !ATTRIBUTE.test(name))
  if (unknown === undefined) return null
  return `holds {{${unknown.slice(0, 64)}}}, which is no variable: there are ${KNOWN} and {{user.x}} for the attribute x; \\{{ writes the braces themselves`
}

/** Creates the schema of a text without variables, from that of a text. */
export function withoutVariables<Text extends z.ZodString>(text: Text): Text {
  return text.superRefine((value, context) => {
    if (variablesIn(value).length > 0) context.addIssue('must not hold a variable')
  })
}

/** Fills a text that is said to the user, in the user's language. */
export function fillForUser(text: string, occasion: Occasion, timeZone: string): string {
  return filled(text, occasion, timeZone, {
    locale: occasion.language ?? 'en',
    name: onOneLine,
    value: onOneLine,
  })
}

/** Fills a text for a model. Values that describe the user are put in quotation marks, as data. */
export function fillForModel(text: string, occasion: Occasion, timeZone: string): string {
  return filled(text, occasion, timeZone, FOR_MODEL)
}

interface Voice {
  locale: string
  name: (name: string) => string
  value: (value: string) => string
}

const FOR_MODEL: Voice = { locale: 'en-GB', name: (name) => quoted(cleanName(name)), value: quoted }

function filled(
  text: string,
  { now, channel, language, customer }: Occasion,
  timeZone: string,
  said: Voice,
): string {
  if (!text.includes('{{')) return text
  return fillVariables(text, (name) => {
    if (name === 'now') return timeInWords(now, timeZone, said.locale)
    if (name === 'date') return timeInWords(now, timeZone, said.locale, { withTime: false })
    if (name === 'channel') return channel
    if (name === 'language') return language === null ? '' : languageName(language, said.locale)
    if (name === 'user.name') return said.name(customer?.name ?? '')
    const attribute = ATTRIBUTE.exec(name)?.groups?.name
    return attribute === undefined ? undefined : said.value(customer?.attributes.get(attribute) ?? '')
  })
}
