import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { answerCleaner } from '../../../src/model/clean-answers.ts'
import type { ModelPiece } from '../../../src/model/model.ts'

type Cleaner = ReturnType<typeof answerCleaner>

/** Returns the text of each piece of a stream. */
async function streamed(cleaner: Cleaner, texts: string[], finish_reason = 'stop'): Promise<string[]> {
  async function* batches(): AsyncGenerator<ModelPiece[]> {
    for (const content of texts) yield [{ delta: { content }, finish_reason: null, usage: null }]
    yield [{ delta: {}, finish_reason, usage: null }]
  }
  const said: string[] = []
  for await (const batch of cleaner.pieces(batches()))
    said.push(batch.map(({ delta }) => delta.content ?? '').join(''))
  return said
}

const PLAIN = ['Hello ', 'there.']
const THOUGHTS = ['hm, so', '</think>', 'Hello.']

describe('a server whose answers begin in thoughts without a mark', () => {
  it('is known by an answer with their end, and no more after one without', async () => {
    const cleaner = answerCleaner()
    await streamed(cleaner, THOUGHTS)
    assert.deepEqual(await streamed(cleaner, THOUGHTS), ['', '', 'Hello.', ''])
    assert.deepEqual(await streamed(cleaner, PLAIN), ['', '', 'Hello there.'])
    assert.deepEqual(await streamed(cleaner, PLAIN), [...PLAIN, ''])
  })

  it('is known by answers in one piece, too', async () => {
    const cleaner = answerCleaner()
    const whole = (texts: string[]) => {
      const rest = { tool_calls: [], refusal: null, finish_reason: 'stop', usage: null, citations: [] }
      return cleaner.whole({ ...rest, model: 'm', content: texts.join('') }).content
    }
    assert.deepEqual([whole(THOUGHTS), whole(THOUGHTS)], ['Hello.', 'Hello.'])
    assert.deepEqual(await streamed(cleaner, PLAIN), ['', '', 'Hello there.'])
    await streamed(cleaner, THOUGHTS)
    assert.equal(whole(PLAIN), 'Hello there.')
    assert.deepEqual(await streamed(cleaner, PLAIN), [...PLAIN, ''])
  })

  it('is still known after thoughts that were cut off, and an answer without a text', async () => {
    const cleaner = answerCleaner()
    await streamed(cleaner, THOUGHTS)
    await streamed(cleaner, ['hm, so'], 'length')
    await streamed(cleaner, [], 'tool_calls')
    assert.deepEqual(await streamed(cleaner, THOUGHTS), ['', '', 'Hello.', ''])
  })
})
