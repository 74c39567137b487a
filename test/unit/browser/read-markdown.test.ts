import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { type Block, type Inline, readMarkdown, safeUrl } from '../../../browser/read-markdown.ts'
import { processorTime } from '../../support/processor-time.ts'

describe('Markdown', () => {
  const paragraph = (...text: Inline[]): Block => ({ type: 'paragraph', text })

  const readings: [string, Block[]][] = [
    ['a **b _c_** d', [paragraph('a ', strong('b ', emphasis('c')), ' d')]],
    ['***x***', [paragraph(strong(emphasis('x')))]],
    [
      'snake_case_name and 2 * 3 * 4',
      [paragraph('snake', '_', 'case', '_', 'name and 2 ', '*', ' 3 ', '*', ' 4')],
    ],
    ['not **closed', [paragraph('not ', '**', 'closed')]],
    [
      '\\*as written\\* `**code**`',
      [paragraph('*', 'as written', '*', ' ', { type: 'code', text: '**code**' })],
    ],
    ['see https://a.example/b.', [paragraph('see ', link('https://a.example/b'), '.')]],
    [
      '[shop](https://a.example/(x)) [1]',
      [paragraph(link('https://a.example/(x)', 'shop'), ' ', { type: 'source', number: 1 })],
    ],
    ['# Title\ntext', [{ type: 'heading', text: ['Title'] }, paragraph('text')]],
    ['3. c\n4. d', [{ type: 'list', start: 3, items: [[paragraph('c')], [paragraph('d')]] }]],
    [
      '- a\n  - b',
      [
        {
          type: 'list',
          start: null,
          items: [[paragraph('a'), { type: 'list', start: null, items: [[paragraph('b')]] }]],
        },
      ],
    ],
    ['born in\n1990. And so on', [paragraph('born in\n1990. And so on')]],
    ['```js\n<b>\n```\nafter', [{ type: 'code', text: '<b>' }, paragraph('after')]],
    ['```\nnever closed', [{ type: 'code', text: 'never closed' }]],
    ['> q', [{ type: 'quote', content: [paragraph('q')] }]],
    ['---', [{ type: 'rule' }]],
    [
      '| a | b |\n|---|:-:|\n| 1 | 2 | 3 |',
      [{ type: 'table', head: [['a'], ['b']], rows: [[['1'], ['2'], ['3']]] }],
    ],
    ['<img src=x onerror=alert(1)>', [paragraph('<img src=x onerror=alert(1)>')]],
  ]
  for (const [text, blocks] of readings)
    it(`reads ${JSON.stringify(text)}`, () => assert.deepEqual(readMarkdown(text), blocks))

  for (const address of [
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    'data:text/html,x',
    'vbscript:x',
    '/path',
    'blob:x',
  ])
    it(`makes no link to ${address}`, () => {
      assert.deepEqual(
        addressesIn(readMarkdown(`[a](${address}) ![b](${address}) <${address}> ${address}`)),
        [],
      )
    })

  const pieces = fc.constantFrom(
    ...[
      '*',
      '**',
      '_',
      '__',
      '`',
      '```',
      '[',
      ']',
      '(',
      ')',
      '!',
      '\\',
      '\n',
      '\n\n',
      '  ',
      '- ',
      '1. ',
      '> ',
      '#',
      '|',
    ],
    ...[
      '|-|-|\n',
      'https://a.example',
      'javascript:alert(1)',
      'JaVaScRiPt:alert(1)',
      'java\tscript:alert(1)',
      '\u0001javascript:x',
      'data:text/html,<script>',
      'vbscript:x',
      '//evil.example',
      'mailto:a@b.example',
      '[x](https://a.example)',
      '‮',
      '\u{1f600}',
      'word',
      ' ',
      '\u0000',
    ],
  )
  const texts = fc.array(pieces, { maxLength: 60 }).map((parts) => parts.join(''))

  it('loses no word of any text but the name of a language after a fence', () => {
    fc.assert(
      fc.property(texts, (written) => {
        const text = written.replaceAll('```', '')
        const words = text.match(/word/g)?.length ?? 0
        assert.equal(wordsIn(readMarkdown(text)).match(/word/g)?.length ?? 0, words)
      }),
      { numRuns: 1000 },
    )
  })

  it('links only to addresses that a click may open', () => {
    fc.assert(
      fc.property(texts, (text) => {
        for (const address of addressesIn(readMarkdown(text)))
          assert.match(new URL(address).protocol, /^(https?|mailto|tel):$/)
      }),
      { numRuns: 1000 },
    )
  })

  it('takes only addresses that a click may open for safe', () => {
    fc.assert(
      fc.property(fc.oneof(texts, fc.webUrl(), fc.string({ unit: 'binary' })), (text) => {
        const url = safeUrl(text)
        if (url !== null) assert.match(url, /^(https?|mailto|tel):/)
      }),
      { numRuns: 1000 },
    )
  })

  it('takes time in proportion to the length of hostile text', () => {
    for (const piece of [
      '[',
      '`',
      '**_',
      '[a](',
      '> ',
      '- ',
      '|',
      '*a ',
      '_a',
      'https://',
      '| \n',
      '\\',
      '1. \n',
    ]) {
      const repeat = (length: number) => piece.repeat(length / piece.length)
      const short = quickest(() => readMarkdown(repeat(5_000)))
      const long = quickest(() => readMarkdown(repeat(50_000)))
      // Ten times the text: a hundred times the work would be the square.
      assert.ok(long < Math.max(short, 0.5) * 60, `${JSON.stringify(piece)}: ${short} ms, ${long} ms`)
    }
  })
})

function strong(...content: Inline[]): Inline {
  return { type: 'strong', content }
}

function emphasis(...content: Inline[]): Inline {
  return { type: 'emphasis', content }
}

function link(url: string, text = url): Inline {
  return { type: 'link', text, url }
}

function inlinesOf(blocks: readonly Block[]): Inline[] {
  return blocks.flatMap((block): Inline[] => {
    switch (block.type) {
      case 'paragraph':
      case 'heading':
        return block.text
      case 'code':
        return [block.text]
      case 'quote':
        return inlinesOf(block.content)
      case 'list':
        return block.items.flatMap(inlinesOf)
      case 'table':
        return [...block.head, ...block.rows.flat()].flat()
      default:
        return []
    }
  })
}

function flat(inlines: readonly Inline[]): Inline[] {
  return inlines.flatMap((part) =>
    typeof part === 'object' && 'content' in part ? flat(part.content) : [part],
  )
}

function wordsIn(blocks: readonly Block[]): string {
  return flat(inlinesOf(blocks))
    .map((part) => (typeof part === 'string' ? part : 'text' in part ? part.text : ''))
    .join(' ')
}

function addressesIn(blocks: readonly Block[]): string[] {
  return flat(inlinesOf(blocks)).flatMap((part) =>
    typeof part === 'object' && 'url' in part ? [part.url] : [],
  )
}

/** Returns the least processor time of a few goes, in milliseconds: a busy machine makes the clock go on meanwhile. */
function quickest(work: () => unknown): number {
  const times = Array.from({ length: 5 }, () => {
    const used = processorTime()
    work()
    return used()
  })
  return Math.min(...times)
}
