import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { htmlToMarkdown } from '../../../src/knowledge/formats/html/html.ts'
import { plainText, readMarkdown } from '../../../src/knowledge/formats/markdown/markdown.ts'
import { readDocument } from '../../../src/knowledge/formats/read-document.ts'
import { slugger } from '../../../src/knowledge/formats/slug.ts'
import { processorTime } from '../../support/processor-time.ts'

const textOf = (source: string) =>
  readMarkdown(source).map((block) => ('text' in block ? block.text : block.kind))
const cutDocument = (content: string, format: 'markdown' | 'text') => readDocument(content, format).passages

describe('readDocument', () => {
  test('cuts markdown at its headings, with their path and anchor', () => {
    const source = `---
title: no part of it
---
Before.

# Guide

Intro.

## Ports & hosts

Eight thousand.

### Free port

Zero.

Names
-----

Second level again.
`
    assert.deepEqual(cutDocument(source, 'markdown'), [
      { path: [], anchor: '', text: 'Before.' },
      { path: ['Guide'], anchor: 'guide', text: 'Intro.' },
      { path: ['Guide', 'Ports & hosts'], anchor: 'ports--hosts', text: 'Eight thousand.' },
      { path: ['Guide', 'Ports & hosts', 'Free port'], anchor: 'free-port', text: 'Zero.' },
      { path: ['Guide', 'Names'], anchor: 'names', text: 'Second level again.' },
    ])
  })

  test('leaves out the signs that close a heading, and no others', () => {
    const source = ['# Learn C#', '# F# #', '# Title #', '## a#', '## b \\#'].map((line) => `${line}\n\nx`)
    assert.deepEqual(
      cutDocument(source.join('\n\n'), 'markdown').map(({ path }) => path.at(-1)),
      ['Learn C#', 'F#', 'Title', 'a#', 'b #'],
    )
  })

  test('knows no headings in plain text and in code', () => {
    assert.deepEqual(
      cutDocument('# one\n\n## two', 'text').map(({ path }) => path),
      [[]],
    )
    assert.deepEqual(cutDocument('```sh\n# a comment\n\nls\n```', 'markdown'), [
      { path: [], anchor: '', text: '```\n# a comment\n\nls\n```' },
    ])
  })

  test('cuts a long section where its paragraphs end, and a long paragraph where its sentences do', () => {
    const paragraph = 'A sentence of some length. '.repeat(25).trim()
    const passages = cutDocument(`# T\n\n${paragraph}\n\n${paragraph}\n\n${paragraph}`, 'markdown')
    assert.equal(passages.length, 2)
    assert.ok(passages.every(({ anchor, text }) => anchor === 't' && text.endsWith('length.')))
    const pieces = cutDocument('A sentence of some length. '.repeat(500), 'text')
    assert.ok(
      pieces.length > 5 && pieces.every(({ text }) => text.length <= 2400 && text.endsWith('length.')),
    )
  })

  test('cuts long code between its lines, each piece in fences of its own with its indentation', () => {
    const calls = Array.from({ length: 150 }, (_, at) => `    call_number(${at}) # and more`)
    const lines = ['def call_all():', ...calls]
    for (const blank of ['', '\n']) {
      const passages = cutDocument(`\`\`\`\n${lines.join(`\n${blank}`)}\n\`\`\``, 'markdown')
      assert.ok(passages.length > 1)
      for (const { text } of passages) assert.match(text, /^```\n(?:def| {4}call)[^`]+more\n```$/)
      const kept = passages.flatMap(({ text }) => text.split('\n').filter((line) => line.includes('call')))
      assert.deepEqual(kept, lines)
    }
  })

  test('cuts no passage between a question, or a line that ends in a colon, and what belongs to it', () => {
    const long = 'A sentence of some length. '.repeat(37).trim()
    for (const leads of [
      ['How do I pay?'],
      ['Do this:'],
      ['How do I pay?', 'By one of these:'],
      ['いくら？'],
    ]) {
      const section = [...leads, long].join('\n\n')
      const passages = cutDocument(Array(20).fill(section).join('\n\n'), 'text')
      assert.ok(passages.length > 5)
      for (const { text } of passages.slice(0, -1)) assert.match(text, /length\.$/)
      assert.ok(passages.every(({ text }) => text.length <= 2400))
    }
    const questions = cutDocument('Is it?\n\n'.repeat(1000), 'text')
    assert.ok(questions.every(({ text }) => text.length <= 1600))
  })

  test('cuts at questions in bold, which headings and folded texts end', () => {
    const markdown =
      '# FAQ\n\nBefore.\n\n**How do I pay?**\n\nBy card.\n\nOr cash.\n\n__How long?__\nThree days.\n\n<details><summary>More</summary>\n\n**Why?**\n\nFire.\n\n</details>\n\nAfter.\n\n**Questions?**\n\n## End\n\nA **bold** word: **why?** So.'
    const html =
      '<h1>FAQ</h1><p>Before.</p><p><strong>How do <i>I</i></strong> <b>pay?</b></p><p>By card.</p><p>Or cash.</p><p><b>How long?</b><br>Three days.</p><details><summary>More</summary><b>Why?</b><p>Fire.</p></details><p>After.</p><p><b>Questions?</b></p><h2>End</h2><p>A <b>bold</b> word: <b>why?</b> So.'
    for (const { passages } of [readDocument(markdown, 'markdown'), readDocument(html, 'html')])
      assert.deepEqual(
        passages.map(({ path, text }) => [path.join(' › '), text]),
        [
          ['FAQ', 'Before.'],
          ['FAQ › How do I pay?', 'By card.\n\nOr cash.'],
          ['FAQ › How long?', 'Three days.'],
          ['FAQ › More › Why?', 'Fire.'],
          ['FAQ', 'After.\n\nQuestions?'],
          ['FAQ › End', 'A bold word: why? So.'],
        ],
      )
  })

  test('cuts a text without any end in it', () => {
    const pieces = cutDocument('あ'.repeat(10_000), 'text')
    assert.equal(pieces.map(({ text }) => text).join(''), 'あ'.repeat(10_000))
    assert.ok(pieces.every(({ text }) => text.length <= 2400))
  })

  test('loses no word of a plain text', () => {
    const words = fc.array(fc.stringMatching(/^[a-z]{1,12}[.\n ]{1,3}$/), { maxLength: 800 })
    fc.assert(
      fc.property(words, (words) => {
        const text = words.join('')
        const kept = cutDocument(text, 'text').map(({ text }) => text)
        assert.equal(kept.join('').replace(/\s/g, ''), text.replace(/\s/g, ''))
      }),
      { numRuns: 50 },
    )
  })

  for (const hostile of [
    '*a ',
    '[',
    '![',
    '[a](',
    '[a](b(',
    '`a``',
    '<a',
    '__a ',
    '<img alt="',
    '<img alt="" ',
    '<a text-decoration ',
    '<s a><s ',
    '**a?**\n\nb\n\n',
    '**a?',
    '# ',
    '| - ',
    '> ',
    '-\n',
    '```\n',
    '<!-- ',
    '  ',
    '\\',
  ]) {
    test(`takes time in line with the length of ${JSON.stringify(hostile)} repeated`, () => {
      const started = process.cpuUsage()
      cutDocument(`x${hostile.repeat(300_000 / hostile.length)}y\n|\n`, 'markdown')
      assert.ok(process.cpuUsage(started).user < 2000_000)
    })
  }

  for (const [what, source] of Object.entries({
    'escapes in bold': `**${'\\_a'.repeat(300)} x\n\ny`,
    'escaped code in bold': `${htmlToMarkdown(`<b>${'`'.repeat(60)}<code>**</code> x?</b>`).text}\n\ny`,
    'tildes above a backtick': `${'~'.repeat(20_000)}\``,
    'tabs behind the mark of an admonition': `!!!${'\t'.repeat(590)}\0\n`.repeat(33),
    'tabs behind the mark of a footnote': `[^1]:${'\t'.repeat(20_000)}\u2028x`,
  }))
    test(`takes milliseconds for ${what}`, () => {
      const used = processorTime()
      cutDocument(`# T\n\n${source}`, 'markdown')
      assert.ok(used() < 100)
    })

  test('takes U+2028 and U+2029 for ends of lines', () => {
    const passage = { path: ['T'], anchor: 't', text: 'One\n\n- two\n- three' }
    for (const end of ['\u2028', '\u2029'])
      assert.deepEqual(cutDocument('# T\n\nOne\n\n- two\n- three'.replaceAll('\n', end), 'markdown'), [
        passage,
      ])
  })

  test('reads a question in bold whose sign is escaped', () => {
    assert.deepEqual(cutDocument('**May I \\*pay\\* later\\?**\n\nYes.', 'markdown'), [
      { path: ['May I *pay* later?'], anchor: '', text: 'Yes.' },
    ])
  })

  test('takes time in line with the length of blanks within fences', () => {
    const started = process.cpuUsage()
    cutDocument(`\`\`\`\n${' '.repeat(1_000_000)}x\n`, 'markdown')
    assert.ok(process.cpuUsage(started).user < 2000_000)
  })

  test('takes code of any number of lines, and fences of any length', () => {
    const fence = '`'.repeat(100_000)
    const [code] = textOf(`${fence}\n${'x\n'.repeat(300_000)}${fence}\nend`)
    assert.equal(code?.length, 600_007)
  })

  test('ends a fence at one as long, in a quotation too', () => {
    const blocks = readMarkdown('> ````\n> a\n> ```\n> ````\nend')
    assert.deepEqual(
      blocks.map(({ kind }) => kind),
      ['code', 'text'],
    )
  })
})

describe('readMarkdown', () => {
  test('joins wrapped lines and keeps lists, hard breaks and paragraphs apart', () => {
    const source = 'One\nline.\n\n- first\n  goes on\n- [x] second\n  1. third\n\nhard  \nbreak'
    assert.deepEqual(textOf(source), ['One line.', '- first goes on\n- second\n  1. third', 'hard\nbreak'])
  })

  test('leaves out items that are struck out', () =>
    assert.deepEqual(textOf('- one\n- ~~two~~\n- three'), ['- one\n- three']))

  test('makes a line of each table row, whether or not it is closed', () => {
    const source = 'Settings:\n| Name | Default |\n|---|---|\n| `PORT` | 8080 |\n| A \\| B | **none**\n'
    assert.deepEqual(textOf(source), ['Settings:\n- Name: PORT; Default: 8080\n- Name: A | B; Default: none'])
  })

  test('leaves out what a reader does not see', () => {
    const source =
      '<!-- no\n\nno -->\n<p align="center">Seen</p>\n\n[ref]: https://example.com\n\n> [!NOTE]\n> Quoted.\n\n---\n'
    assert.deepEqual(textOf(source), ['Seen', 'Quoted.'])
  })

  test('takes code out of a list with its indentation, and ends an open fence with the text', () => {
    assert.deepEqual(textOf('- do\n\n  ```js\n  if (a)\n    b()\n  ```\n\n~~~\nopen'), [
      '- do',
      '```\nif (a)\n  b()\n```',
      '```\nopen\n```',
    ])
  })
})

test('plainText takes the markup out and leaves names alone', () => {
  const cases = {
    'a **bold** *slanted* ~~old~~ _word_': 'a bold slanted word',
    '~~49 €~~ 39<sup>1</sup> € for 2 m<sup>2</sup> in <del>14</del> 30 days': '39¹ € for 2 m2 in 30 days',
    'Cost <del class="x">10</del> <s\tid=a>11</s> <span style="text-decoration: line-through">9</span> 12<sup class="c">50</sup>, <span style="color:red">now</span> <small>1</small>.':
      'Cost 12⁵⁰, now 1.',
    'a **bold *slanted* old** word': 'a bold slanted old word',
    'write to <help@shop.example> or <mailto:a@b.example>':
      'write to help@shop.example or mailto:a@b.example',
    'set `PARLEY_*` and snake_case_name': 'set PARLEY_* and snake_case_name',
    '[the guide](docs/a.md "A") and ![a picture](b.png), [ref][1]': 'the guide and a picture, ref',
    '[a cup](https://example.com/Cup_(drink)) [x [y](z)': 'a cup [x y',
    '<https://example.com> and <kbd>Ctrl</kbd>': 'https://example.com and Ctrl',
    'the <img src="a.png" alt="green"/>button<img alt=""> here': 'the green button here',
    '2 * 3 * 4 and \\*no\\*': '2 * 3 * 4 and *no*',
  }
  for (const [markdown, plain] of Object.entries(cases)) assert.equal(plainText(markdown), plain)
})

test('slugger makes the anchors that GitHub makes', () => {
  const slug = slugger()
  const headings = [
    'Hello, World!',
    'GET /conversations',
    'Über uns',
    'a_b-c',
    'Same',
    'Same',
    'Same-1',
    '日本 語',
    '`code` & more',
  ]
  assert.deepEqual(headings.map(slug), [
    ...['hello-world', 'get-conversations', 'über-uns', 'a_b-c', 'same', 'same-1', 'same-1-1', '日本-語'],
    'code--more',
  ])
})
