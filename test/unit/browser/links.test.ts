import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { safeUrl } from '../../../browser/read-markdown.ts'

const HOSTILE = [
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  ' javascript:alert(1)',
  'java\tscript:alert(1)',
  '\u0001javascript:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  'vbscript:msgbox(1)',
  'blob:https://example.com/1',
  'file:///etc/passwd',
  'view-source:https://example.com',
  '//evil.example/x',
  '/\\evil.example',
  '\\\\evil.example',
  '/console/api/session',
  '',
]

/** Addresses that the console's own code or the service makes, never somebody's text. */
const OWN = [
  '"#content"',
  'attachmentAddress',
  'figureAddress',
  'provider.start',
  'prepared.address',
  'asCsv(read)',
  'asJson(signed)',
]

describe('links', () => {
  for (const address of HOSTILE)
    it(`none leads to ${JSON.stringify(address)}`, () => assert.equal(safeUrl(address), null))

  it('each in console and widget leads to an address that went through safeUrl', () => {
    const unchecked = globSync(['console/**/*.tsx', 'widget/**/*.tsx'], {
      exclude: ['**/dist/**'],
    }).flatMap((file) => {
      const code = readFileSync(file, 'utf8')
      const given = [...code.matchAll(/\bhref=(\{.*?\}|"[^"]*")(?=[\s>/])|<Link\b[^>]*?\burl=\{(.*?)\}/g)]
      return given
        .map(([, href, url]) => (href ?? url ?? '').replace(/^\{(.*)\}$/, '$1'))
        .filter((value) => !isOwn(value) && !isChecked(value, code))
        .map((value) => `${file}: ${value}`)
    })
    assert.deepEqual(unchecked, [])
  })
})

/** Tells whether an address is of the console's own making, or leads to a route of the service by its client. */
function isOwn(value: string): boolean {
  return OWN.includes(value) || value.startsWith('api.address(')
}

/** Tells whether an address was made by safeUrl or tested by it, or is that of a part of safe Markdown. */
function isChecked(value: string, code: string): boolean {
  // `Link` of the widget is given what its users have checked, which the same test looks at.
  if (value === 'part.url' || (value === 'url' && code.includes('export function Link('))) return true
  return (
    value.includes('safeUrl(') ||
    code.includes(`safeUrl(${value})`) ||
    new RegExp(`const ${value} = [^\\n]*safeUrl\\(`).test(code)
  )
}
