import assert from 'node:assert/strict'
import { it } from 'node:test'
import { languageName } from '../../../src/language/language-name.ts'

it('names languages; what a tag says beside its language, script and region is left out', () => {
  for (const [tag, name] of [
    ['de', 'German'],
    ['pt-BR', 'Brazilian Portuguese'],
    ['en-US-u-mu-celsius', 'American English'],
    ['de-DE-u-fw-mon', 'German (Germany)'],
    ['fr-x-home', 'French'],
  ] as const)
    assert.equal(languageName(tag, 'en'), name)
  assert.equal(languageName('de', 'fr-u-fw-mon'), 'allemand')
})
