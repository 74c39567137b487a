import assert from 'node:assert/strict'
import { globSync, readFileSync, statSync } from 'node:fs'
import { basename } from 'node:path'
import { describe, it } from 'node:test'

/** The bytes that a browser loads of a file when it accepts gzip. */
const sizeOf = (file: string) => statSync(`${file}.gz`).size

describe("the widget's size", () => {
  const parts = globSync('widget/dist/assets/*.js')
  const panel = parts.filter((file) => basename(file).startsWith('panel-'))
  const languages = parts.filter((file) => /^[a-z]{2}-/.test(basename(file)))
  const later = parts.filter((file) => !panel.includes(file) && !languages.includes(file))

  it('the launcher is at most 6 kB', () => {
    const size = sizeOf('widget/dist/widget.js')
    assert.ok(size > 2000 && size <= 6_000, String(size))
  })

  it('what is loaded when it is needed has at most 4 kB a file', () => {
    assert.ok(later.length >= 4)
    for (const file of later) assert.ok(sizeOf(file) <= 4_000, `${basename(file)}: ${sizeOf(file)}`)
  })

  it('all that is loaded in any language is at most 20 kB', () => {
    assert.equal(panel.length, 1)
    assert.ok(languages.length >= 8)
    for (const language of languages) {
      const size = ['widget/dist/widget.js', ...panel, language].map(sizeOf).reduce((a, b) => a + b)
      assert.ok(size <= 20_000, `${basename(language)}: ${size}`)
    }
  })

  it('the launcher is a script and a module at once, and loads nothing by itself', () => {
    const text = readFileSync('widget/dist/widget.js', 'utf8')
    assert.match(text, /^\(/)
    assert.doesNotMatch(text, /^(import|export)\b|import\.meta/m)
  })
})
