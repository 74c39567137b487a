import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { newId } from '../../../browser/new-id.ts'

describe('pages that are served without HTTPS', () => {
  it('ask for no function that browsers offer to secure pages only', () => {
    const files = globSync(['{browser,console,widget}/**/*.{ts,tsx}'], {
      exclude: ['**/dist/**', '**/node_modules/**'],
    })
    assert.ok(files.length > 100)
    const secure = /crypto\.(randomUUID|subtle)|navigator\.clipboard|\b(CopyButton|useClipboard)\b/
    assert.deepEqual(
      files.filter((file) =>
        secure.test(readFileSync(file, 'utf8').replace(/^\s*(\/\/|\*|\/\*\*).*$/gm, '')),
      ),
      // It has another way where the function is missing.
      ['console/ui/copy-text.ts'],
    )
  })

  it('have ids that differ', () => {
    const ids = Array.from({ length: 1000 }, newId)
    assert.equal(new Set(ids).size, 1000)
    for (const id of ids) assert.match(id, /^\d+(-\d+){3}$/)
  })
})
