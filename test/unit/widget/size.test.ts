import assert from 'node:assert/strict'
import { globSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { describe, it } from 'node:test'

/** The bytes that a browser loads of a file when it accepts gzip. */
const sizeOf = (file: string) => statSync(`${file}.gz`).size

describe("the widget's size", () => {
  const parts = globSync('widget/dist/assets/*.js')
  const named = (name: string) => parts.filter((file) => basename(file).startsWith(`${name}-`))
  const panel = [...withImports(named('panel'))]
  const languages = readdirSync('widget/texts').map((file) => file.replace('.json', ''))
  const atFirst = [...panel, ...languages.flatMap(named)]
  const later = parts.filter((file) => !atFirst.includes(file))

  it('the launcher is at most 6 kB', () => {
    const size = sizeOf('widget/dist/widget.js')
    assert.ok(size > 2000 && size <= 6_000, String(size))
  })

  it('each file that is loaded only when it is needed has at most 4 kB', () => {
    assert.ok(later.length >= 4)
    for (const file of later) assert.ok(sizeOf(file) <= 4_000, `${basename(file)}: ${sizeOf(file)}`)
  })

  it('all that is loaded in any language is at most 20 kB', () => {
    assert.equal(named('panel').length, 1)
    assert.ok(languages.length >= 8)
    for (const language of languages) {
      assert.equal(named(language).length, 1, language)
      const loaded = ['widget/dist/widget.js', ...panel, ...named(language)]
      const size = loaded.map(sizeOf).reduce((a, b) => a + b)
      assert.ok(size <= 20_000, `${language}: ${size} in ${loaded.map((file) => basename(file)).join(', ')}`)
    }
  })

  it('the launcher is a script and a module at once, and loads nothing by itself', () => {
    const text = readFileSync('widget/dist/widget.js', 'utf8')
    assert.match(text, /^\(/)
    assert.doesNotMatch(text, /^(import|export)\b|import\.meta/m)
  })
})

/** Returns files and all that a browser loads with them: what they import, and what that imports, but not by `import()`. */
function withImports(files: readonly string[], found = new Set<string>()): Set<string> {
  for (const file of files) {
    if (found.has(file)) continue
    found.add(file)
    const imports = readFileSync(file, 'utf8').matchAll(/\b(?:from|import)\s*["'`]\.\/([^"'`]+)/g)
    withImports(imports.map(([, name = '']) => join('widget/dist/assets', name)).toArray(), found)
  }
  return found
}
