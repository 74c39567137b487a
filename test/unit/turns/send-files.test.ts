import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { Agent } from '../../../src/agents/agent.ts'
import { FILE, type ModelMessage } from '../../../src/model/model.ts'
import { sendFiles } from '../../../src/turns/files/send-files.ts'

it('words stand for an earlier picture that cannot be read; without one of the prompt, no model is asked', async () => {
  const agent = { id: 1, teamId: 1, settings: { mask: null, model: { images: 'auto' } } } as unknown as Agent
  const read = async () => {
    throw new Error('the store is away')
  }
  const file = { id: 'one', kind: 'image', name: null, type: 'image/png', bytes: 9 }
  const picture = { type: 'image_url', attachment_id: 'one', [FILE]: file }
  const earlier: ModelMessage = { role: 'user', content: [{ type: 'text', text: 'Look' }, picture] }
  const prompt: ModelMessage = { role: 'user', content: 'And now?' }
  const sent = await sendFiles({ read }, agent, true, [earlier, prompt], [prompt])
  assert.deepEqual(sent, [{ role: 'user', content: 'Look\n[image]' }, prompt])
  await assert.rejects(sendFiles({ read }, agent, true, [earlier], [earlier]), /the store is away/)
})
