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
    const secure = /crypto\.(randomUUID|subtle)/
    assert.deepEqual(
      files.filter((file) =>
        secure.test(readFileSync(file, 'utf8').replace(/^\s*(\/\/|\*|\/\*\*).*$/gm, '')),
      ),
      [],
    )
  })

  it('have ids that differ', () => {
    const ids = Array.from({ length: 1000 }, newId)
    assert.equal(new Set(ids).size, 1000)
    for (const id of ids) assert.match(id, /^\d+(-\d+){3}$/)
  })
})
