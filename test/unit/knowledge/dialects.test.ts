import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { type DocumentFormat, readDocument } from '../../../src/knowledge/formats/read-document.ts'

const passagesOf = (content: string, format: DocumentFormat = 'markdown') =>
  readDocument(content, format).passages.map(({ path, anchor, text }) => [path.join(' › '), anchor, text])
const textsOf = (content: string, format?: DocumentFormat) =>
  passagesOf(content, format).map(([, , text]) => text)

describe('Markdown of Docusaurus', () => {
  const page = `---
title: Install
---
import Tabs from '@theme/Tabs'
import Common from './_common.mdx'

export const Badge = ({ children }) => (
  <span style={{ color: 'red' }}>

    {children}
  </span>
)

## Set up {#start}

{/* a comment */}

:::tip[Before you *begin*]

Have a key ready.

:::::note
Nested.
:::::

:::

<Tabs groupId="os">
<TabItem value="npm" label="With npm">

\`\`\`sh title="In a terminal" {1,3-5}
// highlight-next-line
npm i kettle
\`\`\`

</TabItem>
<TabItem value="yarn">Run yarn.</TabItem>
</Tabs>

<Common />
<DocCardList />

<details>
<summary>Does it work **offline**?</summary>

Yes, for {count} days.

</details>

Ask us.
`
  it('loses its code, and keeps notes, the names of tabs, anchors, and what folds', () => {
    const setUp =
      'Before you begin\n\nHave a key ready.\n\nNested.\n\nWith npm\n\n```\nnpm i kettle\n```\n\nyarn\n\nRun yarn.'
    for (const format of ['markdown', 'mdx'] as const)
      assert.deepEqual(passagesOf(page, format), [
        ['Set up', 'start', setUp],
        ['Set up › Does it work offline?', 'start', 'Yes, for days.'],
        ['Set up', 'start', 'Ask us.'],
      ])
  })

  it('says what it has left out', () =>
    assert.deepEqual(readDocument(page, 'markdown').notes, [
      'left out: text included from other files (1)',
      'left out: parts that the site generates (1)',
    ]))

  it('takes anchors of MDX comments and of HTML', () =>
    assert.deepEqual(
      passagesOf('import a from "b"\n\n## One {/* #first */}\n\n1\n\n<h2 id="second">Two</h2>\n\n2', 'mdx'),
      [
        ['One', 'first', '1'],
        ['Two', 'second', '2'],
      ],
    ))

  it('keeps braces and words such as import in Markdown that is no MDX', () =>
    assert.deepEqual(textsOf('import the file\n\nSay {name} to `<Tabs>`.\n\n```\nimport a from "b"\n```'), [
      'import the file\n\nSay {name} to <Tabs>.\n\n```\nimport a from "b"\n```',
    ]))

  it('names tabs by the list around them, and reads elements that fold', () =>
    assert.deepEqual(
      passagesOf(
        '<Tabs items={["a b", "c"]}>\n<Tab>\nOne\n</Tab>\n<Tab>\nTwo\n</Tab>\n</Tabs>\n\n<Accordion title="Why?">\nBecause.\n</Accordion>\n',
        'mdx',
      ),
      [
        ['', '', 'a b\n\nOne\n\nc\n\nTwo'],
        ['Why?', '', 'Because.'],
      ],
    ))
})

describe('Markdown of MkDocs', () => {
  it('keeps admonitions, what folds with its title, and the names of tabs', () =>
    assert.deepEqual(
      passagesOf(`# Help

[TOC]

!!! warning "Mind the *gap*"
    Step over it.

    \`\`\`
    a = 1
    \`\`\`

=== "Linux"

    Use apt.

    === "Old"
        Use dpkg.

=== "macOS"
    Use brew.

??? question "Can I return it?"
    Within 30 days.

    ???+ note
        Unused only.
After all.
`),
      [
        [
          'Help',
          'help',
          'Mind the gap\n\nStep over it.\n\n```\na = 1\n```\n\nLinux\n\nUse apt.\n\nOld\n\nUse dpkg.\n\nmacOS\n\nUse brew.',
        ],
        ['Help › Can I return it?', 'help', 'Within 30 days.'],
        ['Help › Can I return it? › Note', 'help', 'Unused only.'],
        ['Help', 'help', 'After all.'],
      ],
    ))

  it('reads attributes, footnotes, definitions and abbreviations', () =>
    assert.deepEqual(
      passagesOf(`## Ports {: #ports .wide }

Use 8080[^1] or more[^none]. [Download](x.zip){ .md-button target="_blank" }
{: .lead }

Kettle
:   Boils water,
    quickly.
:   Also a band.

*[HTML]: Hyper Text

Last.

[^1]: Not 80,
    which needs rights.
`),
      [
        [
          'Ports',
          'ports',
          'Use 8080 or more[^none]. Download\n\nNot 80, which needs rights.\n\n- Kettle: Boils water, quickly.\n- Kettle: Also a band.\n\nHTML: Hyper Text\n\nLast.',
        ],
      ],
    ))

  it('leaves out what other files would give, and says so', () => {
    const { passages, notes } = readDocument(
      'One.\n\n--8<-- "a.md"\n\n--8<--\nb.md\nc.md\n--8<--\n\n::: pkg.module\n    options:\n      x: 1\n\n![](a.png) Two.',
      'markdown',
    )
    assert.deepEqual(
      passages.map(({ text }) => text),
      ['One.\n\nTwo.'],
    )
    assert.deepEqual(notes, [
      'left out: text included from other files (3)',
      'left out: parts that the site generates (1)',
      'left out: pictures without a description (1)',
    ])
  })
})

describe('Markdown of other generators', () => {
  it('reads the containers of VitePress and tables of HTML', () =>
    assert.deepEqual(
      passagesOf(
        '::: details More?\nYes.\n:::\n\n<script setup>\nconst a = 1\n</script>\n\n<table>\n<tr><th>Plan</th><th>Price</th></tr>\n<tr><td>Team</td><td>29</td></tr>\n</table>\n',
      ),
      [
        ['More?', '', 'Yes.'],
        ['', '', '- Plan: Team; Price: 29'],
      ],
    ))

  it('leaves names of tags in running text alone', () =>
    assert.deepEqual(textsOf('The `<details>` element folds, and `</summary>` ends.'), [
      'The <details> element folds, and </summary> ends.',
    ]))

  it('ends a part that is never closed at the next heading of its level', () =>
    assert.deepEqual(
      passagesOf('# A\n\n<details><summary>Q</summary>\n\nOne\n\n# B\n\nTwo').map(([path]) => path),
      ['A › Q', 'B'],
    ))
})

const hostile = [
  ':::note[a\n',
  '::::: \n',
  '!!! note "a\n',
  '??? q\n    ',
  '=== "a"\n  ',
  '<details>',
  '<details>\n<summary>\n',
  '</details>\n',
  '<summary>a',
  '[^1]: a\n',
  'a[^1] ',
  '[^1]',
  'a\n: b\n',
  '*[a]: b\n',
  '{: .a }',
  '{.a ',
  '# a {#',
  'import {\n\n',
  'export const a = (\n\n',
  '<table>\n',
  '<script>\n',
  '--8<--\n',
  '<Tabs items={["a",\n',
  '<Accordion title="a">',
  '{/* #',
  '| a | b |\n|---|---|\n',
  '\t\t\t',
]
for (const piece of hostile)
  it(`takes time in line with the length of ${JSON.stringify(piece)} repeated, and in one line`, () => {
    for (const format of ['markdown', 'mdx'] as const)
      for (const text of [
        piece.repeat(60_000 / piece.length),
        piece.replaceAll('\n', ' ').repeat(60_000 / piece.length),
      ]) {
        const started = process.cpuUsage()
        readDocument(`${text}[^1]: end\n`, format)
        assert.ok(process.cpuUsage(started).user < 1500_000)
      }
  })

it('reads any mixture of marks', () => {
  const mark = fc.oneof(
    fc.constantFrom(...hostile, '\n', '    ', '```\n', '</Accordion>', '> ', '- '),
    fc.string(),
  )
  fc.assert(
    fc.property(fc.array(mark, { maxLength: 60 }), fc.constantFrom('markdown', 'mdx'), (pieces, format) => {
      assert.ok(Array.isArray(readDocument(pieces.join(''), format as DocumentFormat).passages))
    }),
    { numRuns: 200 },
  )
})
