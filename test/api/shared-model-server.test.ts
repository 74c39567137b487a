import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { TestAgent } from '../support/app.ts'
import { createAwaited } from '../support/awaited.ts'
import { onBothEngines } from '../support/on-both-engines.ts'
import { startPeer } from '../support/peer.ts'

/** Seven of ten of the calls to one origin that may be under way. */
const SHARE = 280

onBothEngines('a model server that two teams use', (service) => {
  it('a team whose prompts are never answered, of whichever agent, holds up no prompt of the other', async () => {
    const arrived = createAwaited()
    const choices = [{ index: 0, message: { role: 'assistant', content: 'Yes.' }, finish_reason: 'stop' }]
    let hanging = 0
    await using peer = await startPeer((response, { body }) => {
      if (body.includes('hangs')) hanging++
      else response.end(JSON.stringify({ id: 'c', object: 'chat.completion', choices }))
      arrived.tell()
    })
    const model = { url: `${peer.url}/v1` }
    const [one, good] = [await service.addAgent(), await service.addAgent()]
    const other = await service.addAgent({ teamId: one.teamId })
    for (const agent of [one, other]) await agent.patch('/agent', { model })
    await good.patch('/agent', { model: { ...model, timeout_ms: 30_000 } })
    const stopped = new AbortController()
    const hang = async (agent: TestAgent) => {
      const init = {
        method: 'POST',
        headers: { ...agent.headers, 'content-type': 'application/json' },
        body: JSON.stringify({ messages: [{ role: 'user', content: 'hangs' }] }),
        signal: stopped.signal,
      }
      // The database may refuse some of so many: they come again.
      while (await fetch(`${agent.baseUrl}/chat/completions`, init).catch(() => null));
    }
    const prompts = [one, other].flatMap((agent) => Array.from({ length: SHARE / 2 + 10 }, () => hang(agent)))
    await arrived.until(() => hanging >= SHARE, 'the share of a team')
    const { choices: answers } = await good.prompt('Is somebody there?')
    assert.equal(answers[0].message.content, 'Yes.')
    assert.equal(hanging, SHARE)
    stopped.abort()
    await Promise.all(prompts)
  })
})
