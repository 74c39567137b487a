/** Scripts, each with the language of its texts. Null if several languages share it: words and letters then decide. */
const SCRIPTS: readonly [pattern: string, language: string | null][] = [
  ['Latin', null],
  ['Cyrillic', null],
  ['Arabic', null],
  ['Devanagari', null],
  ['Hiragana', 'ja'],
  ['Katakana', 'ja'],
  ['Han', 'zh'],
  ['Hangul', 'ko'],
  ['Thai', 'th'],
  ['Greek', 'el'],
  ['Hebrew', 'he'],
  ['Bengali', 'bn'],
  ['Tamil', 'ta'],
  ['Telugu', 'te'],
  ['Gujarati', 'gu'],
  ['Gurmukhi', 'pa'],
  ['Kannada', 'kn'],
  ['Malayalam', 'ml'],
  ['Sinhala', 'si'],
  ['Lao', 'lo'],
  ['Khmer', 'km'],
  ['Myanmar', 'my'],
  ['Georgian', 'ka'],
  ['Armenian', 'hy'],
  ['Ethiopic', 'am'],
]

const tests = SCRIPTS.map(([name]) => [name, new RegExp(`\\p{Script=${name}}`, 'gu')] as const)
const languages = new Map(SCRIPTS)

/** Scripts in which one letter carries as much as several of an alphabet. */
const DENSE = new Set(['Han', 'Hiragana', 'Katakana', 'Hangul'])
const DENSITY = 3
/** The least share of kana in Japanese, which mixes them with Han characters. */
const KANA_SHARE = 0.1

const ASCII = /^\p{ASCII}*$/u
const ASCII_LETTER = /[a-z]/i

/** Tells whether a text is all ASCII, so that no other characters need to be looked for. */
export function isAscii(text: string): boolean {
  return ASCII.test(text)
}

/** Returns the script of most of a text, and its language if the script has only one; null if there are no letters. */
export function mainScript(text: string): { script: string; language: string | null } | null {
  if (isAscii(text)) return ASCII_LETTER.test(text) ? { script: 'Latin', language: null } : null
  const counts = new Map<string, number>()
  for (const [name, test] of tests) {
    const count = text.match(test)?.length ?? 0
    if (count > 0) counts.set(name, DENSE.has(name) ? count * DENSITY : count)
  }
  const of = (name: string) => counts.get(name) ?? 0
  const kana = of('Hiragana') + of('Katakana')
  const japanese = kana + of('Han')
  if (kana > 0 && kana >= japanese * KANA_SHARE) {
    for (const name of ['Katakana', 'Han']) counts.delete(name)
    counts.set('Hiragana', japanese)
  }
  let main: string | null = null
  for (const [name, count] of counts) if (main === null || count > of(main)) main = name
  return main === null ? null : { script: main, language: languages.get(main) ?? null }
}
