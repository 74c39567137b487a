import assert from 'node:assert/strict'
import type { Attachment } from '../../src/transcripts/attachments.ts'
import type { TestAgent } from './app.ts'
import { assertConforms } from './conforms.ts'

interface UploadAnswer {
  status: number
  body: { data: Attachment; error: { code: string; message: string; param: string | null } }
}

type Contents = Record<string, string | Uint8Array<ArrayBuffer> | Blob>

/** Uploads files to a conversation, as a browser sends them. */
export function upload(agent: TestAgent, conversationId: string, files: Contents): Promise<UploadAnswer> {
  return uploadTo(agent, `/conversations/${conversationId}/attachments`, files)
}

/** Does the same at any address that takes them. */
export async function uploadTo(agent: TestAgent, path: string, files: Contents): Promise<UploadAnswer> {
  const form = new FormData()
  for (const [name, content] of Object.entries(files)) form.append('file', new Blob([content]), name)
  const response = await fetch(`${agent.baseUrl}${path}`, {
    method: 'POST',
    headers: agent.headers,
    body: form,
  })
  const body = (await response.json()) as UploadAnswer['body']
  await assertConforms(agent.baseUrl, 'POST', `/api/v1${path}`, response.status, body)
  return { status: response.status, body }
}

/** Uploads a file and sends it as a person; returns it with the message. */
export async function sendFile(
  agent: TestAgent,
  conversationId: string,
  name: string,
  content: string | Uint8Array<ArrayBuffer>,
  fields: Record<string, unknown> = {},
) {
  const uploaded = await upload(agent, conversationId, { [name]: content })
  assert.equal(uploaded.status, 201, JSON.stringify(uploaded.body))
  const file = uploaded.body.data
  const sent = await agent.post(`/conversations/${conversationId}/messages`, {
    attachments: [file.id],
    ...fields,
  })
  assert.equal(sent.status, 200, sent.text)
  return { file, message: sent.body.data }
}
