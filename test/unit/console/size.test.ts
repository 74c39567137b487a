import assert from 'node:assert/strict'
import { readFileSync, statSync } from 'node:fs'
import { describe, it } from 'node:test'

interface Chunk {
  file: string
  imports?: string[]
  dynamicImports?: string[]
  isEntry?: boolean
}

const BUILT = 'console/dist'
const manifest: Record<string, Chunk> = JSON.parse(readFileSync(`${BUILT}/.vite/manifest.json`, 'utf8'))
const KIB = 1024

describe('size of the console', () => {
  for (const [page, most] of [['pages/inbox/InboxPage.tsx', 250]] as const)
    it(`${page} needs at most ${most} kB of script on a first visit`, () => {
      const files = scriptsOf(['index.html', page, 'pages/inbox/ConversationPage.tsx', 'texts/en.json?first'])
      const bytes = files.reduce((sum, file) => sum + statSync(`${BUILT}/${file}.gz`).size, 0)
      assert.ok(files.length > 3, 'the manifest names no scripts')
      assert.ok(bytes <= most * 1000, `${Math.round(bytes / KIB)} KiB: ${files.join(' ')}`)
    })
})

/** The scripts that a browser loads for some chunks, with everything that they import. */
function scriptsOf(names: readonly string[]): string[] {
  const found = new Set<string>()
  const open = [...names]
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    const chunk = manifest[name]
    assert.ok(chunk, `the build has no ${name}`)
    if (found.has(chunk.file)) continue
    found.add(chunk.file)
    open.push(...(chunk.imports ?? []))
  }
  return [...found]
}
