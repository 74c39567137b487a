import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { htmlToMarkdown } from '../../../src/knowledge/formats/html/html.ts'
import { countLeftOut } from '../../../src/knowledge/formats/left-out.ts'
import { readDocument } from '../../../src/knowledge/formats/read-document.ts'
import { readPage } from '../../../src/knowledge/formats/read-page.ts'
import { processorTime } from '../../support/processor-time.ts'

const passagesOf = (html: string) =>
  readDocument(html, 'html').passages.map(({ path, anchor, text }) => [path.join(' › '), anchor, text])
const notesOf = (html: string) => readDocument(html, 'html').notes

describe('parts of a page that open', () => {
  it('details have their summary as a heading, and what follows stands below the heading again', () =>
    assert.deepEqual(
      passagesOf(
        '<h2>Help</h2><p>Before.</p><details id="pay"><summary><h3>How do I <b>pay</b>?</h3></summary><p>By card.</p><p>Or cash.</p></details><p>After.</p>',
      ),
      [
        ['Help', 'help', 'Before.'],
        ['Help › How do I pay?', 'pay', 'By card.\n\nOr cash.'],
        ['Help', 'help', 'After.'],
      ],
    ))

  it('panels are read though they are hidden, with the words of their button as heading', () =>
    assert.deepEqual(
      passagesOf(`<main><h2>FAQ</h2>
        <button aria-expanded="false" aria-controls="p1">May dogs come?</button><div id="p1" hidden><div>On a leash.</div></div>
        <h3><button aria-expanded="false" aria-controls="p2">And cats?</button></h3><div id="p2" style="display:none">No.</div>
        <div role="tablist"><button role="tab" aria-controls="t1">Linux</button></div><div role="tabpanel" hidden id="t1">Use apt.</div>
        <p hidden="until-found">Found.</p></main>`),
      [
        ['FAQ › May dogs come?', 'faq', 'On a leash.'],
        ['FAQ › And cats?', 'and-cats', 'No.'],
        ['FAQ › And cats? › Linux', 'and-cats', 'Use apt.'],
        ['FAQ › And cats?', 'and-cats', 'Found.'],
      ],
    ))

  it('tabs name their panels, wherever they stand and however they point to them', () => {
    const panel = (id: string, tab: string, text: string) =>
      `<div role="tabpanel" id="${id}" aria-labelledby="${tab}" hidden><p>${text}</p></div>`
    const panels = `<h2>Install</h2>${panel('p1', 't1', 'Run it.')}${panel('p2', 't2', 'Drag it.')}`
    const expected = [
      ['Install › Windows', 'install', 'Run it.'],
      ['Install › *macOS*', 'install', 'Drag it.'],
    ]
    for (const tab of [
      (n: number, name: string) => `<button role="tab" id="t${n}" aria-controls="p${n}">${name}</button>`,
      (n: number, name: string) => `<button role="tab" id="t${n}"><span>${name}</span></button>`,
      (n: number, name: string) => `<li role="presentation"><a role="tab" href="#p${n}">${name}</a></li>`,
      (n: number, name: string) => `<button data-bs-toggle="tab" data-bs-target="#p${n}">${name}</button>`,
      (n: number, name: string) => `<li><a data-toggle="pill" href="#p${n}">${name}</a></li>`,
      (n: number, name: string) => `<div role="tab" id="t${n}"><h4><a href="#p${n}">${name}</a></h4></div>`,
    ])
      for (const list of ['ul', 'nav'])
        assert.deepEqual(
          passagesOf(`<${list} role="tablist">${tab(1, 'Windows')}${tab(2, '*macOS*')}</${list}>${panels}`),
          expected,
        )
  })

  it('a button alone in a heading or a term is the heading', () => {
    const button = (text: string) => `<button aria-expanded="false">${text}</button>`
    assert.deepEqual(
      passagesOf(
        `<h3>${button('How do I <b>return</b> it?')}</h3><p>By post.</p><h3>Pay <button>Copy link</button></h3><p>By card.</p><dl><dt>${button('Why?')}</dt><dd>Fire.</dd></dl>
        <h3><button data-bs-toggle="collapse" data-bs-target="#c">When?</button></h3><div id="c" hidden>Now.</div>`,
      ),
      [
        ['How do I return it?', 'how-do-i-return-it', 'By post.'],
        ['Pay', 'pay', 'By card.'],
        ['Pay › Why?', 'pay', 'Fire.'],
        ['When?', 'when', 'Now.'],
      ],
    )
  })

  it('menus, and what no control opens, stay hidden, which is told', () => {
    const html = `<main><p>Seen.</p>
      <button aria-expanded="false" aria-controls="m">Menu</button><div id="m" hidden><a href="/a">All our pages</a> <a href="/b">Prices</a></div>
      <button aria-haspopup="menu" aria-expanded="false" aria-controls="n">Account</button><div id="n" hidden>Sign out of this account</div>
      <div hidden>This text is shown to nobody at all.</div><span hidden>x</span></main>`
    assert.deepEqual(passagesOf(html), [['', '', 'Seen.']])
    assert.deepEqual(notesOf(html), ['left out: hidden parts (2)'])
  })

  it('pictures without a description are told, decorations are not', () =>
    assert.deepEqual(notesOf('<p>a</p><img src="a.png"><img src="b.png" alt=""><img src="c.png" alt="c">'), [
      'left out: pictures without a description (1)',
    ]))
})

it('descriptions of pictures are text where they stand', () =>
  assert.deepEqual(
    passagesOf(
      '<table><tr><th>Plan</th><th>Voice</th><th>Live</th></tr><tr><td>Team</td><td><img alt="Yes"></td><td><svg role="img" aria-label="No"><title>x</title></svg></td></tr></table><p>Press<img src="a.png" alt="the [green] button">twice.<img src="b.png" alt=""></p>',
    ),
    [['', '', '- Plan: Team; Voice: Yes; Live: No\n\nPress the [green] button twice.']],
  ))

it('a tab names whatever element says that the tab labels it', () =>
  assert.deepEqual(
    passagesOf(
      '<h3 role="tab" id="q1" aria-expanded="false">How do I pay?</h3><div role="region" aria-labelledby="q1">By card.</div>',
    ).map(([path, , text]) => [path, text]),
    [['How do I pay?', 'By card.']],
  ))

describe('raised and struck text', () => {
  it('stays apart from numbers, and notes are left out', () => {
    const html =
      '<p>49<sup>1</sup> €, 5<sup>99</sup> €, 2<sup>nd</sup>, 3 m<sup>2</sup>, 10<sup>-3</sup>, 7<sup>2)</sup>.</p><p>Free<sup>*</sup>, paid<sup><a href="#n">[1]</a></sup>, Parley<sup><a href="/">TM</a></sup>.</p><pre>2<sup>10</sup></pre>'
    assert.deepEqual(passagesOf(html), [
      ['', '', '49¹ €, 5⁹⁹ €, 2nd, 3 m2, 10⁻³, 7²).\n\nFree, paid, ParleyTM.\n\n```\n2¹⁰\n```'],
    ])
  })

  it('keeps its digits within a link of other words', () => {
    const html =
      '<h3><a href="/f">Flat of 85 m<sup>2</sup></a></h3><p><a href="/p">Shirt <b>12<sup>99</sup> €</b></a>, free<a href="#n"><sup>1</sup></a>, paid<sup><a href="#n">2</a></sup>.</p>'
    assert.deepEqual(passagesOf(html), [['Flat of 85 m2', 'flat-of-85-m2', 'Shirt 12⁹⁹ €, free, paid.']])
  })

  it('that is struck out is left out', () =>
    assert.deepEqual(
      passagesOf(
        '<p><del>14</del> 30 days, <s>49 €</s> <ins>39 €</ins>, <strike><b>no</b></strike> <span style="text-decoration: line-through">off</span> yes</p>',
      ),
      [['', '', '30 days, 39 €, yes']],
    ))
})

it('headings keep a sign that belongs to their last word, and lose links to themselves', () => {
  const headings = [
    'Learn C#',
    '<a href="/f">Learn F&#35;</a>',
    'Ports<a href="#ports">#</a>',
    'Hosts <a href="#hosts"> # </a>',
    'Names<a href="#names">¶</a>',
  ]
  const html = `${headings.map((heading) => `<h2>${heading}</h2><p>x</p>`).join('')}<details><summary>Is it C#?<a href="#c">#</a></summary>x</details><dl><dt class="sig" id="a">a()<a href="#a">#</a></dt><dd>x</dd></dl>`
  assert.deepEqual(
    passagesOf(html).map(([path]) => path?.split(' › ').at(-1)),
    ['Learn C#', 'Learn F#', 'Ports', 'Hosts', 'Names', 'Is it C#?', 'a()'],
  )
})

it('words that may be broken are whole', () => {
  const page = '<title>Ver&shy;sand</title><h2>Ver&shy;sand&shy;kosten</h2><p>Be&ZeroWidthSpace;zahlen</p>'
  assert.deepEqual(passagesOf(page), [['Versandkosten', 'versandkosten', 'Bezahlen']])
  assert.equal(readDocument(page, 'html').title, 'Versand')
  assert.deepEqual(readDocument('Ver\u00ADsand', 'text').passages[0]?.text, 'Versand')
})

describe('lists of definitions', () => {
  it('have their terms before their definitions, and questions as headings', () =>
    assert.deepEqual(
      passagesOf(
        '<dl><dt>Kettle</dt><dd>Boils <b>water</b>.</dd><dt>Pot</dt><dt>Pan</dt><dd><p>Cooks.</p></dd></dl><dl><dt>Is it hot?</dt><dd>Yes.</dd><dt>Why?</dt><dd>Fire.</dd></dl><p>End.</p>',
      ),
      [
        ['', '', 'Kettle: Boils water.\n\nPot\n\nPan: Cooks.'],
        ['Is it hot?', '', 'Yes.'],
        ['Why?', '', 'Fire.'],
        ['', '', 'End.'],
      ],
    ))

  it('of generated documentation describe functions in parts with their anchors', () =>
    assert.deepEqual(
      passagesOf(
        '<section id="api"><h1>API<a class="headerlink" href="#api">¶</a></h1><dl class="py"><dt class="sig sig-object" id="kettle.boil"><code>boil</code>(<em>litres</em>)<a href="#kettle.boil">¶</a></dt><dd><p>Boils.</p></dd></dl></section>',
      ),
      [['API › boil(litres)', 'kettle.boil', 'Boils.']],
    ))
})

describe('anchors', () => {
  it('are those that the page gives its headings', () =>
    assert.deepEqual(
      passagesOf(
        '<h2 id="a-1">One</h2>1<section id="second"><h2>Two</h2>2</section><h2><a id="third"></a>Three</h2>3<h2 id="four">Four</h2>4',
      ).map(([, anchor]) => anchor),
      ['a-1', 'second', 'third', 'four'],
    ))
})

describe('JSON-LD', () => {
  const script = (data: unknown) => `<script type="application/ld+json">${JSON.stringify(data)}</script>`
  const question = (name: string, text: string) => ({
    '@type': 'Question',
    name,
    acceptedAnswer: { '@type': 'Answer', text },
  })

  it('adds the questions of a page that its text does not answer', () => {
    const faq = {
      '@type': ['FAQPage'],
      mainEntity: [
        question('Is it free?', '<p>Yes, <b>always</b>.</p>'),
        question('Shown?', 'This is <i>shown</i>.'),
      ],
    }
    for (const data of [faq, { '@graph': [{ '@type': 'WebSite' }, faq] }, [[faq]]])
      assert.deepEqual(passagesOf(`<head>${script(data)}</head><h2>Shown?</h2><p>This is shown.</p>`), [
        ['Shown?', 'shown', 'This is shown.'],
        ['Shown? › Is it free?', 'shown', 'Yes, always.'],
      ])
  })

  it('adds the steps of instructions', () =>
    assert.deepEqual(
      passagesOf(
        script({
          '@type': 'HowTo',
          name: 'Descale',
          step: [{ name: 'Fill', text: 'Add vinegar.' }, 'Boil.'],
        }),
      ),
      [['Descale', '', '1. Fill: Add vinegar.\n2. Boil.']],
    ))

  it('that is broken, deep or large is passed over', () => {
    const started = process.cpuUsage()
    for (const json of [
      '{',
      '['.repeat(200_000),
      `[${'{"@type":"Question","name":"a"},'.repeat(50_000)}1]`,
      `[${'[],'.repeat(300_000)}1]`,
    ])
      assert.equal(
        htmlToMarkdown(`<script type="application/ld+json">${json}</script><p>Text</p>`).text,
        'Text',
      )
    assert.ok(process.cpuUsage(started).user < 3000_000)
  })
})

describe('XHTML', () => {
  it('closes elements by themselves, and never expands what its document type declares', () =>
    assert.deepEqual(
      passagesOf(
        `<?xml version="1.0" encoding="utf-8"?><!DOCTYPE html [<!ENTITY x SYSTEM "file:///etc/passwd"><!ENTITY y "expanded">]>
        <html xmlns="http://www.w3.org/1999/xhtml"><head><title>T</title><script src="a.js"/></head><body><h1>One<a id="x"/></h1><p>Two &amp; &x;&y;<br/><![CDATA[a < b]]></p></body></html>`,
      ),
      [['One', 'x', 'Two & &x;&y; a < b']],
    ))
})

describe('titles', () => {
  it('lose the name of the site on either side, and are not repeated by the heading', () => {
    const page = (title: string) =>
      readPage(`<title>${title}</title><h1 id="x">Returns</h1><p>a</p>`, 'https://example.com/').title
    for (const title of [
      'Returns | Shop',
      'Shop | Returns',
      'Shop: Returns',
      'returns — Shop 2.0',
      'Returns',
    ])
      assert.equal(page(title), 'Returns')
    assert.equal(page('Returns of kettles'), 'Returns of kettles')
  })
})

describe('tables', () => {
  it('name their columns, also in several rows, and repeat cells that cover others', () =>
    assert.deepEqual(
      passagesOf(`<table><thead><tr><th rowspan="2">Plan</th><th colspan="2">Price</th></tr><tr><td>Month</td><td>Year</td></tr></thead>
        <tr><th>Team</th><td>29</td><td>290</td></tr><tr><td colspan="3">On request</td></tr><tr><td>Solo</td><td colspan="2">free</td></tr></table>`),
      [
        [
          '',
          '',
          '- Plan: Team; Price Month: 29; Price Year: 290\n- On request\n- Plan: Solo; Price Month: free; Price Year: free',
        ],
      ],
    ))

  it('whose first row names nothing have plain rows', () =>
    assert.deepEqual(
      passagesOf('<table><tr><td>Weight</td><td>2 kg</td></tr><tr><td>Color</td><td>red</td></tr></table>'),
      [['', '', '- Weight — 2 kg\n- Color — red']],
    ))

  it('that are wide or long repeat their names in each passage and not in each row', () => {
    const names = Array.from({ length: 30 }, (_, at) => `Column ${at}`)
    const html = `<table><tr>${names.map((name) => `<th>${name}</th>`).join('')}<th>${'<th>x</th>'.repeat(20)}</tr>${`<tr>${'<td>1</td>'.repeat(51)}</tr>`.repeat(100)}</table>`
    const passages = passagesOf(html)
    assert.ok(passages.length > 2)
    for (const [, , text = ''] of passages) assert.ok(text.startsWith('- Column 0 — Column 1'))
    assert.deepEqual(notesOf(html), ['left out: columns of wide tables (11)'])
  })
})

it('takes time in line with the length of whatever opens and closes', () => {
  const pieces = [
    '<details>',
    '<details><summary>',
    '<button aria-expanded aria-controls="a">a</button><div id="a" hidden>',
    '<button aria-expanded aria-controls="a b c">',
    '<dl><dt class="sig" id="a">',
    '<dt>a?</dt>',
    '<dt>a',
    '<h2 id="a"><a id="b">',
    '<table><details>',
    '<div hidden>',
    '1<sup>',
    '<div role="tab" id="a">a',
    '<h2><button>a',
    '<sup>1</sup>',
  ]
  for (const piece of pieces) {
    const started = process.cpuUsage()
    const { leave } = countLeftOut()
    htmlToMarkdown(`${piece.repeat(100_000 / piece.length)}end`, leave)
    readDocument(`${piece.repeat(100_000 / piece.length)}end`, 'html')
    assert.ok(process.cpuUsage(started).user < 2000_000, piece)
  }
})

it('takes milliseconds for blanks in code', () => {
  const used = processorTime()
  htmlToMarkdown(`<pre>${'\t'.repeat(20_000)}x</pre>`)
  assert.ok(used() < 100)
})
