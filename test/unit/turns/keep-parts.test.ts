import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { Attachment } from '../../../src/transcripts/attachments.ts'
import { keepParts } from '../../../src/turns/files/keep-parts.ts'
import type { Prompt } from '../../../src/turns/prompt.ts'

it('a prompt that is stored is answered, also if the files that it left cannot be given up', async () => {
  const attachment = { id: 'one' } as Attachment
  const given: unknown[] = []
  const files = {
    keep: async () => attachment,
    readSound: async () => null,
    async giveUpUnsent(ids: readonly string[]) {
      given.push(ids)
      throw new Error('the database is away')
    },
  }
  const part = { type: 'input_audio', input_audio: { data: 'UklGRiQAAABXQVZF', format: 'wav' } }
  const prompt = { conversationId: null, messages: [{ role: 'user', content: [part] }] } as unknown as Prompt
  const kept = await keepParts(files, 1, prompt)
  assert.deepEqual(kept.prompt.messages[0]?.content, [{ type: 'input_audio', attachment_id: 'one' }])
  await kept.end()
  assert.deepEqual(given, [['one']])
})
