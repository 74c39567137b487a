import type { Kysely } from 'kysely'
import { promptAndResponse } from '../chat/present-completion.ts'
import { type EventKey, eventKeys } from '../events/keys.ts'
import type { Engine } from '../storage/engine.ts'
import { type ParamOf, prepared } from '../storage/prepared.ts'
import type { CompletionRow, DeliveryRow, Tables } from '../storage/tables.ts'
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

/** An event with the channel of its conversation. */
const selectEvent = prepared((db, param: ParamOf<{ id: number }>) =>
  db
    .selectFrom('events')
    .leftJoin('conversations', 'conversations.id', 'events.conversation_id')
    .leftJoin('channels', 'channels.id', 'conversations.channel_id')
    .selectAll('events')
    .select(['conversations.channel_id', 'channels.name as channel_name', 'channels.kind as channel_kind'])
    .where('events.id', '=', param('id')),
)

function completionQuery(locks: boolean) {
  return prepared((db, param: ParamOf<{ id: string }>) =>
    db
      .selectFrom('completions')
      .selectAll()
      .where('id', '=', param('id'))
      .$if(locks, (query) => query.forShare()),
  )
}

/**
 * Reads a completion and keeps a redaction from passing between this and the delivery's commit. Deliveries do not keep
 * each other; on SQLite whoever is within a transaction is alone.
 */
const lockCompletion = { sqlite: completionQuery(false), postgres: completionQuery(true) }

const selectMessages = prepared((db, param: ParamOf<{ completion_id: string }>) =>
  db.selectFrom('messages').selectAll().where('completion_id', '=', param('completion_id')).orderBy('id'),
)

type Db = Kysely<Tables>

export interface BuiltPayload {
  /** JSON, as it is signed, stored and sent. */
  body: string
  trace: WebhookPayload['trace']
}

/**
 * The body of a delivery, from what is stored now: a completion that was redacted meanwhile goes out redacted.
 * Within the transaction that makes the delivery `sending`.
 */
export async function buildPayload(
  db: Db,
  engine: Pick<Engine, 'kind'>,
  notification: { id: number; name: string; agent_name: string },
  delivery: DeliveryRow,
): Promise<BuiltPayload> {
  const [event] = delivery.event_id === null ? [] : await selectEvent(db, { id: delivery.event_id })
  const key = delivery.event_key as EventKey
  const data = (event?.data ? JSON.parse(event.data) : {}) as EventData
  const trace =
    event?.trace_id && event.span_id ? { trace_id: event.trace_id, span_id: event.span_id } : undefined
  const [completion] = event?.completion_id
    ? await lockCompletion[engine.kind](db, { id: event.completion_id })
    : []
  const payload: WebhookPayload = {
    notification: { id: notification.id, name: notification.name },
    event: {
      key,
      label: eventKeys[key].label,
      occurred_at: event?.occurred_at ?? delivery.created_at,
    },
    agent: { id: delivery.agent_id, name: notification.agent_name },
    ...(completion ? { completion: await completionPart(db, completion, key, data) } : {}),
    ...(event ? channelParts(event) : {}),
    ...ruleParts(data),
    ...(trace ? { trace } : {}),
  }
  return { body: JSON.stringify(payload), trace }
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
  row: CompletionRow,
  key: EventKey,
  data: EventData,
): Promise<WebhookPayload['completion']> {
  const { prompt, response } = promptAndResponse(
    await selectMessages(db, { completion_id: row.id }),
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

interface ChannelOfEvent {
  channel_id: number | null
  channel_name: string | null
  channel_kind: string | null
}

function channelParts({ channel_id, channel_name, channel_kind }: ChannelOfEvent) {
  if (channel_id === null) return {}
  return {
    channel: { id: channel_id, name: channel_name },
    ...(channel_kind ? { platform: { id: PLATFORMS[channel_kind] ?? 0, name: channel_kind } } : {}),
  }
}
