import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parsePrivateTargets } from '../../../src/lib/outbound/private-targets.ts'

test('takes hosts, addresses and networks, with blanks and empty entries', () => {
  const targets = parsePrivateTargets(
    ' Hooks.Internal., 127.0.0.1/32,,10.1.2.3, ::1, fd00::/8 ,bücher.example,a_b,',
  )
  assert.deepEqual([...targets.hosts], ['hooks.internal', 'xn--bcher-kva.example', 'a_b'])
  assert.deepEqual(
    targets.networks.map(([address, length]) => `${address}/${length}`),
    ['127.0.0.1/32', '10.1.2.3/32', '::1/128', 'fd00::/8'],
  )
})

test('is nothing for an empty text', () => {
  assert.deepEqual(parsePrivateTargets(''), { hosts: new Set(), networks: [] })
})

const bad = [
  'hooks.internal:8080',
  'http://hooks.internal',
  '*.internal',
  '10.0.0.0/33',
  '10.0.0.0/',
  '10.0.0/8',
  '127.1',
  '0x7f000001',
  '2130706433',
  '[::1]',
  'fe80::1%eth0',
  '::1/129',
  'a b',
  '-a.internal',
  'a..b',
  '.',
  `${'a'.repeat(64)}.internal`,
]
for (const entry of bad) {
  test(`refuses ${entry.slice(0, 30)} by name`, () => {
    assert.throws(
      () => parsePrivateTargets(`10.0.0.0/8,${entry}`),
      (error: Error) => error.message.includes(`"${entry}"`),
    )
  })
}
