import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { it } from 'node:test'
import { prepareDocument } from '../../../src/knowledge/documents/prepare-document.ts'
import { type DocumentFormat, documentFormats } from '../../../src/knowledge/formats/read-document.ts'

/** The version of the index, and the hash of what it stores of each sample. */
const STORED = {
  version: 8,
  markdown: '71ee273fbff34b8e',
  mdx: '699e62ca125c1c52',
  text: 'eb87c17a28669e63',
  html: '0f5db0ecfd8c9c54',
  csv: '0db4e62b96d854f9',
  rst: 'e41a9f9de188fbb3',
  json: 'd4f5dc513a32d8d8',
}

const LONG = 'Kettles can be sent back within thirty days of their delivery, unless they were used. '.repeat(
  40,
)
const MARKDOWN = `---
title: Returns
---
# Returns of C#

Before: ~~49 €~~ 39<sup>99</sup> €, <del class="x">14</del> 30 days for *kettles* and [pots](/pots).\u2028Next line.

**May I return it\\?**

Yes.

## Prices {#prices}

| Plan | Month |
|---|---|
| Team | 29 |

- one
  1. two

\`\`\`sh
# code
\`\`\`

<details><summary>Who pays?</summary>

The shop.

</details>

${LONG}
`
const SAMPLES: Record<DocumentFormat, string> = {
  markdown: `${MARKDOWN}\n!!! note "Hint"\n    Keep the box.\n\nA note[^1].\n\n[^1]: Of the box.\n`,
  mdx: `import A from './a.mdx'\n\n${MARKDOWN}\n<Accordion title="How long?">Two weeks.</Accordion>\n`,
  text: `Returns\n\n${LONG}\n\nРозетки и чайники.`,
  html: `<title>Returns | Shop</title><nav>Menu</nav><main><h1>Learn C#<a href="#c">#</a></h1><p>49<sup>1</sup> €, <s>5 €</s> <a href="/f">85 m<sup>2</sup></a>.</p><h3 role="tab" id="q">How do I pay?</h3><div role="region" aria-labelledby="q">By card.</div><table><tr><th>Plan</th><th>Month</th></tr><tr><td>Team</td><td>29</td></tr></table><p><b>Is it new?</b></p><p>Yes.</p><dl><dt>Who?</dt><dd>Anna</dd></dl><pre>code</pre><p>${LONG}</p></main>`,
  csv: `id,question,answer,alternates\n1,How do I pay?,By card.,Paying\n2,Who pays?,${LONG.trim().replaceAll(',', ';')},\n`,
  rst: `Returns\n=======\n\nA *note* with \`a name <target>\`_ and |x|.\n\n.. |x| replace:: more\n\n.. note:: Keep the box.\n\n- one\n- two\n\n::\n\n   code\n\n${LONG}\n`,
  json: JSON.stringify([
    { question: 'How do I pay?', answer: 'By **card**.', alternates: ['Paying'] },
    { title: 'Returns', content: LONG },
  ]),
}

/** Returns a hash of all that the index stores of a text. */
function storedOf(content: string, format: DocumentFormat): string {
  const document = { content, format, title: null, otherwiseTitled: null, questions: ['May I send it back?'] }
  const { batches, ...head } = prepareDocument(document)
  const passages = [...batches].flat().map((passage) => ({ ...passage, counts: [...passage.counts] }))
  assert.ok(passages.length > 0)
  return createHash('sha256')
    .update(JSON.stringify([head, passages]))
    .digest('hex')
    .slice(0, 16)
}

it('documents are stored anew when an upgrade reads, cuts or indexes them in another way', () => {
  const source = readFileSync(
    new URL('../../../src/knowledge/documents/add-document.ts', import.meta.url),
    'utf8',
  )
  const version = Number(/^const INDEX_VERSION = (\d+)$/m.exec(source)?.[1])
  const stored = documentFormats.map((format) => [format, storedOf(SAMPLES[format], format)])
  assert.deepEqual(
    { version, ...Object.fromEntries(stored) },
    STORED,
    'the cut changed: raise INDEX_VERSION and renew STORED',
  )
})
