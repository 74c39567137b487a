import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { tellApart } from '../../../src/model/tell-apart.ts'

const cases: [what: string, documents: [title: string, source: string][], names: string[]][] = [
  [
    'titles alone while they differ',
    [
      ['Returns', 'a/returns.md'],
      ['Parking', 'b/returns.md'],
    ],
    ['Returns', 'Parking'],
  ],
  [
    'the folder of files that share a name',
    [
      ['Install', 'help/linux/install.md'],
      ['Use', 'help/use.md'],
      ['install', 'help/mac/install.md'],
    ],
    ['Install (linux)', 'Use', 'install (mac)'],
  ],
  [
    'the folder only of the file that has one',
    [
      ['README', 'README.md'],
      ['README', 'guides/README.md'],
    ],
    ['README', 'README (guides)'],
  ],
  [
    'as many folders as it takes',
    [
      ['Intro', 'a/x/intro.md'],
      ['Intro', 'a/y/intro.md'],
      ['Intro', 'b/x/intro.md'],
    ],
    ['Intro (a/x)', 'Intro (a/y)', 'Intro (b/x)'],
  ],
  [
    'the name of the file in the same folder',
    [
      ['Notes', 'help/may.md'],
      ['Notes', 'help/june.md'],
    ],
    ['Notes (may.md)', 'Notes (june.md)'],
  ],
  [
    'the part of an address, as people read it',
    [
      ['Preise', 'https://example.com/m%C3%BCnchen/'],
      ['Preise', 'https://example.com/wien/'],
    ],
    ['Preise (münchen)', 'Preise (wien)'],
  ],
]

describe('documents are told by', () => {
  for (const [what, documents, names] of cases)
    it(what, () => {
      assert.deepEqual(tellApart(documents.map(([title, source]) => ({ title, source }))), names)
    })
})
