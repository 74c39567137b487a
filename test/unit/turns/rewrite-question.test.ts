import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Agent } from '../../../src/agents/agent.ts'
import { defaultSettings } from '../../../src/agents/settings.ts'
import { continueTrace } from '../../../src/lib/tracing/trace-context.ts'
import { exportSpans, type FinishedSpan, inTrace } from '../../../src/lib/tracing/tracing.ts'
import { type Model, ModelError, type ModelMessage, type ModelRequest } from '../../../src/model/model.ts'
import { gainsByRewrite } from '../../../src/turns/retrieval/gains-by-rewrite.ts'
import { rewritesQuestions } from '../../../src/turns/retrieval/rewrite-question.ts'
import { queriesIn } from '../../../src/turns/retrieval/rewrite-request.ts'

const agent = { id: 1, settings: { ...defaultSettings, rewrite: 'on' } } as Agent
const before: ModelMessage[] = [{ role: 'user', content: 'Tell me about the premium plan' }]
const signal = new AbortController().signal

/** Creates a rewriter over a model that answers as told. */
function rewriterOver(complete: (request: ModelRequest, signal: AbortSignal) => Promise<string>) {
  const asked: ModelRequest[] = []
  let now = 0
  const model: Model = {
    async complete(request, signal) {
      asked.push(request)
      const content = await complete(request, signal)
      return {
        ...{ content, tool_calls: [], refusal: null, finish_reason: 'stop', usage: null, citations: [] },
        model: 'm',
      }
    },
    async *stream() {},
  }
  const rewrite = rewritesQuestions({
    modelFor: () => ({ takesTools: () => true }),
    rewriterFor: () => ({ model, name: 'm', isBuiltIn: false, takesTools: () => true }),
    languagesOf: async () => ['en'],
    titlesOf: async () => ['Plans'],
    modelFailed: () => {},
    now: () => now,
    timeoutMs: 5,
  })
  return {
    asked,
    rewrite: (question: string, given = signal) => rewrite({ agent, question, before, fits: false }, given),
    pass: (ms: number) => {
      now += ms
    },
  }
}

describe('putting a question into queries', () => {
  it('waits no longer than it may, and leaves a slow model alone for a minute', async () => {
    const { rewrite, asked, pass } = rewriterOver(
      (_, signal) =>
        new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error))),
    )
    assert.deepEqual(await rewrite('is it free?'), { queries: [], failure: 'timeout' })
    assert.deepEqual(await rewrite('is it free?'), { queries: [], failure: 'resting' })
    pass(60_000)
    assert.deepEqual(await rewrite('is it free?'), { queries: [], failure: 'timeout' })
    assert.equal(asked.length, 2)
  })

  it('is done once for the same end of a conversation, within ten minutes', async ({ mock }) => {
    mock.timers.enable({ apis: ['setTimeout'] })
    const { rewrite, asked } = rewriterOver(async () => 'price of the premium plan')
    for (let questions = 0; questions < 2; questions++) await rewrite('is it free?')
    assert.equal(asked.length, 1)
    mock.timers.tick(600_000)
    await rewrite('is it free?')
    assert.equal(asked.length, 2)
  })

  it('is a span of the trace, as every call of a model', async () => {
    const spans: FinishedSpan[] = []
    const stop = exportSpans((span) => spans.push(span))
    const { rewrite } = rewriterOver(async () => 'price of the premium plan')
    await inTrace(continueTrace({}), () => rewrite('is it free?'))
    stop()
    assert.deepEqual(
      spans.map(({ name, kind }) => [name, kind]),
      [['chat m', 'client']],
    )
  })

  it('ends with the turn', async () => {
    const stop = new AbortController()
    const { rewrite } = rewriterOver(async () => {
      stop.abort()
      throw new DOMException('stopped', 'AbortError')
    })
    await assert.rejects(rewrite('is it free?', stop.signal), { name: 'AbortError' })
  })

  it('sends no bounds to a model that has refused them', async () => {
    const { rewrite, asked } = rewriterOver(async ({ parameters }) => {
      if ('max_tokens' in parameters) throw new ModelError('status', 'refused', { status: 400 })
      return 'price of the premium plan'
    })
    for (const question of ['is it free?', 'and in German?'])
      assert.deepEqual(await rewrite(question), { queries: ['price of the premium plan'], failure: null })
    assert.deepEqual(
      asked.map(({ parameters }) => Object.keys(parameters).length),
      [2, 0, 0],
    )
  })

  it('reads lists of any form, and at most three of their queries', () => {
    assert.deepEqual(queriesIn('1. "reset the password"\n\n- `reset the password`\n• Passwort\n3) plan 9'), [
      ...['reset the password', 'Passwort', 'plan 9'],
    ])
    assert.deepEqual(queriesIn('a\nb\nc\nd'), ['a', 'b', 'c'])
    assert.equal(queriesIn('x'.repeat(5000))[0]?.length, 200)
  })

  for (const [question, { fits = false, first = false }, gains] of [
    ['is it free?', {}, true],
    ['is it free?', { fits: true }, true],
    ['and in German?', { fits: true }, true],
    ['can you explain step 2 in more detail?', {}, true],
    ['How do I reset my password?', { fits: true }, false],
    ['is it free?', { first: true }, false],
    ['How do I change the e-mail address of my account in the app?', { first: true }, false],
    ['How do I change the e-mail address of my account in the app?', {}, false],
    ['Wie ändere ich die E-Mail-Adresse meines Kontos?', { first: true }, true],
    ['Wie ändere ich die E-Mail-Adresse meines Kontos?', { first: true, fits: true }, false],
    ['Wie kann ich meine subscription canceln?', { first: true }, true],
  ] as const) {
    const asks: string = first ? 'first' : 'after another'
    it(`gains ${gains ? 'something' : 'nothing'}: ${question} (${asks}, ${fits ? 'fits' : 'fits not'})`, () => {
      const asked = { question, fits, before: first ? [] : before }
      assert.equal(gainsByRewrite(asked, ['en']), gains)
    })
  }
})
