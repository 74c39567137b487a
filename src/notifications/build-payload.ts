import type { Kysely } from 'kysely'
import { promptAndResponse } from '../chat/present-completion.ts'
import { type EventKey, eventKeys } from '../events/keys.ts'
import { type ParamOf, prepared } from '../storage/prepared.ts'
import type { DeliveryRow, EventRow, NotificationRow, Tables } from '../storage/tables.ts'
import type { WebhookPayload } from './payload.ts'

/** Raised before there is a response, which is left out of them however late they are sent. */
const BEFORE_RESPONSE = new Set<EventKey>([
  'prompt_submit',
  'response_start',
  'new_user',
  'new_device',
  'new_session',
  'new_conversation',
])

const PLATFORMS: Record<string, number> = {
  'messenger-one': 1,
  'messenger-two': 2,
  'messenger-three': 3,
  helpdesk: 4,
}

const selectEvent = prepared((db, param: ParamOf<{ id: number }>) =>
  db.selectFrom('events').selectAll().where('id', '=', param('id')),
)

const selectAgentName = prepared((db, param: ParamOf<{ id: number }>) =>
  db.selectFrom('agents').select('name').where('id', '=', param('id')),
)

const selectChannelOf = prepared((db, param: ParamOf<{ conversation_id: string }>) =>
  db
    .selectFrom('conversations')
    .leftJoin('channels', 'channels.id', 'conversations.channel_id')
    .select(['conversations.channel_id', 'channels.name', 'channels.kind'])
    .where('conversations.id', '=', param('conversation_id')),
)

/** Reads a completion and keeps a redaction from passing between this and the delivery's commit. */
const lockCompletion = prepared((db, param: ParamOf<{ id: string }>) =>
  db
    .updateTable('completions')
    .set((row) => ({ redacted: row.ref('redacted') }))
    .where('id', '=', param('id'))
    .returningAll(),
)

const selectMessages = prepared((db, param: ParamOf<{ completion_id: string }>) =>
  db.selectFrom('messages').selectAll().where('completion_id', '=', param('completion_id')).orderBy('id'),
)

type Db = Kysely<Tables>

/**
 * The body of a delivery as text, from what is stored now: a completion that was redacted meanwhile goes out redacted.
 * Within the transaction that makes the delivery `sending`.
 */
export async function buildPayload(
  db: Db,
  notification: NotificationRow,
  delivery: DeliveryRow,
): Promise<string> {
  const [event] = delivery.event_id === null ? [] : await selectEvent(db, { id: delivery.event_id })
  const [agent] = await selectAgentName(db, { id: delivery.agent_id })
  const key = delivery.event_key as EventKey
  const data = (event?.data ? JSON.parse(event.data) : {}) as EventData
  const payload: WebhookPayload = {
    notification: { id: notification.id, name: notification.name },
    event: {
      key,
      label: eventKeys[key].label,
      occurred_at: event?.occurred_at ?? delivery.created_at,
    },
    agent: { id: delivery.agent_id, name: agent?.name ?? null },
    ...(event?.completion_id ? { completion: await completionPart(db, event, key, data) } : {}),
    ...(event?.conversation_id ? await channelParts(db, event.conversation_id) : {}),
    ...ruleParts(data),
    ...(event?.trace_id && event.span_id
      ? { trace: { trace_id: event.trace_id, span_id: event.span_id } }
      : {}),
  }
  return JSON.stringify(payload)
}

/** What rules put into the data of their events. */
interface EventData {
  cta?: WebhookPayload['cta']
  guardrail?: WebhookPayload['guardrail'] & { on?: string }
  automation?: WebhookPayload['automation']
  evaluator?: WebhookPayload['evaluator']
  evaluation?: WebhookPayload['evaluation']
}

function ruleParts({ cta, guardrail, automation, evaluator, evaluation }: EventData) {
  return {
    ...(cta ? { cta: { id: cta.id, name: cta.name ?? null, content: cta.content ?? null } } : {}),
    ...(guardrail ? { guardrail: { id: guardrail.id, name: guardrail.name ?? null } } : {}),
    ...(automation ? { automation: { id: automation.id, name: automation.name ?? null } } : {}),
    ...(evaluator ? { evaluator: { id: evaluator.id, name: evaluator.name ?? null } } : {}),
    ...(evaluation
      ? {
          evaluation: {
            score: evaluation.score ?? null,
            passed: evaluation.passed ?? null,
            content: evaluation.content ?? null,
          },
        }
      : {}),
  }
}

async function completionPart(
  db: Db,
  event: EventRow,
  key: EventKey,
  data: EventData,
): Promise<WebhookPayload['completion']> {
  const id = event.completion_id as string
  const [row] = await lockCompletion(db, { id })
  if (!row) return null
  const { prompt, response } = promptAndResponse(
    await selectMessages(db, { completion_id: id }),
    row.answered_at !== null,
  )
  const hasResponse = !BEFORE_RESPONSE.has(key) && data.guardrail?.on !== 'prompt'
  return {
    id: row.id,
    number: row.number,
    conversation_id: row.conversation_id,
    prompt,
    response: hasResponse ? response : null,
    automations: hasResponse && row.automations ? JSON.parse(row.automations) : [],
    tags: JSON.parse(row.tags) as string[],
    model: row.model,
    usage: hasResponse && row.usage ? JSON.parse(row.usage) : null,
    citations: hasResponse && row.citations ? JSON.parse(row.citations) : [],
  }
}

async function channelParts(db: Db, conversationId: string) {
  const [row] = await selectChannelOf(db, { conversation_id: conversationId })
  if (!row?.channel_id) return {}
  return {
    channel: { id: row.channel_id, name: row.name ?? null },
    ...(row.kind ? { platform: { id: PLATFORMS[row.kind] ?? 0, name: row.kind } } : {}),
  }
}
