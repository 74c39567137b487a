import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import pino from 'pino'
import { type Agent, secretPlace } from '../../../src/agents/agent.ts'
import { type AgentSettings, defaultSettings } from '../../../src/agents/settings.ts'
import { createRedactors } from '../../../src/chat/redactors.ts'
import type { Outbound, OutboundRequest } from '../../../src/lib/outbound/outbound.ts'
import { createSecretBox } from '../../../src/lib/secret-box.ts'
import type { ModelAnswer } from '../../../src/model/model.ts'
import type { RedactionMode } from '../../../src/storage/tables.ts'

const box = createSecretBox(Buffer.alloc(32).toString('base64'))

/** An agent's redactors, with the calls that they made of the hosted service. */
function redactorsOf(installation: { url: string | null; apiKey: string | null }) {
  const calls: { url: string; key: string | undefined; trusted: boolean | undefined }[] = []
  const outbound = {
    async request(url: string, { headers, trusted }: OutboundRequest) {
      calls.push({ url, key: headers?.authorization, trusted })
      return { status: 200, body: Buffer.from('[]') }
    },
  } as unknown as Outbound
  const { redactorFor, redactLate } = createRedactors({
    box,
    outbound,
    logger: pino({ level: 'silent' }),
    installation,
  })
  const agentOf = (settings: Partial<AgentSettings>) =>
    ({ id: 1, settings: { ...defaultSettings, ...settings } }) as Agent
  const redact = (settings: Partial<AgentSettings>, value: string) =>
    redactorFor('anonymize', agentOf(settings)).redact([{ kind: 'text', value }])
  const late = (mode: RedactionMode, answer: ModelAnswer) => redactLate(mode, agentOf({}), answer)
  return { calls, redact, late }
}

const SERVICE = { url: 'http://10.0.0.1', apiKey: 'key-of-the-operator' }

describe('redactors of an agent', () => {
  it('redact as its settings say now', async () => {
    const { redact } = redactorsOf({ url: null, apiKey: null })
    const text = 'ada@example.org, order 4711'
    const redacted = async (settings: Partial<AgentSettings>) => (await redact(settings, text)).values
    assert.deepEqual(await redacted({}), ['[EMAIL_ADDRESS], order 4711'])
    const redaction_patterns = [{ name: 'ORDER', pattern: 'order \\d+' }]
    assert.deepEqual(await redacted({ redaction_patterns }), ['[EMAIL_ADDRESS], [ORDER]'])
    assert.deepEqual(await redacted({ redaction_patterns, redaction_types: ['IBAN_CODE'] }), [
      'ada@example.org, [ORDER]',
    ])
  })

  for (const [mode, redacted] of [
    ['scrub', '[REDACTED]'],
    ['anonymize', '[EMAIL_ADDRESS]'],
  ] as const)
    it(`leave no text of an answer that comes after a completion was redacted: ${mode}`, () => {
      const answerOf = (text: string, json = JSON.stringify({ to: text })): ModelAnswer => ({
        content: text,
        refusal: text,
        tool_calls: [{ id: 'c', type: 'function', function: { name: 'send', arguments: json } }],
        citations: [{ title: 'T', url: null, snippet: text }],
        finish_reason: 'stop',
        usage: null,
        model: 'm',
      })
      const { late } = redactorsOf({ url: null, apiKey: null })
      const json = mode === 'scrub' ? JSON.stringify(redacted) : undefined
      assert.deepEqual(late(mode, answerOf('ada@example.org')), answerOf(redacted, json))
    })

  it('ask the service of the operator, with its key, wherever that is', async () => {
    const { calls, redact } = redactorsOf(SERVICE)
    await redact({}, 'Hello')
    assert.deepEqual(calls, [])
    await redact({ hosted_redaction: true }, 'Hello')
    assert.deepEqual(calls, [
      { url: 'http://10.0.0.1/analyze', key: 'Bearer key-of-the-operator', trusted: true },
    ])
  })

  it('send the operator’s key to no service of the agent’s own, nor trust its address', async () => {
    const { calls, redact } = redactorsOf(SERVICE)
    const own = { ...defaultSettings.redaction, url: 'http://10.0.0.2' }
    await redact({ hosted_redaction: true, redaction: own }, 'Hello')
    const api_key = box.seal('key-of-the-agent', secretPlace(1, 'redaction'))
    await redact({ hosted_redaction: true, redaction: { ...own, api_key } }, 'Hello')
    assert.deepEqual(calls, [
      { url: 'http://10.0.0.2/analyze', key: undefined, trusted: false },
      { url: 'http://10.0.0.2/analyze', key: 'Bearer key-of-the-agent', trusted: false },
    ])
  })

  it('have done nothing when a service is wanted that nobody has set', async () => {
    const { redact } = redactorsOf({ url: null, apiKey: null })
    assert.deepEqual(await redact({ hosted_redaction: true }, 'Hello'), {
      values: ['Hello'],
      complete: false,
    })
  })
})
