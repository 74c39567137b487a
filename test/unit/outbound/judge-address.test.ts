import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { judgeAddress } from '../../../src/lib/outbound/judge-address.ts'
import { parsePrivateTargets } from '../../../src/lib/outbound/private-targets.ts'

const none = parsePrivateTargets('')
const everything = parsePrivateTargets('0.0.0.0/0, ::/0')

const PUBLIC = [
  '1.1.1.1',
  '8.8.8.8',
  '100.63.255.255',
  '100.128.0.0',
  '172.15.255.255',
  '172.32.0.0',
  '198.17.255.255',
  '198.20.0.0',
  '223.255.255.255',
  '2606:4700::1111',
  '2a00::1',
  '::ffff:8.8.8.8',
  '64:ff9b::8.8.8.8',
  '2002:808:808::1',
]

const PRIVATE = [
  '0.0.0.0',
  '0.1.2.3',
  '10.0.0.1',
  '10.255.255.255',
  '100.64.0.1',
  '100.127.255.255',
  '127.0.0.1',
  '127.255.255.254',
  '169.254.1.1',
  '172.16.0.1',
  '172.31.255.255',
  '192.0.0.1',
  '192.0.2.1',
  '192.88.99.1',
  '192.168.0.1',
  '198.18.0.1',
  '198.19.255.255',
  '198.51.100.1',
  '203.0.113.1',
  '224.0.0.1',
  '239.255.255.255',
  '240.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '::2',
  '::127.0.0.1',
  '::ffff:127.0.0.1',
  '::ffff:7f00:1',
  '::ffff:10.0.0.1',
  '::ffff:0:10.0.0.1',
  '64:ff9b::127.0.0.1',
  '64:ff9b::a00:1',
  '64:ff9b:1::8.8.8.8',
  '64:ff9b:1::10.0.0.1',
  '64:ff9b:1:808:8:808:808:808',
  '100::1',
  '2001::1',
  '2001:0:808:808:0:0:f5ff:fffe', // Teredo client 10.0.0.1
  '2001:0:a00:1:0:0:f7f7:f7f7', // Teredo server 10.0.0.1
  '2001:2::1',
  '2001:10::1',
  '2001:20::1',
  '2001:db8::1',
  '2002:7f00:1::',
  '2002:a00:1::1',
  '2002:c0a8:101::1',
  '3fff::1',
  '4000::1',
  '5f00::1',
  '8000::1',
  'fc00::1',
  'fd12:3456::1',
  'fe80::1',
  'fe80::1%eth0',
  'fec0::1',
  'ff02::1',
]

const METADATA = [
  '169.254.169.254',
  '169.254.170.2',
  '169.254.170.23',
  '100.100.100.200',
  '168.63.129.16',
  '192.0.0.192',
  'fd00:ec2::254',
  'fd00:0ec2:0::254',
  'fd20:ce::254',
  'fe80::a9fe:a9fe%eth0',
  '::ffff:169.254.169.254',
  '::169.254.169.254',
  '64:ff9b::169.254.169.254',
  '64:ff9b:1::169.254.169.254',
  '64:ff9b:1:a9fe:a9:fe00::', // RFC 6052 with a prefix of 48 bits
  '2002:a9fe:a9fe::1',
  '2001:0:808:808:0:0:5601:5601', // Teredo client
]

describe('an address', () => {
  for (const address of PUBLIC) {
    test(`${address} is allowed`, () => assert.equal(judgeAddress(address, none), 'allowed'))
  }
  for (const address of PRIVATE) {
    test(`${address} is private`, () => assert.equal(judgeAddress(address, none), 'private'))
    test(`${address} is allowed when its network is`, () =>
      assert.equal(judgeAddress(address, everything), 'allowed'))
    test(`${address} is allowed for a host that is`, () =>
      assert.equal(judgeAddress(address, none, true), 'allowed'))
  }
  for (const address of METADATA) {
    test(`${address} is metadata, whatever is allowed`, () => {
      assert.equal(judgeAddress(address, none), 'metadata')
      assert.equal(judgeAddress(address, everything, true), 'metadata')
    })
  }

  test('inside an IPv6 address is allowed by its own network', () => {
    const ten = parsePrivateTargets('10.0.0.0/8')
    for (const address of ['::ffff:10.0.0.1', '64:ff9b::10.0.0.1', '2002:a00:1::1']) {
      assert.equal(judgeAddress(address, ten), 'allowed')
      assert.equal(judgeAddress(address, parsePrivateTargets('11.0.0.0/8')), 'private')
    }
  })

  test('is judged alike in every IPv6 form that carries it', () => {
    fc.assert(
      fc.property(fc.ipV4(), (address) => {
        const [a = 0, b = 0, c = 0, d = 0] = address.split('.').map(Number)
        const groups = `${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`
        const verdict = judgeAddress(address, none)
        for (const form of [
          `::ffff:${groups}`,
          `::ffff:0:${groups}`,
          `64:ff9b::${groups}`,
          `2002:${groups}::`,
        ]) {
          assert.equal(judgeAddress(form, none), verdict, form)
        }
      }),
    )
  })
})
