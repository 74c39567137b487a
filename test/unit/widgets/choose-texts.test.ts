import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { describe, it } from 'node:test'
import { chooseTexts, SPOKEN } from '../../../src/widgets/protocol/choose-texts.ts'

const all = {
  de: { greeting: 'Hallo', footer: 'Impressum' },
  en: { greeting: 'Hello', suggestions: ['Where?'], footer: 'Imprint', footer_url: 'https://x.example' },
}

describe('texts of a widget', () => {
  const greetingOf = (wanted: string | null, shown?: string) => {
    const { language, texts } = chooseTexts(all, wanted, shown)
    return [language, texts.greeting]
  }

  it('are those of the language of the visitor, else English where the chat does not speak it either', () => {
    assert.deepEqual(greetingOf('de-AT'), ['de', 'Hallo'])
    assert.deepEqual(greetingOf('pl'), ['en', 'Hello'])
    assert.deepEqual(greetingOf(null), ['en', 'Hello'])
  })

  it('are those of the language that the chat shows, where the wanted one has none', () => {
    assert.deepEqual(greetingOf('ca', 'de'), ['de', 'Hallo'])
    assert.deepEqual(greetingOf('de', 'es'), ['de', 'Hallo'])
    assert.deepEqual(greetingOf('ca', 'es'), [null, null], 'not English among Spanish')
  })

  it('the languages that the chat speaks are those of its files', () => {
    assert.deepEqual(
      SPOKEN,
      readdirSync('widget/texts')
        .map((name) => name.replace('.json', ''))
        .sort(),
    )
  })

  it('are the own words of the chat where the operator has none in its language, with a footer all the same', () => {
    const { language, texts } = chooseTexts(all, 'ar-EG')
    assert.deepEqual([language, texts.greeting, texts.suggestions], [null, null, []])
    assert.deepEqual([texts.footer, texts.footer_url], ['Imprint', 'https://x.example'])
    assert.equal(chooseTexts({ de: all.de }, 'ar-EG').texts.footer, 'Impressum')
    assert.equal(chooseTexts({}, 'ar-EG').texts.footer, null)
  })
})
