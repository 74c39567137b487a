import type { Kysely } from 'kysely'
import { type Clock, timestamp } from '../lib/clock.ts'
import { OutboundError, type TeamHttp } from '../lib/outbound/outbound.ts'
import type { SecretBox } from '../lib/secrets/secret-box.ts'
import { webhookSignature } from '../lib/secrets/webhook-signature.ts'
import type { Tables } from '../storage/tables.ts'
import { factsOfJob } from './facts-of-job.ts'
import { type Action, actionSecretPlace } from './schemas.ts'
import type { AutomationJobRow } from './tables.ts'

const TIMEOUT_MS = 10_000

/** Calls an automation's webhook once, signed as notifications are. @returns true if it answered with a 2xx status */
export async function callWebhook(
  { db, box, http, clock }: { db: Kysely<Tables>; box: SecretBox; http: TeamHttp; clock: Clock },
  job: AutomationJobRow,
  automation: { id: number; name: string },
  index: number,
  action: Extract<Action, { type: 'call_webhook' }>,
): Promise<boolean> {
  const facts = await factsOfJob(db, job, { countsMessages: false, timeZone: 'UTC', hours: null })
  const now = clock()
  const body = JSON.stringify({
    automation: { id: automation.id, name: automation.name },
    occurred_at: timestamp(now),
    agent: { id: job.agent_id },
    completion: {
      id: job.completion_id,
      conversation_id: job.conversation_id,
      prompt: facts['prompt.text'],
      response: facts['response.text'],
    },
  })
  const id = `automation_${job.id}_${automation.id}_${index}`
  const headers: Record<string, string> = {
    'content-type': 'application/json',
    'user-agent': 'Parley-Automations/1.0',
    'webhook-id': id,
  }
  if (action.secret !== undefined) {
    const secret = box.openFor(action.url, action.secret, actionSecretPlace(automation.id, index))
    // A call that should be signed and cannot be is not sent.
    if (secret === null) return false
    Object.assign(headers, webhookSignature(secret, { id, seconds: Math.floor(now / 1000), body }))
  }
  try {
    const { status } = await http.request(action.url, {
      method: 'POST',
      headers,
      body,
      timeoutMs: TIMEOUT_MS,
      maxResponseBytes: 64 * 1024,
      truncate: true,
      freshConnection: true,
    })
    return status >= 200 && status < 300
  } catch (error) {
    if (error instanceof OutboundError) return false
    throw error
  }
}
