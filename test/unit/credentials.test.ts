import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { createAgent } from '../../src/agents/create-agent.ts'
import { bySystem } from '../../src/audit/record.ts'
import { readCredentialId, writeCredential } from '../../src/credentials/credential-text.ts'
import { openCredentials } from '../../src/credentials/credentials.ts'
import { createSecretBox } from '../../src/lib/secrets/secret-box.ts'
import { engines, openFreshDatabase } from '../support/databases.ts'

const kinds = fc.constantFrom('key' as const, 'token' as const)
const ids = fc.integer({ min: 1, max: 999_999_999_999_999 })

describe('credential texts', () => {
  it('have the documented form', () => {
    assert.match(writeCredential('key', 7), /^parley_key_7_[0-9A-Za-z]{49}$/)
    assert.match(writeCredential('token', 12), /^parley_token_12_[0-9A-Za-z]{49}$/)
  })

  it('tell their id to who asks for their kind', () => {
    fc.assert(
      fc.property(kinds, ids, (kind, id) => {
        const text = writeCredential(kind, id)
        assert.equal(readCredentialId(kind, text), id)
        assert.equal(readCredentialId(kind === 'key' ? 'token' : 'key', text), null)
      }),
    )
  })

  it('are refused with any one character changed, left out or doubled', () => {
    fc.assert(
      fc.property(
        kinds,
        ids,
        fc.nat(),
        fc.constantFrom('a', 'B', '3', '_', ' ', ''),
        (kind, id, place, other) => {
          const text = writeCredential(kind, id)
          const at = place % text.length
          const changed = text.slice(0, at) + other + text.slice(at + 1)
          if (changed !== text) assert.equal(readCredentialId(kind, changed), null)
          const doubled = text.slice(0, at) + text.charAt(at) + text.slice(at)
          assert.equal(readCredentialId(kind, doubled), null)
        },
      ),
    )
  })

  it('are refused in any other form', () => {
    const text = writeCredential('key', 7)
    for (const other of [
      '',
      'parley_key_7_',
      ` ${text}`,
      `${text}\n`,
      text.toUpperCase(),
      text.replace('_7_', '_07_'),
    ]) {
      assert.equal(readCredentialId('key', other), null, other)
    }
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (other) => readCredentialId('key', other) === null))
  })

  it('never repeat', () => {
    const texts = new Set(Array.from({ length: 10_000 }, () => writeCredential('key', 1)))
    assert.equal(texts.size, 10_000)
  })
})

for (const engine of engines) {
  it(`credentials are hashed with a key that the installation keeps, on ${engine}`, async () => {
    const { db, close, fresh } = await openFreshDatabase(engine)
    const box = createSecretBox(Buffer.alloc(32, 7).toString('base64'))
    const open = () => openCredentials(db, box, Date.now)
    const { agentId, teamId } = await createAgent(db, { name: 'a', teamId: null, nowMs: Date.now() })
    const first = await open()
    const key = await first.issueKey(db, agentId, 'test', bySystem)
    const token = await first.issueToken(
      db,
      teamId,
      { name: 'test', right: 'own', expiresAt: null },
      bySystem,
    )
    assert.ok(key && token)
    const verify = async () => (await open()).verify(key.api_key, token.bearer_token)
    assert.equal((await verify())?.agentId, agentId)
    await db.deleteFrom('installation').where('name', '=', 'credential_hash_key').execute()
    assert.equal(await verify(), null, 'under another key the hashes are others')
    await close()
    await fresh.remove()
  })
}
