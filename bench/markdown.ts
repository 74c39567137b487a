// Compares the two readers of Markdown with marked, markdown-it and micromark: size, time for the guides, what each makes
// of the examples of CommonMark and of what writers use, and for how long hostile texts hold up the process.
import { globSync, readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { constructs } from './markdown/constructs.ts'
import { openReaders, PEERS, type Reader } from './markdown/readers.ts'
import { bundledBytes } from './support/bundle-size.ts'
import { byTurns } from './support/by-turns.ts'
import { printTable } from './support/load.ts'
import { seenIn, wordsOf } from './support/seen-in.ts'
import { hostileTexts, slowestOf } from './support/time-aside.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const READERS = new URL('markdown/readers.ts', import.meta.url)
const PIECES = [
  ...[
    '[',
    '![',
    '[a](',
    '[a][',
    '](',
    '[a](<b',
    '![a](b "c',
    '[^a]',
    '[a]: <',
    '*a ',
    '**a*',
    '_a',
    'a_',
    'a**b',
  ],
  ...[
    '~~a',
    '`a``b',
    '<',
    '<a ',
    '<!-- ',
    '<?',
    '> ',
    '- ',
    '* * ',
    '|a',
    '&#',
    '\\',
    'a@',
    'http://',
    '{',
    '"a',
  ],
  ...['\n', '~~~\n', '# #', '=\n-\n', 'a\n=\n', '[a]: b\n', '|a|\n|-|\n'],
]

interface Example {
  markdown: string
  html: string
}

const readers = await openReaders()
const names = Object.keys(readers)

const guides = readdirSync(`${ROOT}docs`, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.md'))
  .map((name) => readFileSync(`${ROOT}docs/${name}`, 'utf8'))
const kilobytes = Math.round(guides.join('').length / 1000)
const times = byTurns(
  Object.fromEntries(names.map((name) => [name, () => guides.map((guide) => readers[name]?.(guide))])),
)

const { tests: examples } = createRequire(PEERS)('commonmark-spec') as { tests: Example[] }
const rightOf = (read: Reader) =>
  examples.filter(({ markdown, html }) => {
    const tabbed = (text: string) => text.replaceAll('→', '\t')
    return wordsOf(read(tabbed(markdown))) === wordsOf(seenIn(tabbed(html)))
  }).length
const keptBy = (read: Reader) =>
  constructs.filter(([, markdown, marks]) => marks.split('|').some((mark) => read(markdown).includes(mark)))
const lostBy = (read: Reader) =>
  constructs.filter(([, markdown, , says]) => !wordsOf(read(markdown)).includes(says))

const sizes = {
  'for documents': 'src/knowledge/formats/markdown/markdown.ts',
  'for the chat': 'browser/read-markdown.ts',
}
for (const [name, path] of Object.entries(sizes)) {
  const bytes = await bundledBytes(ROOT, `export * from './${path}'`)
  process.stdout.write(`${name}: ${bytes} bytes, minified and gzipped\n`)
}

const readmes = globSync('node_modules/{*,@*/*}/README.md', { cwd: ROOT })
const missing = missingWords(readmes.map((file) => readFileSync(`${ROOT}${file}`, 'utf8')))

printTable([
  ['', ...names],
  [`ms for the guides, ${kilobytes} kB`, ...names.map((name) => times[name]?.toFixed(0) ?? '')],
  [`right of ${examples.length} examples of CommonMark`, ...ofEach((read) => rightOf(read))],
  [`of ${constructs.length} constructs, marks are kept`, ...ofEach((read) => keptBy(read).length)],
  ['and text is lost', ...ofEach((read) => lostBy(read).length)],
  [`% of markdown-it's words that are missing, ${readmes.length} READMEs`, ...missing],
])
for (const [name, read] of Object.entries(readers)) {
  const named = (some: typeof constructs) => some.map(([construct]) => construct).join(', ')
  process.stdout.write(`${name} keeps: ${named(keptBy(read))}; loses: ${named(lostBy(read))}\n`)
}

for (const [length, asked] of [
  [20_000, names],
  [500_000, ['for documents', 'markdown-it']],
] as const) {
  process.stdout.write(`\nms for the slowest hostile texts of ${length} characters\n`)
  for (const name of asked)
    process.stdout.write(`${name}: ${slowestOf(READERS, name, hostileTexts(PIECES, length))}\n`)
}

function ofEach(measure: (read: Reader) => number): string[] {
  return Object.values(readers).map((read) => String(measure(read)))
}

/** Returns for each reader the share of the words that markdown-it shows and that it does not, in percent. */
function missingWords(texts: readonly string[]): string[] {
  const counts = (read: Reader, text: string) =>
    Map.groupBy(read(text).match(/[\p{L}\p{N}]+/gu) ?? [], (word) => word)
  return Object.values(readers).map((read) => {
    let all = 0
    let missing = 0
    for (const text of texts) {
      const found = counts(read, text)
      for (const [word, { length }] of counts(readers['markdown-it'] ?? read, text)) {
        all += length
        missing += Math.max(0, length - (found.get(word)?.length ?? 0))
      }
    }
    return ((100 * missing) / all).toFixed(2)
  })
}
