import { eld } from 'eld'
import { smallTalk } from './small-talk.ts'

// Loaded with the process, so that no request waits for it.
if ('load' in eld) await eld.load('small')
// Leaves addresses and codes aside.
eld.enableTextCleanup(true)

/** The number of characters that are examined. */
const SAMPLE = 1000
const LETTER = /\p{L}/gu
const LATIN = /\p{Script=Latin}/u
/** Matches texts that are more than names: with a word without a capital, all in capitals, or of a single word. */
const NO_NAME = /(?<![\p{L}\p{M}\p{N}'’])[\p{Ll}\p{Lo}]|^\P{Ll}*$|^\P{L}*[\p{L}\p{M}'’-]+\P{L}*$/u
/** Matches marks that hardly any language but Spanish has, and the most characters of a text that they decide. */
const INVERTED = /[¿¡]/
const SHORT = 60
/** The least lead of the best language over the next one, as a difference of odds times the letters of the text. */
const LEAST_LEAD = 4

/** Scripts of one language each that the detector does not know. */
const OTHERS: readonly [script: RegExp, language: string][] = [
  [/\p{Script=Khmer}/u, 'km'],
  [/\p{Script=Myanmar}/u, 'my'],
  [/\p{Script=Sinhala}/u, 'si'],
]

/**
 * Detects the language of a text. Returns an ISO 639-1 code, or null if the text does not decide, as names, numbers and
 * many single words do not. Norwegian is `no`, Malay is taken for Indonesian, and Serbian in Latin letters for Croatian.
 */
export function detectLanguage(text: string): string | null {
  const talk = smallTalk(text)
  if (talk?.languages.length === 1) return talk.languages[0] ?? null
  const sample = text.slice(0, SAMPLE).normalize('NFC')
  if (!NO_NAME.test(sample)) return null
  if (INVERTED.test(sample) && sample.length <= SHORT) return 'es'
  const detected = eld.detect(sample)
  const [best, next] = Object.values(detected.getScores())
  if (best === undefined) return OTHERS.find(([script]) => script.test(sample))?.[1] ?? null
  const isOnlyOne = next === undefined && !LATIN.test(sample)
  if (!isOnlyOne && !detected.isReliable()) return null
  const lead = (oddsOf(best) - oddsOf(next ?? 0)) * (sample.match(LETTER)?.length ?? 0)
  if (lead < LEAST_LEAD) return null
  // Few texts are long enough to tell Indonesian and Malay apart, and eld has only the name of Malay.
  return detected.language === 'ms' ? 'id' : detected.language
}

function oddsOf(score: number): number {
  return score / (1 - score)
}
