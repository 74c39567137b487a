import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { convertAside } from '../../../src/knowledge/formats/convert/convert-aside.ts'
import { escapeMarkdown } from '../../../src/knowledge/formats/escape-markdown.ts'
import { htmlToMarkdown } from '../../../src/knowledge/formats/html/html.ts'
import { readDocument } from '../../../src/knowledge/formats/read-document.ts'
import { docxParagraph, makeDocx, makePdf } from '../../support/made-files.ts'

const inHtml = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
const textOf = (content: string, format: 'html' | 'markdown') =>
  readDocument(content, format)
    .passages.map(({ path, text }) => [...path, text].join('\n\n'))
    .join('\n\n')

/** Reads a page both as such and as the Markdown that is stored of it. */
function readBoth(html: string): string[] {
  return [textOf(html, 'html'), textOf(htmlToMarkdown(html).text, 'markdown')]
}

const lines = [
  'Dial *21*0301234567# and **press** the button',
  'CNAME for <your-shop>.example.com',
  '> 18 years only',
  '__init__ and _this_, but snake_case_too',
  '[Note]: bring your passport',
  'See [the guide](a.html), [a][b], ![c](d.png), [^1] and [!NOTE]',
  '[x] done',
  '[TOC]',
  '# of items',
  '+ 5 € for shipping',
  '* incl. VAT',
  ': defined',
  ':::note',
  '!!! note "Title"',
  '??? question',
  '=== "Tab"',
  '---',
  '===',
  '- - -',
  '~~49 €~~ 39 €',
  '~~~',
  '```js',
  'Press ` twice, as in `a`',
  String.raw`C:\Users\*.txt on \\server\ and C:\ `.trim(),
  'Write {.class}, {{ name }}, {% raw %}, {a="b"} or {name}',
  'Name {#anchor}',
  '<!-- no comment',
  'A <details> element with a <summary>',
  '<script> is a tag, 3 < 4, a<b, <me@example.com>',
  '--8<-- "file.md"',
  '<<< @/file',
  'export default settings',
  "import x from 'y'",
  '{/* a comment */}',
  '*[HTML]: a language',
  '1. January',
]

describe('text with signs of Markdown', () => {
  for (const line of lines)
    it(`is read as it stands in a page: ${line}`, () => {
      for (const text of readBoth(`<p>One</p><p>${inHtml(line)}</p><p>Two</p>`))
        assert.equal(text, `One\n\n${line}\n\nTwo`)
      for (const text of readBoth(`<p>${inHtml(line)}</p>`)) assert.equal(text, line)
    })

  it('stays in headings, names, cells, items and code', () => {
    const page = `<h2>${inHtml('A *b* {#c} <d>')}</h2><details><summary>${inHtml('_e_ [f](g)')}</summary><p>h</p></details>
      <dl><dt>${inHtml('*i*')}</dt><dd>j</dd></dl><ul><li>${inHtml('# k')}</li></ul>
      <table><tr><th>l|m</th><th>n</th></tr><tr><td>-</td><td>${inHtml('*o*')}</td></tr></table>
      <p><code>${inHtml('*p* <!-- q')}</code>*<code>r</code>*</p><pre>${inHtml('<!-- s -->\n*t*')}</pre><p>u</p>`
    const expected =
      'A *b* {#c} <d>\n\n_e_ [f](g)\n\nh\n\nA *b* {#c} <d>\n\n*i*: j\n\n- # k\n\n- l|m: -; n: *o*\n\n*p* <!-- q*r*\n\n```\n<!-- s -->\n*t*\n```\n\nu'
    assert.deepEqual(readBoth(page), [expected, expected])
  })

  it('is read as it stands in PDF and DOCX files', async () => {
    const pdf = makePdf([
      lines.slice(0, 6).map((text, at) => ({ y: 800 - at * 40, text: text.slice(0, 80) })),
    ])
    const docx = makeDocx(
      lines
        .slice(0, 6)
        .map((text) => docxParagraph(inHtml(text)))
        .join(''),
    )
    for (const [format, file] of [
      ['pdf', pdf],
      ['docx', docx],
    ] as const) {
      const read = await convertAside(null, format, file)
      assert.ok('content' in read)
      const text = textOf(read.content, 'markdown').replace('Page 1\n\n', '')
      assert.equal(text, lines.slice(0, 6).join('\n\n'), format)
    }
  })

  it('is escaped only where it would be markup', () => {
    for (const text of [
      '5 * 3 < 20, 5 €* [sic] {name} C:\\Users snake_case a~b - c!',
      '- item',
      '1. item',
      '#1',
    ])
      assert.equal(escapeMarkdown(text), text)
    assert.equal(escapeMarkdown('Dial *21*030#'), String.raw`Dial \*21\*030#`)
  })

  it('is any text', () => {
    const word = fc.oneof(
      fc.constantFrom(...'*_`~[](){}<>#+-|:!?=\\.^/"\'1a'),
      fc.constantFrom(' ', ' ', 'ab', '](', '](x)', '<b>', '{.a}', '**', '__', '~~', '``', 'export default'),
    )
    fc.assert(
      fc.property(fc.array(word, { minLength: 1, maxLength: 12 }), (words) => {
        const text = words.join('').replace(/\s+/g, ' ').trim()
        for (const read of readBoth(`<p>One</p><p>${inHtml(text)}</p><p>Two</p>`))
          assert.equal(read, ['One', text, 'Two'].filter(Boolean).join('\n\n'))
      }),
      { numRuns: 1000 },
    )
  })

  it('takes time in line with its length', () => {
    for (const piece of ['*', '_', '[', '[a', '{', '{a', '<', '<a', '\\', '`', '~', '<!--', '-', ' -']) {
      const started = process.cpuUsage()
      readBoth(`<p>${inHtml(piece.repeat(100_000 / piece.length))}</p>`)
      assert.ok(process.cpuUsage(started).user < 2_000_000, piece)
    }
  })
})
