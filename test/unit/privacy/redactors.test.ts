import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import pino from 'pino'
import { type Agent, secretPlace } from '../../../src/agents/agent.ts'
import { type AgentSettings, defaultSettings } from '../../../src/agents/settings.ts'
import type { Outbound, OutboundRequest } from '../../../src/lib/outbound/outbound.ts'
import { createSecretBox } from '../../../src/lib/secrets/secret-box.ts'
import { createRedactors } from '../../../src/privacy/redactors.ts'
import { startRedactionWork } from '../../../src/redaction/redaction-work.ts'

const box = createSecretBox(Buffer.alloc(32).toString('base64'))

/** An agent's redactors, with the calls that they made of the hosted service. */
function redactorsOf(installation: { url: string | null; apiKey: string | null }) {
  const calls: { url: string; key: string | undefined; trusted: boolean | undefined }[] = []
  const outbound = {
    of: () => ({
      async request(url: string, { headers, trusted }: OutboundRequest) {
        calls.push({ url, key: headers?.authorization, trusted })
        return { status: 200, body: Buffer.from('[]') }
      },
    }),
  } as unknown as Outbound
  const { redactorFor, lateRedactorFor } = createRedactors({
    work: startRedactionWork(),
    key: 'key',
    box,
    outbound,
    logger: pino({ level: 'silent' }),
    installation,
  })
  const agentOf = (settings: Partial<AgentSettings>) =>
    ({ id: 1, settings: { ...defaultSettings, ...settings } }) as Agent
  const redact = async (settings: Partial<AgentSettings>, value: string) => {
    const redactor = redactorFor('anonymize', agentOf(settings))
    return { value: await redactor.redact('text', value), failed: redactor.failed }
  }
  return { calls, redact, lateRedactor: lateRedactorFor('anonymize', agentOf({ hosted_redaction: true })) }
}

const SERVICE = { url: 'http://10.0.0.1', apiKey: 'key-of-the-operator' }

describe('redactors of an agent', () => {
  it('redact as its settings say now', async () => {
    const { redact } = redactorsOf({ url: null, apiKey: null })
    const text = 'ada@example.org, order 4711'
    const redacted = async (settings: Partial<AgentSettings>) => (await redact(settings, text)).value
    assert.equal(await redacted({}), '[EMAIL_ADDRESS], order 4711')
    const redaction_patterns = [{ name: 'ORDER', pattern: 'order \\d+' }]
    assert.equal(await redacted({ redaction_patterns }), '[EMAIL_ADDRESS], [ORDER]')
    assert.equal(
      await redacted({ redaction_patterns, redaction_types: ['IBAN_CODE'] }),
      'ada@example.org, [ORDER]',
    )
  })

  it('do not ask a service about what comes late', async () => {
    const { calls, lateRedactor } = redactorsOf(SERVICE)
    assert.equal(await lateRedactor.redact('text', 'I am ada@example.org'), 'I am [EMAIL_ADDRESS]')
    assert.deepEqual([calls, lateRedactor.failed], [[], false])
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
    const api_key = box.sealFor(own.url, 'key-of-the-agent', secretPlace(1, 'redaction'))
    await redact({ hosted_redaction: true, redaction: { ...own, api_key } }, 'Hello')
    assert.deepEqual(calls, [
      { url: 'http://10.0.0.2/analyze', key: undefined, trusted: false },
      { url: 'http://10.0.0.2/analyze', key: 'Bearer key-of-the-agent', trusted: false },
    ])
  })

  it('have done nothing when a service is wanted that nobody has set', async () => {
    const { redact } = redactorsOf({ url: null, apiKey: null })
    assert.deepEqual(await redact({ hosted_redaction: true }, 'Hello'), {
      value: 'Hello',
      failed: true,
    })
  })
})
