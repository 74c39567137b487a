import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { it } from 'node:test'
import { OWN_VERSION } from '../../src/lib/own-version.ts'

/** The places that name the version, each with what stands before it. */
const places = {
  'deploy/kubernetes/Chart.yaml': /^(?:version|appVersion): (.+)$/gm,
  Dockerfile: /image\.version="(.+?)"/g,
  'docs/operations.md': /parley[:-](\d+\.\d+\.\d+)/g,
  'CHANGELOG.md': /## (.+)/,
}

for (const [file, pattern] of Object.entries(places)) {
  it(`${file} names this version`, () => {
    const text = readFileSync(file, 'utf8')
    const named = pattern.global ? [...text.matchAll(pattern)] : [pattern.exec(text)]
    assert.ok(named.length > 0)
    assert.deepEqual([...new Set(named.map((match) => match?.[1]))], [OWN_VERSION])
  })
}
