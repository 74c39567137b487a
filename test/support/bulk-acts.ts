import assert from 'node:assert/strict'
import type { TestAgent } from './app.ts'
import { pauses } from './becomes.ts'

/** Begins conversations, and returns their ids. */
export async function openedBy(
  agent: TestAgent,
  count: number,
  fields: Record<string, unknown> = {},
): Promise<string[]> {
  const ids: string[] = []
  for (let made = 0; made < count; made++)
    ids.push((await agent.prompt('Where is my parcel?', fields)).conversation_id)
  return ids
}

/** Returns a bulk act as it stands once it has finished. */
export async function finished(agent: TestAgent, id: number) {
  for (const pause = pauses(); ; await pause()) {
    const { status, body, text } = await agent.get(`/inbox/bulk/${id}`)
    assert.equal(status, 200, text)
    if (body.data.finished_at !== null) return body.data
  }
}
