import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { describe, it } from 'node:test'
import wabt from 'wabt'
import { compareInWebAssembly } from '../../../src/knowledge/vectors/dot.ts'
import { dotCode } from '../../../src/knowledge/vectors/dot-code.ts'
import { numbersOf } from '../../../src/knowledge/vectors/memory.ts'
import { compareWith } from '../../../src/knowledge/vectors/products.ts'

describe('scalar products in WebAssembly', () => {
  it('the binary code is that of dot.wat', async () => {
    const text = await readFile(new URL('../../../src/knowledge/vectors/dot.wat', import.meta.url), 'utf8')
    const features = { simd: true, threads: true, multi_memory: true }
    const { parseWat } = await wabt()
    const made = parseWat('dot.wat', text, features).toBinary({})
    assert.equal(Buffer.from(made.buffer).toString('base64'), dotCode)
  })

  for (const dimension of [1, 3, 4, 15, 16, 17, 31, 64, 130, 384, 8192])
    it(`vectors of ${dimension} numbers have the products that JavaScript finds, from any place on`, () => {
      const memory = new WebAssembly.Memory({ initial: 8, maximum: 8, shared: true })
      const numbers = numbersOf(memory)
      for (let at = 0; at < numbers.length; at++) numbers[at] = Math.sin(at * 12.9898)
      const question = Float32Array.from({ length: dimension }, (_, at) => Math.cos(at * 3.7))
      const count = Math.min(1000, Math.floor(numbers.length / dimension))
      for (const [from, to] of [
        [0, count],
        [Math.floor(count / 3), count - 1],
        [count, count],
      ] as const) {
        const expected = compareWith(numbers, dimension, question)(from, to)
        const found = compareInWebAssembly(memory, dimension, question)(from, to)
        assert.equal(found.length, to - from)
        for (const [at, similarity] of found.entries())
          assert.ok(Math.abs(similarity - Number(expected[at])) < 1e-3, `${from + at}: ${similarity}`)
      }
    })

  it('a question with more numbers than its memory holds is refused', () => {
    const memory = new WebAssembly.Memory({ initial: 1, maximum: 1, shared: true })
    assert.throws(() => compareInWebAssembly(memory, 8193, new Float32Array(8193)), /at most 8192/)
  })
})
