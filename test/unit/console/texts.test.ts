import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { laterTexts } from '../../../console/texts/parts.ts'

const files = globSync('console/texts/*.json')
const english = leavesOf(readTexts('console/texts/en.json'))

describe('texts of the console', () => {
  for (const file of files)
    it(`${file} has every text of the English one, with the same parts to fill in, and no other`, () => {
      const texts = leavesOf(readTexts(file))
      assert.deepEqual([...texts.keys()].sort(), [...english.keys()].sort())
      for (const [name, text] of texts) {
        assert.notEqual(text.trim(), '', name)
        assert.deepEqual(placesIn(text), placesIn(english.get(name) ?? ''), name)
      }
    })

  it('the German ones say du to the reader', () => {
    const formal = /\b(Ihnen|Ihren|Ihrem)\b|[\p{L},}] (Sie|Ihre?)\b|\bSie \p{Ll}+en\b/u
    const german = leavesOf(readTexts('console/texts/de.json'))
    assert.deepEqual(
      [...german].filter(([, text]) => formal.test(text)),
      [],
    )
  })

  it('each text is used', () => {
    const sources = globSync('console/**/*.{ts,tsx}', { exclude: ['console/dist/**'] })
      .map((file) => readFileSync(file, 'utf8'))
      .join('\n')
    const unused = [...english.keys()].filter((name) => !isUsed(name, sources))
    assert.deepEqual(unused, [])
  })

  it('what is there before the first other page uses no text that comes with pages', () => {
    const early = globSync('console/{shell,ui,api,pages/inbox}/**/*.{ts,tsx}', {
      // The dialog and the bar are loaded together with their texts.
      exclude: ['console/pages/inbox/write-first/**', 'console/pages/inbox/list/SelectionBar.tsx'],
    })
    const wrong = early.flatMap((file) => {
      const source = readFileSync(file, 'utf8')
      const names = [...source.matchAll(/['`]([a-zA-Z]+)\.[a-zA-Z$]/g)].map(([, name]) => name ?? '')
      return names.filter((name) => laterTexts.includes(name)).map((name) => `${file}: ${name}`)
    })
    assert.deepEqual(wrong, [])
  })
})

/** A name is used as it stands, without the ending for a number, or as a template whose last part is computed. */
function isUsed(name: string, sources: string): boolean {
  const plain = name.replace(/_(one|other)$/, '')
  if (sources.includes(`'${plain}'`)) return true
  const parts = plain.split('.')
  return parts.some((_, index) => index > 0 && sources.includes(`\`${parts.slice(0, index).join('.')}.\${`))
}

function readTexts(file: string): object {
  return JSON.parse(readFileSync(file, 'utf8'))
}

function leavesOf(texts: object, before = ''): Map<string, string> {
  return new Map(
    Object.entries(texts).flatMap(([name, value]) =>
      typeof value === 'string'
        ? [[before + name, value] as const]
        : [...leavesOf(value, `${before}${name}.`)],
    ),
  )
}

function placesIn(text: string): string[] {
  return [...text.matchAll(/\{\{(\w+)\}\}/g)].map(([, name = '']) => name).sort()
}
