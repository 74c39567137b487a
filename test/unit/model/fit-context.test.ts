import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { estimateTokens } from '../../../src/model/estimate-tokens.ts'
import { fitContext } from '../../../src/model/fit-context.ts'
import type { ModelMessage } from '../../../src/model/model.ts'

const say = (role: ModelMessage['role'], content: string): ModelMessage => ({ role, content })
const call = (id: string): ModelMessage => ({
  role: 'assistant',
  content: null,
  tool_calls: [{ id, type: 'function', function: { name: 'f', arguments: '{}' } }],
})
const result = (id: string): ModelMessage => ({ role: 'tool', content: 'found', tool_call_id: id })

const parts = {
  instructions: [say('system', 'Be kind.')],
  ahead: ['Now: noon.'],
  passages: [1, 2, 3].map((number) => `passage ${number} `.repeat(20)),
  summary: null,
  history: [
    say('user', 'one'),
    call('a'),
    result('a'),
    say('assistant', 'first'),
    say('user', 'two'),
    say('user', 'and a half'),
    say('assistant', 'second'),
    say('system', 'Be brief.'),
    say('user', 'three'),
    say('assistant', 'third'),
  ],
  prompt: [say('user', 'four')],
}

describe('fitContext', () => {
  it('sends everything when there is room', () => {
    const { messages, passages, tokens } = fitContext(parts, 10_000)
    assert.deepEqual(messages, [
      ...parts.instructions,
      ...parts.history,
      say('user', [...parts.ahead, ...parts.passages, 'four'].join('\n\n')),
    ])
    assert.ok(passages === 3 && tokens > 200 && tokens < 350, String(tokens))
  })

  it('leaves out oldest turns first, each whole, and never instructions or the prompt, at any size', () => {
    const all = fitContext(parts, 10_000)
    const seen = new Set<number>()
    for (let room = all.tokens; room >= 0; room--) {
      const { messages, tokens } = fitContext(parts, room)
      seen.add(messages.length)
      for (const message of [...parts.instructions, parts.history[7]])
        assert.ok(messages.includes(message as ModelMessage))
      assert.match(String(messages.at(-1)?.content), /four$/)
      // A call is there exactly when its result is.
      assert.equal(
        messages.includes(parts.history[1] as ModelMessage),
        messages.includes(parts.history[2] as ModelMessage),
      )
      const kept = parts.history.filter((message) => message.role !== 'system' && messages.includes(message))
      assert.deepEqual(kept, parts.history.filter(({ role }) => role !== 'system').slice(9 - kept.length))
      if (kept.length > 0) assert.equal(kept[0]?.role, 'user')
      if (messages.length > 3) assert.ok(tokens <= room, `${tokens} of ${room}`)
    }
    assert.ok(seen.size >= 4)
  })

  it('leaves out passages that do not fit beside instructions and prompt, the last one first', () => {
    const shown = (room: number) => {
      const { messages, passages } = fitContext(parts, room)
      const text = String(messages.at(-1)?.content)
      assert.equal(text, [...parts.ahead, ...parts.passages.slice(0, passages), 'four'].join('\n\n'))
      return passages
    }
    const all = fitContext({ ...parts, history: [] }, 10_000).tokens
    const seen = Array.from({ length: all }, (_, less) => shown(all + 10 - less))
    assert.deepEqual([...new Set(seen)], [3, 2, 1, 0])
  })

  it('puts what is ahead before the last thing that the user said, also before results of calls', () => {
    const history = [say('user', 'one'), call('a')]
    const { messages } = fitContext({ ...parts, passages: [], history, prompt: [result('a')] }, 1000)
    assert.deepEqual(messages.slice(1), [say('user', 'Now: noon.\n\none'), call('a'), result('a')])
  })

  it('puts the summary before the history, tells what was left out, and leaves out a summary that does not fit', () => {
    const summary = say('system', 'They spoke of one.')
    const all = fitContext({ ...parts, ahead: [], passages: [], summary }, 10_000)
    assert.deepEqual(all.messages, [...parts.instructions, summary, ...parts.history, ...parts.prompt])
    assert.equal(all.isCut, false)
    const cut = fitContext({ ...parts, ahead: [], passages: [], summary }, all.tokens - 1)
    assert.ok(cut.messages.includes(summary) && cut.isCut)
    const least = fitContext({ ...parts, ahead: [], passages: [], summary }, 1)
    assert.ok(!least.messages.includes(summary) && least.isCut)
  })

  it('keeps the turn whose calls the prompt answers', () => {
    const history = [say('user', 'old'), say('assistant', 'x'), say('user', 'one'), call('a')]
    const { messages } = fitContext({ ...parts, ahead: [], passages: [], history, prompt: [result('a')] }, 1)
    assert.deepEqual(messages, [...parts.instructions, ...history.slice(2), result('a')])
  })

  it('keeps no other turn whose calls have the same ids', () => {
    const history = [say('user', 'one'), call('a'), result('a'), say('assistant', 'x'), say('user', 'two')]
    const least = (prompt: ModelMessage[], more: ModelMessage[] = []) =>
      fitContext({ ...parts, ahead: [], passages: [], history: [...history, ...more], prompt }, 1).messages
    const round = [call('a'), result('a')]
    const asked = [say('user', 'three'), ...round]
    assert.deepEqual(least(asked), [...parts.instructions, ...asked])
    const answers = [result('a'), ...round]
    assert.deepEqual(least(answers, [call('a')]), [
      ...parts.instructions,
      say('user', 'two'),
      call('a'),
      ...answers,
    ])
  })
})

describe('estimateTokens', () => {
  // Counted by o200k.
  for (const [text, tokens] of [
    ['The quick brown fox jumps over the lazy dog and runs away from the hunter.', 16],
    ['我们的办公室在周一到周五上午九点到下午五点开放，请提前预约。', 22],
    ['Die Rechnung wird Ihnen innerhalb von vierzehn Tagen nach Vertragsschluss zugeschickt.', 17],
  ] as const)
    it(`is near what a tokenizer counts: ${text.slice(0, 20)}`, () => {
      const ratio = estimateTokens(text) / tokens
      assert.ok(ratio > 0.75 && ratio < 1.6, String(ratio))
    })

  it('takes no longer for a text of megabytes', () => {
    const started = process.cpuUsage()
    assert.ok(estimateTokens('a'.repeat(10_000_000)) > 2_000_000)
    assert.ok(process.cpuUsage(started).user < 250_000)
  })
})
