import assert from 'node:assert/strict'
import { it } from 'node:test'
import { addressOf } from '../../src/commands/address-of.ts'

it('a command names the public address, or one that this machine reaches', () => {
  for (const [host, publicUrl, expected] of [
    ['127.0.0.1', null, 'http://127.0.0.1:9000'],
    ['0.0.0.0', null, 'http://localhost:9000'],
    ['::', null, 'http://localhost:9000'],
    ['::1', null, 'http://[::1]:9000'],
    ['0.0.0.0', 'https://chat.example.com/', 'https://chat.example.com'],
  ] as const)
    assert.equal(addressOf({ host, port: 9000, publicUrl }), expected, `${host} ${publicUrl}`)
})
