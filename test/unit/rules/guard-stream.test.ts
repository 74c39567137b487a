import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { guardStream, guardWhole } from '../../../src/rules/guard-stream.ts'

/** Replaces every sentence that holds a word. */
const without = (word: string) => ({
  holdsWhole: false,
  isOpen: () => false,
  guardPart: async (_passed: string, part: string) => ({
    text: part.includes(word) ? '[removed]' : part,
  }),
})

describe('guardStream', () => {
  const usage = { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 }
  const text = (content: string) => ({ delta: { content }, finish_reason: null, usage: null })

  it('lets out what comes with a text: citations, usage and how it ended', async () => {
    const citations = [{ title: 'T', url: null, snippet: 'One.' }]
    const end = { delta: {}, finish_reason: 'stop', usage }
    assert.deepEqual(await guardStream(without('bad')).feed([{ ...text('One.'), citations }, end]), [
      text('One.'),
      { delta: {}, finish_reason: null, usage: null, citations },
      end,
    ])
  })

  describe('tool calls beside a text', () => {
    const called = (fields = {}) => ({
      delta: { tool_calls: [{ index: 0, id: 'a', ...fields }] },
      finish_reason: null,
      usage: null,
    })
    const end = { delta: {}, finish_reason: 'tool_calls', usage }
    const blocks = (word: string, holdsWhole = false) => ({
      holdsWhole,
      isOpen: () => false,
      guardPart: async (passed: string, part: string) =>
        (passed + part).includes(word) ? { reply: 'No.' } : { text: part },
    })

    it('leave when all of the text has left', async () => {
      const guard = guardStream(blocks('bad'))
      const role = { delta: { role: 'assistant' }, finish_reason: null, usage: null }
      const first = { ...called(), delta: { ...role.delta, ...called().delta } }
      assert.deepEqual(await guard.feed([first, text('One. '), called(), text('Two')]), [role, text('One. ')])
      assert.deepEqual(await guard.feed([{ ...called(), finish_reason: 'tool_calls', usage }]), [
        text('Two'),
        called(),
        called(),
        { ...end, delta: called().delta },
      ])
    })

    for (const holdsWhole of [false, true])
      it(`never leave when it is blocked, ${holdsWhole ? 'as a whole' : 'before them or behind'}`, async () => {
        const no = [text('No.'), { ...end, finish_reason: 'content_filter' }]
        const citations = [{ title: 'T', url: null, snippet: 'bad' }]
        for (const pieces of [
          [text('bad'), called(), end],
          [called(), text('bad'), end],
          [called(), { ...text(''), citations }, { ...text('bad'), finish_reason: 'stop', usage }],
        ])
          assert.deepEqual(await guardStream(blocks('bad', holdsWhole)).feed(pieces), no)
      })
  })

  it('tells what a response cost that was blocked', async () => {
    const blocks = { holdsWhole: false, isOpen: () => false, guardPart: async () => ({ reply: 'No.' }) }
    assert.deepEqual(await guardStream(blocks).feed([{ ...text('One.'), finish_reason: 'stop', usage }]), [
      text('No.'),
      { delta: {}, finish_reason: 'content_filter', usage },
    ])
  })
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
