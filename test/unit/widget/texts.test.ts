import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { describe, it } from 'node:test'

type Texts = Record<string, Record<string, string>>

const read = (file: string): Texts => JSON.parse(readFileSync(file, 'utf8'))
const english = read('widget/texts/en.json')
const sources = globSync('widget/{launcher,panel}/*.{ts,tsx}')
  .map((file) => readFileSync(file, 'utf8'))
  .join('\n')

describe("the widget's texts", () => {
  for (const file of globSync('widget/texts/*.json'))
    it(`${file} has what the English one has, with the same places for values`, () => {
      const texts = read(file)
      assert.deepEqual(keysOf(texts), keysOf(english))
      for (const [part, words] of Object.entries(english))
        for (const [key, text] of Object.entries(words))
          assert.deepEqual(placesIn(texts[part]?.[key]), placesIn(text), `${part}.${key}`)
    })

  it('all of them are used', () => {
    const used = (key: string) => new RegExp(`\\btexts\\.${key}\\b|'${key}'`).test(sources)
    assert.deepEqual(
      Object.values(english).flatMap((words) => Object.keys(words).filter((key) => !used(key))),
      [],
    )
  })
})

function keysOf(texts: Texts): string[] {
  return Object.entries(texts).flatMap(([part, words]) => Object.keys(words).map((key) => `${part}.${key}`))
}

function placesIn(text = ''): string[] {
  return [...text.matchAll(/\{\w+\}/g)].map(([place]) => place).sort()
}
