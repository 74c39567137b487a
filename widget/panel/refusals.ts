import { refusals as ar } from '../texts/ar.json'
import { refusals as de } from '../texts/de.json'
import { refusals as en } from '../texts/en.json'
import { refusals as es } from '../texts/es.json'
import { refusals as fr } from '../texts/fr.json'
import { refusals as it } from '../texts/it.json'
import { refusals as nl } from '../texts/nl.json'
import { refusals as pt } from '../texts/pt.json'

/** The service's words on a file that it does not take, and the texts for them. */
const reasons = [
  [/is empty/, 'empty'],
  [/cannot be read/, 'damaged'],
  [/kind that is not read/, 'otherPicture'],
] as const

const languages: Record<string, typeof en> = { ar, de, en, es, fr, it, nl, pt }

/** Returns the reasons for which files are not taken. Their script is of its own: with them, that of uploads is too large. */
export function refusalsIn(language: string): typeof en {
  return languages[language] ?? en
}

/** Returns the name of the text for the service's words on a file. */
export function refusalOf(message: string): keyof typeof en {
  return reasons.find(([words]) => words.test(message))?.[1] ?? 'notTaken'
}
