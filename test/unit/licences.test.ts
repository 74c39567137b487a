import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { it } from 'node:test'

/** Licences under which Parley may be passed on with what it is made of. */
const ALLOWED = new Set([
  'MIT',
  'MIT-0',
  'ISC',
  'Apache-2.0',
  'BSD',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  'Zlib',
  '0BSD',
])

/**
 * The library of pictures, of which sharp brings a build of each platform: it is loaded as a library of its own and
 * unchanged, which its licence allows to all programs.
 */
const LIBVIPS = /^node_modules\/@img\/sharp-/

/** The licence of this library (MPL-2.0) holds for its own files alone, and they are passed on unchanged. */
const WEB_PUSH = 'node_modules/web-push'

/** True if a licence expression of SPDX, without nested parentheses, leaves an allowed choice. */
function isAllowed(expression: string): boolean {
  const bare = expression.replaceAll(/[()]/g, '')
  if (bare.includes(' OR ')) return bare.split(' OR ').some((one) => ALLOWED.has(one))
  return bare.split(' AND ').every((one) => ALLOWED.has(one))
}

it('every package that Parley is shipped with has a licence that allows it', () => {
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
    packages: Record<string, { license?: string; dev?: boolean }>
  }
  const shipped = Object.entries(packages).filter(([path, { dev }]) => path !== '' && !dev)
  assert.ok(shipped.length > 100)
  assert.deepEqual(
    shipped
      .filter(
        ([path, { license = 'none' }]) => !isAllowed(license) && !LIBVIPS.test(path) && path !== WEB_PUSH,
      )
      .map(([path]) => path),
    [],
  )
})
