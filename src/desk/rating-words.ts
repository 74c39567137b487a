import { bestTag } from '../language/best-tag.ts'

const en = 'How was it? Answer with a number from 1 (poor) to 5 (very good).'

/** The words by which users of channels are asked for a rating. The panel of a widget asks with the same question. */
const words: Record<string, string> = {
  en,
  de: 'Wie war es? Antworten Sie mit einer Zahl von 1 (schlecht) bis 5 (sehr gut).',
  fr: 'Comment était-ce ? Répondez par un chiffre de 1 (mauvais) à 5 (très bien).',
  es: '¿Qué le ha parecido? Responda con un número del 1 (mal) al 5 (muy bien).',
  it: 'Com’è andata? Risponda con un numero da 1 (male) a 5 (molto bene).',
  nl: 'Hoe was het? Antwoord met een cijfer van 1 (slecht) tot 5 (heel goed).',
  pt: 'Como correu? Responda com um número de 1 (mau) a 5 (muito bom).',
  ar: 'كيف كانت تجربتك؟ أجب برقم من 1 (سيئة) إلى 5 (جيدة جدًا).',
}

/** Returns the question for a rating in the language that fits best, or in English. */
export function askForRatingIn(language: string | null): string {
  return words[bestTag(Object.keys(words), language) ?? 'en'] ?? en
}
