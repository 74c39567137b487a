// Compares the reader of reStructuredText with restructured and rst-compiler: size, what each makes of the constructs of
// docutils and Sphinx, time, and for how long hostile texts hold up the process.
import { constructs } from './rst/constructs.ts'
import { openReaders } from './rst/readers.ts'
import { byTurns } from './support/by-turns.ts'
import { printTable } from './support/load.ts'
import { wordsOf } from './support/seen-in.ts'
import { hostileTexts, slowestOf } from './support/time-aside.ts'

const READERS = new URL('rst/readers.ts', import.meta.url)
/** Text that all three read, in as many copies as make 100 kB. */
const PLAIN =
  'Returns\n=======\n\nSend it **back** within 30 days, as the `guide <https://a.example>`_ says:\n\n- pack it;\n- write the number on it.\n\n'
const PIECES = [
  ...[
    '`',
    '``',
    '*',
    '**',
    '*a ',
    '`a ',
    '|',
    '|a',
    '_',
    'a_ ',
    '[',
    '[a]_ ',
    ':a:`',
    '\\',
    '<',
    '`a <',
    '::\n\n',
  ],
  ...[
    '- ',
    '- a\n',
    '+-',
    '+--+\n',
    '= ',
    '== ==\n',
    '.. ',
    '.. a::\n',
    '.. _a:\n',
    '.. |a| replace:: ',
    ':a: ',
    '-a  b\n',
  ],
  ...['a\n=\n', '=\n', ' ', '\n', 'a\n ', '| a\n', '>>> a\n', '(a) ', '1. a\n', '.. [1] a\n', '"', 'a'],
]

const readers = await openReaders()
const names = Object.keys(readers)
const text = PLAIN.repeat(100_000 / PLAIN.length)
const times = byTurns(Object.fromEntries(names.map((name) => [name, () => readers[name]?.(text)])))

const found = names.map((name) => {
  const read = readers[name] ?? String
  const [refused, kept, lost]: string[][] = [[], [], []]
  for (const [construct, source, marks, says] of constructs) {
    try {
      const seen = read(source)
      if (marks.split('|').some((mark) => mark !== '' && seen.includes(mark))) kept?.push(construct)
      if (!wordsOf(seen).includes(says)) lost?.push(construct)
    } catch {
      refused?.push(construct)
    }
  }
  return { name, refused, kept, lost }
})
const count = (what: 'refused' | 'kept' | 'lost') => found.map((one) => String(one[what]?.length))
printTable([
  ['', ...names],
  ['ms for 100 kB', ...names.map((name) => times[name]?.toFixed(0) ?? '')],
  [`of ${constructs.length} constructs, refused`, ...count('refused')],
  ['marks are kept', ...count('kept')],
  ['text is lost', ...count('lost')],
])
for (const { name, refused, kept, lost } of found)
  process.stdout.write(`${name} refuses: ${refused}; keeps: ${kept}; loses: ${lost}\n`)

for (const [length, asked] of [
  [20_000, names],
  [500_000, ['own']],
] as const) {
  process.stdout.write(`\nms for the slowest hostile texts of ${length} characters\n`)
  for (const name of asked)
    process.stdout.write(`${name}: ${slowestOf(READERS, name, hostileTexts(PIECES, length))}\n`)
}
