import { randomFrom } from '../../test/support/random.ts'

const VOCABULARY = 30_000
const SYLLABLES = 'ba ke di lo mu ra sen tor vel pin gar hos jud kal fen wex yor zim qua tri'.split(' ')

/**
 * Makes documents of words drawn as in natural texts, a few of them very often and most of them seldom (Zipf), and
 * questions of three to eight words, each taken from one document.
 */
export function makeCorpus(count: number, questions: number) {
  const random = randomFrom(1)
  const words = Array.from({ length: VOCABULARY }, (_, at) => wordOf(at))
  const draw = () => words[Math.floor(VOCABULARY ** random()) - 1] ?? 'x'
  const documents = Array.from({ length: count }, () =>
    Array.from({ length: 40 + Math.floor(random() * 160) }, draw).join(' '),
  )
  const queries = Array.from({ length: questions }, () => {
    const document = documents[Math.floor(random() * count)]?.split(' ') ?? []
    const length = 3 + Math.floor(random() * 6)
    return Array.from({ length }, () => document[Math.floor(random() * document.length)]).join(' ')
  })
  return { documents, queries }
}

/** Returns a different word for each number. */
function wordOf(at: number): string {
  let word = ''
  for (let rest = at; ; rest = Math.floor(rest / SYLLABLES.length) - 1) {
    word += SYLLABLES[rest % SYLLABLES.length]
    if (rest < SYLLABLES.length) return `${word}x`
  }
}
