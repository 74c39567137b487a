import assert from 'node:assert/strict'
import { afterEach } from 'node:test'
import type { TestAgent } from './app.ts'
import { pauses } from './becomes.ts'
import type { Service } from './on-both-engines.ts'
import { onEndpoint } from './on-endpoint.ts'
import { type Peer, startPeer } from './peer.ts'
import type { Receiver } from './receiver.ts'
import { shared } from './shared.ts'

/** The peers that rules call. Nothing has come to them when a test begins. */
interface Peers {
  /** Receives notifications. */
  readonly receiver: Receiver
  /** Receives the calls of automations. */
  readonly hook: Peer
}

/** Runs the same tests on each storage engine, with one service and the same peers for all of them. */
export function onRules(name: string, tests: (service: Service, peers: Peers) => void): void {
  onEndpoint(name, (service, endpoint) => {
    const hook = shared(startPeer)
    afterEach(() => {
      hook().requests.length = 0
    })
    tests(service, {
      get receiver() {
        return endpoint.receiver
      },
      get hook() {
        return hook()
      },
    })
  })
}

/** Creates a rule or an evaluator and returns its id. */
export async function made(agent: TestAgent, path: string, body: unknown): Promise<number> {
  const answer = await agent.post(path, body)
  assert.equal(answer.status, 201, answer.text)
  return answer.body.data.id
}

/** Creates an evaluator that passes when a text has one of some words. */
export function keywords(agent: TestAgent, ...words: string[]): Promise<number> {
  return made(agent, '/evaluators', { name: words.join(' '), kind: 'keywords', settings: { words } })
}

/** Creates a guardrail that acts on some words. */
export async function guardrail(
  agent: TestAgent,
  fields: Record<string, unknown>,
  ...words: string[]
): Promise<number> {
  return made(agent, '/guardrails', {
    name: 'Guard',
    evaluator_id: await keywords(agent, ...words),
    ...fields,
  })
}

/** Creates an evaluator whose server cannot be reached. */
export function away(agent: TestAgent): Promise<number> {
  return made(agent, '/evaluators', {
    name: 'away',
    kind: 'webhook',
    settings: { url: 'http://127.0.0.1:9/' },
  })
}

/** Returns the answer to a prompt, read from its stream. */
export async function streamed(agent: TestAgent, content: string) {
  const { text, status } = await agent.call('POST', '/chat/completions', {
    messages: [{ role: 'user', content }],
    stream: true,
  })
  assert.equal(status, 200, text)
  const chunks = text
    .split('\n\n')
    .filter((line) => line.startsWith('data: {'))
    .map((line) => JSON.parse(line.slice(6)))
  return {
    text: chunks.map((chunk) => chunk.choices[0]?.delta.content ?? '').join(''),
    finish_reason: chunks.map((chunk) => chunk.choices[0]?.finish_reason).find(Boolean),
    ctas: chunks.flatMap((chunk) => chunk.ctas ?? []),
  }
}

/** Returns the results of an agent's automations, once all have ended. @param id the completion */
export async function automationsEnd(service: Service, agent: TestAgent, id: string) {
  for (const pause = pauses(); ; await pause()) {
    if ((await service.eventsOf(agent)).includes('automations_end'))
      return (await agent.get(`/chat/completions/${id}`)).body.data.automations
  }
}
