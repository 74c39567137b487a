import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { convertAside } from '../../../src/knowledge/formats/convert/convert-aside.ts'
import { readCsv } from '../../../src/knowledge/formats/csv.ts'
import { decodeText, decodeWestern } from '../../../src/knowledge/formats/decode-text.ts'
import { htmlToMarkdown } from '../../../src/knowledge/formats/html/html.ts'
import { withoutCode } from '../../../src/knowledge/formats/markdown/mdx.ts'
import { type DocumentFormat, readDocument } from '../../../src/knowledge/formats/read-document.ts'
import { docxParagraph, docxTable, makeDocx, makePdf, makeZip } from '../../support/made-files.ts'

const passagesOf = (content: string, format: DocumentFormat) =>
  readDocument(content, format).passages.map(({ path, text }) => [path.join(' › '), text])

describe('PDF files', () => {
  test('become text with a heading for each page, tables with their rows and cells', async () => {
    const read = await convertAside(
      null,
      'pdf',
      makePdf(
        [
          [
            { y: 800, size: 18, text: 'Returns' },
            { y: 770, text: 'A kettle may be sent back within thir-' },
            { y: 757, text: 'ty days of its delivery.' },
            { y: 720, text: 'Plan' },
            { x: 250, y: 720, text: 'Price' },
            { y: 707, text: 'Team' },
            { x: 250, y: 707, text: '29 EUR' },
          ],
          [],
          [{ y: 800, text: 'More about returns stands on this page.' }],
        ],
        '/Title (Our rules)',
      ),
    )
    assert.ok('content' in read, JSON.stringify(read))
    assert.equal(read.title, 'Our rules')
    assert.deepEqual(read.notes, ['no text, only pictures, on page 2'])
    assert.deepEqual(passagesOf(read.content, 'markdown'), [
      [
        'Page 1 › Returns',
        'A kettle may be sent back within thirty days of its delivery.\n\n- Plan: Team; Price: 29 EUR',
      ],
      ['Page 3 › Returns', 'More about returns stands on this page.'],
    ])
  })

  test('without any text are called scans, with what to do', async () => {
    const read = await convertAside(null, 'pdf', makePdf([[], [{ y: 20, text: '2' }]]))
    assert.match('refused' in read ? read.refused : '', /it is a scan\. Let an OCR program add the text/)
  })

  test('that are broken are refused, and the next one is read', async () => {
    const whole = makePdf([[{ y: 800, text: 'A page with some text on it.' }]])
    const loop = Buffer.from(whole.toString('latin1').replace('/Kids [4 0 R]', '/Kids [2 0 R]'), 'latin1')
    const many = Buffer.from(whole.toString('latin1').replace('/Count 1', '/Count 100000'), 'latin1')
    for (const [name, file] of Object.entries({
      junk: Buffer.from('junk'),
      empty: Buffer.alloc(0),
      head: whole.subarray(0, 300),
      loop,
      many,
    })) {
      const read = await convertAside(null, 'pdf', file)
      assert.ok('refused' in read || name === 'many', `${name}: ${JSON.stringify(read)}`)
    }
    assert.ok('content' in (await convertAside(null, 'pdf', whole)))
  })
})

describe('DOCX files', () => {
  test('keep headings, and tables with the line above them', async () => {
    const body = [
      docxParagraph('Prices', 'Heading1'),
      docxParagraph('What it costs:'),
      docxTable([
        ['Plan', 'Price'],
        ['Team', '29 EUR'],
        ['Solo', ''],
      ]),
    ]
    const read = await convertAside(null, 'docx', makeDocx(body.join('')))
    assert.ok('content' in read, JSON.stringify(read))
    assert.deepEqual(passagesOf(read.content, 'markdown'), [
      ['Prices', 'What it costs:\n\n- Plan: Team; Price: 29 EUR\n- Plan: Solo'],
    ])
  })

  test('that unpack to far more than texts do, or to more than they say, are refused before they are read', async () => {
    const bomb = ' '.repeat(30_000_000)
    const large = await convertAside(null, 'docx', makeDocx(docxParagraph(bomb)))
    assert.deepEqual(large, { refused: 'its archive is too large when it is unpacked' })
    const lie = makeDocx(docxParagraph('x'), [
      { name: 'word/styles.xml', content: bomb, saysUnpacked: 100_000 },
    ])
    assert.deepEqual(await convertAside(null, 'docx', lie), {
      refused: 'its archive is not as its directory says',
    })
    const many = Array.from({ length: 6000 }, (_, at) => ({ name: `word/${at}.png`, content: '' }))
    assert.deepEqual(await convertAside(null, 'docx', makeDocx('', many)), {
      refused: 'its archive has more than 5000 entries',
    })
  })

  test('that are something else are refused', async () => {
    const entity =
      '<?xml version="1.0"?><!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><w:document><w:body>&x;</w:body></w:document>'
    for (const [name, file] of Object.entries({
      junk: Buffer.from('PK\x03\x04junk'),
      zip: makeZip([{ name: 'a.txt', content: 'a' }]),
      cut: makeDocx(docxParagraph('x')).subarray(0, 400),
      entity: makeZip([
        { name: 'word/document.xml', content: entity },
        { name: '[Content_Types].xml', content: '<a/>' },
      ]),
    })) {
      const read = await convertAside(null, 'docx', file)
      assert.ok('refused' in read, `${name}: ${JSON.stringify(read)}`)
    }
  })
})

describe('CSV files', () => {
  test('with the columns question and answer are FAQ entries, their other columns other ways to ask', () => {
    const csv =
      'question,answer,alternates,\n"How do I pay?","By card, or ""cash"".",Payment methods,Can I pay cash?\nempty,,x\n'
    for (const [name, source] of Object.entries({ commas: csv, marked: `\uFEFF${csv}` }))
      assert.deepEqual(
        readDocument(source, 'csv').passages,
        [
          {
            path: ['How do I pay?'],
            anchor: 'how-do-i-pay',
            text: 'By card, or "cash".',
            questions: ['Payment methods', 'Can I pay cash?'],
          },
        ],
        name,
      )
    assert.deepEqual(passagesOf('Frage;Antwort\nWie zahle ich?;Bar, oder mit Karte\n', 'csv'), [
      ['Wie zahle ich?', 'Bar, oder mit Karte'],
    ])
  })

  test('of other columns are tables, whose rows name the columns', () => {
    const rows = Array.from({ length: 300 }, (_, at) => `Lamp ${at}\t${at} EUR`).join('\n')
    const passages = passagesOf(`Article\tPrice\n${rows}`, 'csv')
    assert.ok(passages.length > 2)
    for (const [, text] of passages) assert.match(text ?? '', /^- Article: Lamp \d+; Price: \d+ EUR\n/)
    const kept = passages.map(([, text]) => text).join('\n')
    for (let at = 0; at < 300; at++)
      assert.ok(kept.includes(`- Article: Lamp ${at}; Price: ${at} EUR`), `row ${at}`)
  })

  test('that are broken are refused with the line', () => {
    assert.throws(
      () => readDocument('question,answer\n"open,x\n', 'csv'),
      /no valid CSV at line \d+: a quotation mark is not closed/,
    )
  })
})

test('columns of ids, numbers and addresses in CSV are no ways to ask', () => {
  const source = `id,question,answer,alternates,price,link,mail,day,path
FAQ-1,How do I pay?,By card.,Paying,12.50,https://shop.example/pay,a@shop.example,2026-01-03,/pay
FAQ-2,Is 2FA on?,Yes.,2FA,7,,b@shop.example,2026-01-04,/login/2fa`
  const asked = readCsv(source).flatMap((block) => (block.kind === 'heading' ? [block.questions] : []))
  assert.deepEqual(asked, [['Paying'], ['2FA']])
})

describe('tables', () => {
  test('that are cut repeat the line above and the names of the columns', () => {
    const rows = Array.from({ length: 200 }, (_, at) => `| Lamp ${at} | ${at} EUR | in stock |`).join('\n')
    const passages = passagesOf(
      `# Lamps\n\nPrices with tax:\n\n| Article | Price | |\n|---|---|---|\n${rows}\n\nAsk us.`,
      'markdown',
    )
    assert.ok(passages.length > 2)
    for (const [, text = ''] of passages)
      assert.match(text, /^Prices with tax:\n\n- Article: Lamp \d+; Price: \d+ EUR; in stock\n/)
    assert.match(passages.at(-1)?.[1] ?? '', /\n\nAsk us\.$/)
  })
})

describe('pages of HTML', () => {
  const text =
    'Kettles can be sent back within thirty days of their delivery, unless they were used. '.repeat(4)

  test('give what stands in main, or in article, and the heading in its header', () => {
    const around = (inner: string) =>
      `<title>Returns | Shop</title><header><h1>Shop</h1></header><div>Cookies?</div>${inner}<div class="x">Newsletter</div><footer>Imprint</footer>`
    for (const name of ['main', 'article'])
      assert.equal(
        htmlToMarkdown(
          around(
            `<${name}><header><h1>Returns<a href="#r">#</a></h1></header><p>${text}</p><aside>Ads</aside></${name}>`,
          ),
        ).text,
        `# Returns\n\n${text.trim()}`,
        name,
      )
    assert.match(htmlToMarkdown(around('<main>x</main>')).text, /Cookies\?/)
    assert.equal(readDocument(around(`<main><h1>Returns</h1><p>${text}</p></main>`), 'html').title, 'Returns')
  })

  test('keep nested lists, code, tables with covered cells, and what tables only lay out', () => {
    const html = `<ul><li>one<ol start="3"><li><p>deep</p></li><li>next</li></ol></li><li>two</li></ul>
      <p>Run <code>a_b_c</code>:</p><pre><code>\`\`\`
x | y</code></pre>
      <table><caption>Prices</caption><thead><tr><th>Plan<th>Month</th><th>Year</th></tr></thead>
      <tr><td rowspan=2>Team</td><td>29 | 30<td>290</tr><tr><td colspan=2>on <b>request</b></td></tr></table>
      <table><tr><td><h2>Left</h2><p>${text}</p></td><td>Right</td></tr></table>
      <table><tr><th>Weight</th><td>2 kg</td></tr><tr><th>Color</th><td>red</td></tr></table>`
    assert.equal(
      htmlToMarkdown(html).text,
      `- one\n  3. deep\n  4. next\n- two\n\nRun \`a_b_c\`:\n\n\`\`\`\`\n\`\`\`\nx | y\n\`\`\`\`\n\nPrices\n\n| Plan | Month | Year |\n| --- | --- | --- |\n| Team | 29 \\| 30 | 290 |\n| Team | on request | on request |\n\n## Left\n\n${text.trim()}\n\nRight\n\n- Weight: 2 kg\n- Color: red`,
    )
  })
})

test('a CSV file of more rows than are read is refused, not cut', () => {
  const rows = (count: number) => `a,b\n${'1,2\n'.repeat(count - 1)}`
  assert.match(readDocument(rows(100_000), 'csv').passages.at(-1)?.text ?? '', /a: 1; b: 2|1 — 2/)
  assert.throws(() => readDocument(rows(100_001), 'csv'), {
    message: 'it has more than 100,000 rows: split it',
  })
})

describe('decodeText', () => {
  const latin = Buffer.from('<meta charset="iso-8859-1"><p>Gr\xfc\xdfe', 'latin1')

  test('follows the mark, the server, and the page', () => {
    const cases = {
      'mark of UTF-16': decodeText(Buffer.from('\uFEFFGrüße', 'utf16le'), 'text'),
      'mark of UTF-8': decodeText(Buffer.from('\uFEFFGrüße'), 'markdown'),
      'UTF-8': decodeText(Buffer.from('Grüße'), 'csv'),
      page: decodeText(latin, 'html')?.slice(-5),
      server: decodeText(Buffer.from('Gr\xfc\xdfe', 'latin1'), 'html', 'windows-1252'),
      'no charset': decodeText(Buffer.from('Gr\xfc\xdfe', 'latin1'), 'html'),
      'a charset that is none': decodeText(Buffer.from('Grüße'), 'html', 'klingon'),
      'the wrong charset': decodeText(Buffer.from('Gr\xfc\xdfe', 'latin1'), 'html', 'utf-8')?.replaceAll(
        '\uFFFD',
        '?',
      ),
    }
    for (const [name, text] of Object.entries(cases))
      assert.equal(text, name === 'the wrong charset' ? 'Gr??e' : 'Grüße', name)
    assert.equal(decodeText(Buffer.from('Gr\xfc\xdfe', 'latin1'), 'text'), null)
  })

  test('takes what looks like a Western text for Windows-1252, and nothing else', () => {
    assert.equal(decodeWestern(Buffer.from('Gr\xfc\xdfe f\xfcr 5 \x80\r\n', 'latin1')), 'Grüße für 5 €\r\n')
    for (const [name, bytes] of Object.entries({
      'a picture': '\x89PNG\r\n\x1a\nabcdef\0\0\0\rIHDR',
      'Russian in Windows-1251': '\xcf\xf0\xe8\xe2\xe5\xf2 world',
      'Japanese in Shift-JIS': 'order \x92\x8d\x95\xb6 number',
      'UTF-16 without a mark': 'o\0r\0d\0e\0r\0\xfc\0',
    }))
      assert.equal(decodeWestern(Buffer.from(bytes, 'latin1')), null, name)
  })
})

describe('MDX', () => {
  test('loses imports, exports, comments, elements and expressions, but no text and no code', () => {
    const mdx = `import { Tabs } from './tabs'

export const year = 2026

# Setup {/* a comment */}

<Tabs onChange={() => set({ a: '>' })}>
<TabItem label="macOS">
Run **this**, where 2 < 3 and \`<b>{x}</b>\` stay.
</TabItem>
</Tabs>

\`\`\`jsx
import x from 'y'
<Tabs />
\`\`\`

Copyright {year}.`
    assert.deepEqual(passagesOf(mdx, 'mdx'), [
      [
        'Setup',
        "macOS\n\nRun this, where 2 < 3 and <b>{x}</b> stay.\n\n```\nimport x from 'y'\n<Tabs />\n```\n\nCopyright .",
      ],
    ])
  })

  for (const hostile of ['{', '<a ', '<>', '{}', '`', '<A b={'])
    test(`takes time in line with the length of ${JSON.stringify(hostile)} repeated`, () => {
      const started = process.cpuUsage()
      withoutCode(`x${hostile.repeat(300_000 / hostile.length)}`)
      assert.ok(process.cpuUsage(started).user < 2000_000)
    })
})
