import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { guardWhole } from '../../../src/rules/guard-stream.ts'

/** Replaces every sentence that holds a word. */
const without = (word: string) => ({
  holdsWhole: false,
  guardPart: async (_passed: string, part: string) => ({
    text: part.includes(word) ? '[removed]' : part,
  }),
})

describe('guardWhole', () => {
  it('keeps the blank behind a sentence that is replaced', async () => {
    assert.deepEqual(await guardWhole(without('bad'), 'One. This is bad.\n\nTwo.'), {
      text: 'One. [removed]\n\nTwo.',
      isBlocked: false,
    })
  })

  it('takes time in line with the length of the blanks within a sentence', async () => {
    const started = process.cpuUsage()
    const { text } = await guardWhole(without('bad'), `bad${' '.repeat(300_000)}words. Two.`)
    assert.equal(text, '[removed] Two.')
    assert.ok(process.cpuUsage(started).user < 1_500_000)
  })
})
