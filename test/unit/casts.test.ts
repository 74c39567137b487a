import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { it } from 'node:test'

/** A cast that the compiler cannot check at all. */
const unchecked = /\bas (?:never|any|unknown as)\b/g

it('types are forced in one place only: where a query is built of placeholders', () => {
  const found = globSync('src/**/*.ts').flatMap((file) => {
    const code = readFileSync(file, 'utf8').replaceAll(/\/\*\*.*?\*\/|\/\/[^\n]*$/gms, '')
    return [...code.matchAll(unchecked)].map(([cast]) => `${file}: ${cast}`)
  })
  assert.deepEqual(found, ['src/storage/prepared.ts: as never'])
})
