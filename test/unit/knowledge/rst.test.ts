import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { formatOfFile } from '../../../src/knowledge/formats/file-format.ts'
import { readDocument } from '../../../src/knowledge/formats/read-document.ts'

const passagesOf = (content: string) =>
  readDocument(content, 'rst').passages.map(({ path, anchor, text }) => [path.join(' › '), anchor, text])
const textOf = (content: string) =>
  passagesOf(content)
    .map(([, , text]) => text)
    .join('\n\n')

describe('reStructuredText', () => {
  it('reads headings by the order of their lines, and labels as anchors', () => {
    const content = `
:orphan:
:Author: Ada

.. _kettle_guide:

======
Kettle
======

Intro.

Boil
----

One.

Descale
~~~~~~~

Two.

Store
-----

Three.
`
    assert.deepEqual(passagesOf(content), [
      ['', '', '- Author: Ada'],
      ['Kettle', 'kettle-guide', 'Intro.'],
      ['Kettle › Boil', 'boil', 'One.'],
      ['Kettle › Boil › Descale', 'descale', 'Two.'],
      ['Kettle › Store', 'store', 'Three.'],
    ])
    assert.equal(readDocument(content, 'rst').title, 'Kettle')
  })

  it('takes the markup out of running text', () => {
    const cases = {
      'a **bold** *slanted* ``*code*`` word': 'a bold slanted *code* word',
      'see :ref:`the guide <guide>`, :doc:`/install` and :class:`~a.b.Kettle`':
        'see the guide, install and Kettle',
      '`Our site <https://example.com>`_, `x`_ and link_ but snake_case_ and a__b':
        'Our site, x and link but snake_case_ and a__b',
      'noted [1]_ [#f]_ and [CIT2002]_': 'noted and [CIT2002]',
      '2 * 3 * 4, \\*no\\* and re\\ ``do``': '2 * 3 * 4, *no* and redo',
      ':pep:`8` and |name| |other|': 'PEP 8 and The Kettle |other|',
    }
    for (const [rst, plain] of Object.entries(cases))
      assert.equal(textOf(`${rst}\n\n.. |name| replace:: The Kettle\n`), plain)
  })

  it('keeps lists, definitions, fields, line blocks and code', () =>
    assert.equal(
      textOf(`- one
  goes on

  - deep
- two

1. first
#. second

Term
    Its meaning.

:param size: how much
    it holds

| a line
| another

Run this::

    make *it*
      now

>>> 1 + 1
2
`),
      `- one goes on
  - deep
- two
1. first
- second
- Term: Its meaning.
- param size: how much it holds

a line
another

Run this:

\`\`\`
make *it*
  now
\`\`\`

\`\`\`
>>> 1 + 1
2
\`\`\``,
    ))

  it('keeps the text of directives, and describes functions in parts of their own', () => {
    const content = `Title
=====

.. note:: Mind
   the gap.

.. admonition:: Before you begin

   Have a key.

.. versionadded:: 2.0
   The flag.

.. code-block:: sh
   :caption: In a shell

   make

.. image:: a.png
   :alt: A kettle

.. image:: b.png

.. toctree::
   :maxdepth: 2

   install

.. include:: more.rst
.. automodule:: kettle

.. function:: boil(litres)

   Boils water.

.. a comment
   of two lines

Last.
`
    assert.deepEqual(passagesOf(content), [
      [
        'Title',
        'title',
        'Mind the gap.\n\nBefore you begin\n\nHave a key.\n\nAdded in version 2.0: The flag.\n\nIn a shell\n\n```\nmake\n```\n\nA kettle',
      ],
      ['Title › boil(litres)', 'title', 'Boils water.'],
      ['Title', 'title', 'Last.'],
    ])
    assert.deepEqual(readDocument(content, 'rst').notes, [
      'left out: pictures without a description (1)',
      'left out: text included from other files (1)',
      'left out: parts that the site generates (1)',
    ])
  })

  it('takes no role for an option, and loses no line above the options', () => {
    const texts = {
      '.. note::\n   :ref:`Refunds <refunds>` take 14 days.': 'Refunds take 14 days.',
      '.. warning:: Never delete the file, as\n   it holds the keys of\n   :class:`Vault` and of all users.':
        'Never delete the file, as it holds the keys of Vault and of all users.',
      '.. note:: Mind\n   the gap\n   :class: tall\n\n   always.': 'Mind the gap\n\nalways.',
      '.. table:: Prices\n   of plans\n   :widths: auto\n\n   All are free.':
        'Prices of plans\n\nAll are free.',
    }
    for (const [content, text] of Object.entries(texts)) assert.equal(textOf(`${content}\n`), text, content)
  })

  it('keeps the text of a table that is no valid CSV, and what stands beside it', () => {
    const table = '.. csv-table::\n   :header: Plan, Size\n\n   Team, 5" wide\n   Solo, "free'
    assert.equal(
      textOf(`Before.\n\n${table}\n\nBehind.\n`),
      'Before.\n\nPlan, Size\nTeam, 5" wide\nSolo, "free\n\nBehind.',
    )
  })

  it('names the columns in the rows of every kind of table', () => {
    const rows = '- Plan: Team; Price: 29 EUR\n- Plan: Solo; Price: free'
    const tables = [
      `+------+--------+
| Plan | Price  |
+======+========+
| Team | 29     |
|      | EUR    |
+------+--------+
| Solo | free   |
+------+--------+`,
      `====  ======
Plan  Price
====  ======
Team  29 EUR
Solo  *free*
====  ======`,
      `.. list-table::
   :header-rows: 1

   * - Plan
     - Price
   * - Team
     - 29 EUR
   * - Solo
     - free`,
      `.. csv-table::
   :header: Plan, Price

   Team, 29 EUR
   Solo, "free"`,
    ]
    for (const table of tables) assert.equal(textOf(`${table}\n`), rows, table)
  })

  it('is known by its name, as the sources of a site are', () =>
    assert.deepEqual(['a.rst', '_sources/a.rst.txt', 'a.md.txt', 'a.txt'].map(formatOfFile), [
      'rst',
      'rst',
      'markdown',
      'text',
    ]))
})

const hostile = [
  '.. a::\n ',
  '.. |a| replace:: b\n',
  '.. _a:\n\n',
  '=\n',
  '====\n',
  '+--+\n',
  '|\n',
  '== ==\n',
  '== ==\na\n',
  '- ',
  '- a\n  ',
  'a\n b\n  ',
  ':a: ',
  ':a:`',
  '`a <',
  '``',
  'a_',
  'a.',
  '|a ',
  '*a ',
  '::\n\n  ',
  '\t',
  '.. function:: a\n\n   ',
]
for (const piece of hostile)
  it(`takes time in line with the length of ${JSON.stringify(piece)} repeated`, () => {
    const started = process.cpuUsage()
    readDocument(piece.repeat(60_000 / piece.length), 'rst')
    // Ever deeper, as lines that are each indented further.
    let text = ''
    for (let depth = 0; text.length < 60_000; depth++)
      text += `${' '.repeat(2 * depth)}${piece.trimEnd()}\n\n`
    readDocument(text, 'rst')
    assert.ok(process.cpuUsage(started).user < 1500_000)
  })

it('reads any mixture of marks', () => {
  const mark = fc.oneof(fc.constantFrom(...hostile, '\n', '\n\n', '   '), fc.string())
  fc.assert(
    fc.property(fc.array(mark, { maxLength: 60 }), (pieces) => {
      assert.ok(Array.isArray(readDocument(pieces.join(''), 'rst').passages))
    }),
    { numRuns: 200 },
  )
})
