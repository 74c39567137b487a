import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { htmlToMarkdown } from '../../../src/knowledge/formats/html/html.ts'

describe('htmlToMarkdown', () => {
  it('keeps headings, paragraphs, lists, tables and code', () => {
    const html = `<h1>One</h1><p>A  <a href="/x">link</a>,<br>a line.</p><ol><li>first</li><li><p>second</p></li></ol>
      <table><tr><th>a</th><th>b</th></tr><tr><td>1</td><td>2</td></tr></table><pre>x = 1\n  y</pre><h2>Two</h2>end`
    assert.equal(
      htmlToMarkdown(html).text,
      '# One\n\nA link,\na line.\n\n1. first\n2. second\n\n| a | b |\n| --- | --- |\n| 1 | 2 |\n\n```\nx = 1\n  y\n```\n\n## Two\n\nend',
    )
  })

  it('ends the main content where its element ends, whatever the element is', () => {
    // A main part of a few words is not believed.
    const long = 'What is in it. '.repeat(50).trim()
    for (const [open, close] of [
      ['<main>', '</main>'],
      ['<div role="main">', '</div>'],
      ['<section role="main"><div role="main">', '</div></section>'],
    ] as const)
      assert.equal(
        htmlToMarkdown(`<div>before</div>${open}<div>one</div><p>${long}</p>${close}<div>after</div>`).text,
        `one\n\n${long}`,
        open,
      )
  })

  it('takes the title of the page, and of no drawing in it', () => {
    const html = '<head><title>Shop</title></head><svg><title>Cart</title></svg><p>seen</p>'
    assert.deepEqual(htmlToMarkdown(html), { title: 'Shop', text: 'seen' })
  })

  it('leaves out scripts, styles, navigation and what is hidden', () => {
    const html =
      '<style>p{}</style><nav><p>menu</p></nav><p hidden>a</p><div style="display: none">b</div><p>seen</p><script>"</p>"</script>'
    assert.equal(htmlToMarkdown(html).text, 'seen')
  })

  it('a hundred thousand open elements, and a megabyte of brackets', () => {
    assert.equal(htmlToMarkdown(`${'<div>'.repeat(100_000)}deep`).text, 'deep')
    htmlToMarkdown('<'.repeat(1_000_000))
    htmlToMarkdown('<nav>'.repeat(100_000))
  })

  it('takes time in line with the length, however deep elements are', () => {
    const started = process.cpuUsage()
    const { text } = htmlToMarkdown(`${'<div>'.repeat(500_000)}deep${'</i>'.repeat(500_000)}<p>end</p>`)
    assert.equal(text, 'deep\n\nend')
    assert.ok(process.cpuUsage(started).user < 3000_000)
  })

  it('takes anything', () => {
    const piece = fc.oneof(
      fc.constantFrom(
        '<p>',
        '</p>',
        '<nav>',
        '</nav>',
        '<pre>',
        '</pre>',
        '<li>',
        '<h1',
        '&amp;',
        '&#0;',
        '<!--',
        '-->',
        '<td>',
      ),
      fc.string(),
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        assert.equal(typeof htmlToMarkdown(pieces.join('')).text, 'string')
      }),
    )
  })
})
