import assert from 'node:assert/strict'
import { it } from 'node:test'
import { withTyped } from '../../../console/ui/with-typed.ts'

it('keeps what was typed since values were sent, each nested field by itself', () => {
  const sent = { name: 'Shop', settings: { secret: 'abc', imap: { host: 'a', port: '1' } }, words: ['x'] }
  const stored = { name: 'Shop!', settings: { secret: '', imap: { host: 'a!', port: '1' } }, words: ['x!'] }
  const now = structuredClone(sent)
  assert.deepEqual(withTyped(stored, sent, now), stored)
  now.settings.imap.port = '2'
  now.words.push('y')
  assert.deepEqual(withTyped(stored, sent, now), {
    name: 'Shop!',
    settings: { secret: '', imap: { host: 'a!', port: '2' } },
    words: ['x', 'y'],
  })
})

it('keeps a field that came meanwhile, and leaves out one that went', () => {
  const sent: Record<string, string> = { de: 'Hallo', fr: 'Salut' }
  assert.deepEqual(withTyped(sent, sent, { de: 'Hallo', it: 'Ciao' }), { de: 'Hallo', it: 'Ciao' })
})
