import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { allowedOrigin, isAllowedOrigin } from '../../../src/widgets/origins.ts'

const read = (text: string) => allowedOrigin.safeParse(text).data

describe('allowed origins', () => {
  for (const [text, normal] of [
    ['https://shop.example', 'https://shop.example'],
    ['HTTPS://Shop.Example:443/', 'https://shop.example'],
    ['http://localhost:3000', 'http://localhost:3000'],
    ['https://bücher.example', 'https://xn--bcher-kva.example'],
    ['https://*.shop.example', 'https://*.shop.example'],
    ['https://*.Shop.example:8443', 'https://*.shop.example:8443'],
    ['http://[::1]:80', 'http://[::1]'],
    ['https://shop.example/path/to/page', 'https://shop.example'],
    ['https://shop.example?x', 'https://shop.example'],
    ['https://shop.example#x', 'https://shop.example'],
    [' https://Shop.Example/De/?utm_source=mail#top\n', 'https://shop.example'],
    ['shop.example', 'https://shop.example'],
    ['WWW.Shop.Example/contact', 'https://www.shop.example'],
    ['shop.example:8443/', 'https://shop.example:8443'],
    ['localhost:5173/app', 'http://localhost:5173'],
    ['127.0.0.1:8080', 'http://127.0.0.1:8080'],
    ['localhost.example', 'https://localhost.example'],
    ['*.shop.example', 'https://*.shop.example'],
    ['https://*.shop.example/path', 'https://*.shop.example'],
  ] as const)
    it(`${text} is taken as ${normal}`, () => assert.equal(read(text), normal))

  for (const text of [
    '',
    '*',
    'null',
    ' null ',
    'https://',
    '/path',
    'https://user@shop.example',
    'https://shop.example@evil.example/',
    'ftp://shop.example',
    'javascript:alert(1)',
    'https://*',
    'https://*.',
    'https://*.com',
    'https://*.*.example',
    'https://*.1.2.3.4',
    'https://shop.*.example',
    'https://*shop.example',
    'http://*.shop.example',
    `https://${'a'.repeat(300)}.example`,
  ])
    it(`${JSON.stringify(text.slice(0, 40))} is refused`, () => assert.equal(read(text), undefined))

  for (const [allowed, origin, isAllowed] of [
    ['https://shop.example', 'https://shop.example', true],
    ['https://shop.example', 'http://shop.example', false],
    ['https://shop.example', 'https://shop.example:8443', false],
    ['https://shop.example', 'https://shop.example.evil.test', false],
    ['https://shop.example', 'null', false],
    ['https://*.shop.example', 'https://www.shop.example', true],
    ['https://*.shop.example', 'https://a.b-c.shop.example', true],
    ['https://*.shop.example', 'https://shop.example', false],
    ['https://*.shop.example', 'https://.shop.example', false],
    ['https://*.shop.example', 'https://evilshop.example', false],
    ['https://*.shop.example', 'http://www.shop.example', false],
    ['https://*.shop.example', 'https://www.shop.example:8443', false],
    ['https://*.shop.example:8443', 'https://www.shop.example:8443', true],
    ['https://*.shop.example', 'https://evil.test/.shop.example', false],
    ['https://*.shop.example', 'https://evil.test:1@a.shop.example', false],
  ] as const)
    it(`${allowed} ${isAllowed ? 'allows' : 'refuses'} ${origin}`, () =>
      assert.equal(isAllowedOrigin([allowed], origin), isAllowed))

  it('whatever is taken names an origin, and is taken as itself', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 60 }),
      fc.webUrl(),
      fc.domain().map((domain) => `https://*.${domain}`),
    )
    fc.assert(
      fc.property(text, (text) => {
        const normal = read(text)
        if (normal === undefined) return
        assert.equal(read(normal), normal)
        const host = normal.replace('*.', 'sub.')
        assert.equal(URL.parse(host)?.origin, host)
        assert.ok(isAllowedOrigin([normal], host))
      }),
    )
  })

  it('no other origin than the allowed one is let in', () => {
    fc.assert(
      fc.property(fc.webUrl(), fc.domain(), (url, domain) => {
        const { origin, hostname } = new URL(url)
        assert.equal(isAllowedOrigin([`https://${domain}`], origin), origin === `https://${domain}`)
        if (isAllowedOrigin([`https://*.${domain}`], origin)) assert.ok(hostname.endsWith(`.${domain}`))
      }),
    )
  })
})
