import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { it } from 'node:test'

/** Docstrings that begin so are clauses without a subject. */
const CLAUSE =
  /\/\*\*\s+(?:\* )?((?:What|Of|How|Whether|Which|Whose|Who|Where|When|Why|As|In which|By what|For which)\b[^\n]*)/g

it('a docstring begins with a verb or a noun: it says what the thing is or does', () => {
  const files = globSync('{src,console,widget,browser,bench,test}/**/*.{ts,tsx,js}', {
    exclude: ['**/dist/**', '**/node_modules/**'],
  })
  assert.ok(files.length > 1000)
  const clauses = files.flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(CLAUSE)].map(([, words]) => `${file}: ${words}`),
  )
  assert.deepEqual(clauses, [])
})
