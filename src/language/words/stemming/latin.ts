const VOWEL = /[aeiouy]/

/**
 * Takes the commonest English endings off a folded word of at least four letters, so that `pauses`, `paused` and
 * `pausing` meet. Most plurals of German, French, Spanish and Portuguese nouns meet their singular too.
 */
export function stemLatin(word: string): string {
  return withoutFinalVowel(withoutSuffix(withoutVerbEnding(singular(word))))
}

/** Plurals of German nouns that are made with an ending: `Rechnungen`, `Informationen`. */
const GERMAN_PLURAL = /(?<=.{2}(?:ung|heit|keit|schaft|tion|tat))en$/

function singular(word: string): string {
  if (GERMAN_PLURAL.test(word)) return word.slice(0, -2)
  if (word.endsWith('sses')) return word.slice(0, -2)
  if (word.endsWith('ies')) return `${word.slice(0, -3)}y`
  if (/(?:[sxz]|[cs]h)es$/.test(word)) return word.slice(0, -2)
  if (/[^suix]s$/.test(word)) return word.slice(0, -1)
  return word
}

function withoutVerbEnding(word: string): string {
  const base = word.replace(/(?:ingly|edly|ing|ed)$/, '')
  if (base === word || base.length < 3 || !VOWEL.test(base)) return word
  if (/[^e]at$/.test(base) && base.length >= 6) return base.slice(0, -2)
  return base.replace(/([bdfgmnprt])\1$/, '$1')
}

/** Endings that make nouns and adverbs of verbs and adjectives. */
const SUFFIXES: readonly [RegExp, string][] = [
  [/(?:ization|isation|izer|iser)$/, 'iz'],
  [/(?:ational|ation|ator|ate)$/, ''],
  [/(?:fulness|ousness|iveness|ness)$/, ''],
  [/(?:ability|ibility)$/, 'abl'],
  [/ction$/, 'ct'],
  [/(?<=.{4})(?:tion|sion)$/, 't'],
  [/(?:ment|ally|fully|ly)$/, ''],
]

function withoutSuffix(word: string): string {
  for (const [suffix, replacement] of SUFFIXES) {
    const base = word.replace(suffix, replacement)
    if (base !== word && base.length >= 4) return base
  }
  return word
}

function withoutFinalVowel(word: string): string {
  if (word.length > 4 && word.endsWith('e')) return word.slice(0, -1)
  if (word.length > 3 && word.endsWith('y')) return `${word.slice(0, -1)}i`
  return word
}
