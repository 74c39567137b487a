import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import type { CommandInput } from '../../../src/commands/command.ts'
import { loadCommand } from '../../../src/commands/command-line.ts'
import { canonicalJson } from '../../../src/receipts/canonical-json.ts'
import {
  fingerprintOf,
  RECEIPT_TYPE,
  type Receipt,
  type SignedReceipt,
  signReceipt,
} from '../../../src/receipts/receipt.ts'
import { commitmentTo } from '../../../src/receipts/subject.ts'

const KEY = generateKeyPairSync('ed25519')
const OTHER = generateKeyPairSync('ed25519')
const SUBJECT_KEY = 'a key'
const RECEIPT: Receipt = {
  type: RECEIPT_TYPE,
  id: '01a1fbd5-a516-73fe-933f-41a3c83e1dda',
  agent_id: 3,
  subject: { kind: 'user', commitment: commitmentTo('api:jane', SUBJECT_KEY) },
  mode: 'scrub',
  by: { kind: 'token', id: 2 },
  began_at: '2026-11-20T19:31:05.123Z',
  finished_at: '2026-11-20T19:31:05.456Z',
  erased: { rows: { messages: 2 }, index: 2, vectors: 0, files: 0, values: { REDACTED: 2 } },
  engine: { name: 'SQLite', guarantees: ['All is well.'] },
  backups: { count: 1, times: ['2026-11-19T00:00:00.000Z'] },
}

describe('parley receipts verify', () => {
  let folder: string
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'receipts-'))
    await writeFile(join(folder, 'key.pem'), KEY.publicKey.export({ format: 'pem', type: 'spki' }))
    await writeFile(join(folder, 'other.pem'), OTHER.publicKey.export({ format: 'pem', type: 'spki' }))
  })
  after(() => rm(folder, { recursive: true }))

  /** Runs the command on a file with some content; returns its exit code and what it prints. */
  async function verify(content: unknown, options: Record<string, string> = {}) {
    const file = join(folder, 'receipt.json')
    await writeFile(file, typeof content === 'string' ? content : JSON.stringify(content))
    const command = await loadCommand(['receipts', 'verify', file])
    assert.ok(command)
    let printed = ''
    const input = {
      positionals: [file],
      options,
      print: (_answer: unknown, lines: unknown) => {
        printed = [lines].flat().join('\n')
      },
    } as unknown as CommandInput
    const code = await command.run(input)
    return { code, printed }
  }
  const signed = () => signReceipt(RECEIPT, KEY.privateKey)
  const key = () => ({ key: join(folder, 'key.pem') })

  for (const [name, content] of Object.entries<(receipt: SignedReceipt) => unknown>({
    'a download': (receipt) => receipt,
    'an answer of the API': (receipt) => ({ data: receipt }),
    'a list of the API': (receipt) => ({ data: [receipt, receipt], total: 2 }),
    'a file with its fields in another order': ({ public_key, signature, receipt }) =>
      JSON.stringify(
        {
          public_key,
          signature,
          receipt: Object.fromEntries(Object.entries(receipt).reverse()),
        },
        null,
        4,
      ),
  }))
    it(`0: ${name}, by the key or its fingerprint`, async () => {
      for (const options of [key(), { fingerprint: fingerprintOf(KEY.publicKey) }]) {
        const { code, printed } = await verify(content(signed()), options)
        assert.equal(code, 0, printed)
        assert.match(printed, /^VALID: receipt 01a1fbd5/)
        assert.doesNotMatch(printed, /vouched/)
      }
    })

  it('3: without a key, because nobody has vouched for the one in the file', async () => {
    const { code, printed } = await verify(signed())
    assert.equal(code, 3)
    assert.match(printed, /^SIGNED, BY AN UNKNOWN KEY: receipt 01a1fbd5/)
    assert.match(printed, /Nobody has vouched for this key/)
    assert.ok(printed.includes(fingerprintOf(KEY.publicKey)))
  })

  it('0 and 1: whether it is about an end user', async () => {
    const about = { ...key(), subject: 'api:jane', 'subject-key': SUBJECT_KEY }
    assert.equal((await verify(signed(), about)).code, 0)
    const other = await verify(signed(), { ...about, subject: 'api:joe' })
    assert.deepEqual([other.code, /not about this end user/.test(other.printed)], [1, true])
    const agent = signReceipt({ ...RECEIPT, subject: { kind: 'agent' } }, KEY.privateKey)
    assert.equal((await verify(agent, about)).code, 1)
  })

  it('1: each field of the receipt is signed', async () => {
    for (const change of [
      { agent_id: 4 },
      { mode: 'anonymize' },
      { finished_at: '2026-11-21T19:31:05.456Z' },
      { erased: { ...RECEIPT.erased, rows: { messages: 3 } } },
      { backups: { count: 0, times: [] } },
      { subject: { kind: 'agent' } },
    ]) {
      const { code, printed } = await verify({ ...signed(), receipt: { ...RECEIPT, ...change } }, key())
      assert.deepEqual([code, /^NOT VALID: .* signature/.test(printed)], [1, true], JSON.stringify(change))
    }
  })

  it('1: a field that was added', async () => {
    const receipt = { ...RECEIPT, note: 'and more' }
    assert.equal((await verify({ ...signed(), receipt }, key())).code, 1)
    const erased = { ...RECEIPT.erased, more: 1 }
    assert.equal((await verify({ ...signed(), receipt: { ...RECEIPT, erased } }, key())).code, 1)
  })

  it('1: signed by another key, which the file then names', async () => {
    const forged = signReceipt(RECEIPT, OTHER.privateKey)
    const { code, printed } = await verify(forged, key())
    assert.deepEqual([code, /another key, SHA256:/.test(printed)], [1, true])
    const { public_key } = signed()
    assert.equal((await verify({ ...forged, public_key }, key())).code, 1)
    assert.equal((await verify(signed(), { key: join(folder, 'other.pem') })).code, 1)
    assert.equal((await verify(signed(), { fingerprint: 'SHA256:other' })).code, 1)
  })

  it('1: one bad receipt among good ones', async () => {
    const bad = { ...signed(), signature: Buffer.alloc(64).toString('base64') }
    assert.equal((await verify({ data: [signed(), bad] }, key())).code, 1)
  })

  it('1: signatures and keys that are none', async () => {
    for (const change of [{ signature: '' }, { signature: '!' }, { public_key: '' }, { public_key: 'AAAA' }])
      assert.equal((await verify({ ...signed(), ...change })).code, 1)
    const { publicKey } = generateKeyPairSync('rsa', { modulusLength: 1024 })
    const rsa = publicKey.export({ format: 'der', type: 'spki' }).toString('base64')
    assert.equal((await verify({ ...signed(), public_key: rsa })).code, 1)
  })

  it('fails with one sentence: truncated, empty, none, too large, too deep', async () => {
    const whole = JSON.stringify(signed())
    for (const content of [
      '',
      whole.slice(0, -1),
      whole.slice(0, 40),
      '{"data":[]}',
      '[]',
      'null',
      '{}',
      '['.repeat(100_000),
    ])
      await assert.rejects(verify(content, key()), /holds no receipt of an erasure, or only a part of one/)
    await assert.rejects(verify(' '.repeat(5 * 1024 * 1024), key()), /is too large/)
    await assert.rejects(verify(signed(), { key: join(folder, 'receipt.json') }), /holds no public key/)
    await assert.rejects(verify(signed(), { key: join(folder, 'missing') }), /ENOENT/)
  })

  it('a usage error: both a key and a fingerprint, or half of a subject', async () => {
    await assert.rejects(verify(signed(), { ...key(), fingerprint: 'x' }), /not both/)
    await assert.rejects(verify(signed(), { subject: 'api:jane' }), /belong together/)
  })
})

describe('canonical JSON', () => {
  it('sorts names as RFC 8785 does, and has no spaces', () => {
    const value = { '\u20ac': 1, '\r': 2, '\ufb33': 3, '1': 4, '\u{1f600}': 5, '\u0080': 6, '\u00f6': 7 }
    const sorted = '{"\\r":2,"1":4,"\u0080":6,"\u00f6":7,"\u20ac":1,"\u{1f600}":5,"\ufb33":3}'
    assert.equal(canonicalJson(value), sorted)
    assert.equal(
      canonicalJson({ b: [1, { d: null, c: 'x"\n' }], a: {} }),
      '{"a":{},"b":[1,{"c":"x\\"\\n","d":null}]}',
    )
  })
})
