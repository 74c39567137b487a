import assert from 'node:assert/strict'
import { globSync, readFileSync, statSync } from 'node:fs'
import { describe, it } from 'node:test'

const BUILT = 'console/dist'

describe('letters of the console', () => {
  it('are those of the scale in theme.ts: no page has a size or a weight of its own', () => {
    const files = globSync('console/**/*.{css,tsx}', { exclude: ['console/dist/**'] })
    assert.ok(files.length > 100, 'the sources are not there')
    const strange = files.flatMap((file) =>
      [
        ...readFileSync(file, 'utf8').matchAll(
          /fz=\{[^}]*|fontSize:.*|fw=\{(?!400\}|500\}|600\}|\w+ )[^}]*|font-(?:size|weight):(?! var\(| 16px| 100 900).*/g,
        ),
      ].map(([found]) => `${file}: ${found}`),
    )
    assert.deepEqual(strange, [])
  })

  it('come from the console itself: one font of at most 50 kB is preloaded, others come with their alphabet', () => {
    const page = readFileSync(`${BUILT}/index.html`, 'utf8')
    const preloaded = [...page.matchAll(/href="\/console\/(assets\/[^"]+\.woff2)"/g)].map(([, file]) => file)
    assert.equal(preloaded.length, 1)
    assert.ok(statSync(`${BUILT}/${preloaded[0]}`).size <= 50_000)
    const styles = globSync(`${BUILT}/assets/*.css`).map((file) => readFileSync(file, 'utf8'))
    const faces = styles.join('').match(/@font-face\{[^}]+\}/g) ?? []
    assert.equal(faces.length, 5)
    for (const face of faces) {
      const [, file] = /url\(\/console\/(assets\/[^)]+)\)/.exec(face) ?? []
      assert.ok(file && statSync(`${BUILT}/${file}`).size > 0, face)
      assert.match(face, /unicode-range:/)
    }
    assert.match(readFileSync(`${BUILT}/assets/inter-OFL.txt`, 'utf8'), /SIL Open Font License/i)
  })
})
