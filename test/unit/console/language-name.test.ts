import assert from 'node:assert/strict'
import { it } from 'node:test'
import { languageName } from '../../../console/ui/language-name.ts'

it('languageName names a language, and an odd tag by itself', () => {
  assert.equal(languageName('de'), 'Deutsch')
  assert.equal(languageName('de', 'en'), 'German')
  for (const tag of ['', 'x', 'de_DE', 'de-u-fw-mon', 'English (US)']) {
    assert.equal(languageName(tag), tag)
    assert.equal(languageName(tag, 'en'), tag)
  }
})
