// Compares the reader of HTML with Turndown, by itself and behind Readability, and with node-html-markdown: what each makes
// of the parts of help pages, time, and for how long hostile pages hold up the process.
import { constructs } from './html/constructs.ts'
import { openReaders } from './html/readers.ts'
import { byTurns } from './support/by-turns.ts'
import { printTable } from './support/load.ts'
import { hostileTexts, slowestOf } from './support/time-aside.ts'

const READERS = new URL('html/readers.ts', import.meta.url)
/** A page that all read, with as many sections as make 100 kB. */
const SECTION =
  '<section><h2>Returns</h2><p>Send it <b>back</b> within 30 days, as <a href="/g">the guide</a> says:</p><ul><li>pack it</li><li>write the number on it</li></ul></section>'
const PIECES = [
  ...[
    '<div>',
    '<b>',
    '<ul><li>',
    '<table><tr><td>',
    '<details>',
    '<blockquote>',
    '<pre>',
    '<a href=x>',
    '<dl><dt>',
  ],
  ...[
    '<',
    '</',
    '<!',
    '<!--',
    '&',
    '&amp;',
    '<a ',
    '<p a=',
    '<script>',
    '<p>a',
    '<li>',
    '<td>',
    '</div>',
    ' ',
    '\n',
    'a ',
  ],
  ...[
    '<br>',
    '<hr>',
    '<h1>',
    '<img alt=a>',
    '*',
    '|',
    '`',
    '<i>a</i>',
    '<p id=a hidden>',
    '<svg>',
    '<dt>a</dt>',
  ],
]

const readers = await openReaders()
const names = Object.keys(readers)
const page = `<main>${SECTION.repeat(100_000 / SECTION.length)}</main>`
const times = byTurns(Object.fromEntries(names.map((name) => [name, () => readers[name]?.(page)])))

const found = names.map((name) => {
  const wrong = constructs.flatMap(([construct, source, kept, left]) => {
    const seen = readers[name]?.(source) ?? ''
    const has = (word: string) => word !== '' && seen.includes(word)
    // A cell may stand with the neighbours that it spans, which only a table has.
    const parts = kept.startsWith('|') ? [kept] : kept.split('|')
    return parts.every(has) && !left.split('|').some(has) ? [] : [construct]
  })
  return { name, wrong }
})
printTable([
  ['', ...names],
  ['ms for 100 kB', ...names.map((name) => times[name]?.toFixed(0) ?? '')],
  [`of ${constructs.length} parts, wrong`, ...found.map(({ wrong }) => String(wrong.length))],
])
for (const { name, wrong } of found) process.stdout.write(`${name} reads wrong: ${wrong.join(', ')}\n`)

for (const [length, asked] of [
  [20_000, names],
  [500_000, ['own']],
] as const) {
  process.stdout.write(`\nms for the slowest hostile pages of ${length} characters\n`)
  for (const name of asked)
    process.stdout.write(`${name}: ${slowestOf(READERS, name, hostileTexts(PIECES, length))}\n`)
}
