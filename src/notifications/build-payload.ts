import type { Kysely } from 'kysely'
import { promptAndResponse } from '../conversations/prompt-and-response.ts'
import { type EventKey, eventKeys } from '../events/keys.ts'
import { readTraceFlags, type TraceContext } from '../lib/trace-context.ts'
import { currentTrace } from '../lib/tracing.ts'
import type { Engine } from '../storage/engine.ts'
import { type ParamOf, prepared } from '../storage/prepared.ts'
import type {
  CompletionRow,
  DeliveryRow,
  EvaluationRow,
  EventRow,
  MessageRow,
  Tables,
} from '../storage/tables.ts'
import { AT_ONCE } from './notification.ts'
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

type Ids<Id> = Record<`id${number}`, Id>

const eachId = <Id>(param: ParamOf<Ids<Id>>) => Array.from({ length: AT_ONCE }, (_, at) => param(`id${at}`))

/** Slots for as many ids as are sent at once; the last id stands in those that are not needed. */
function idSlots<Id>(ids: readonly Id[]): Ids<Id> {
  return Object.fromEntries(
    Array.from({ length: AT_ONCE }, (_, at) => [`id${at}`, ids[Math.min(at, ids.length - 1)] as Id]),
  )
}

/** Events with the channels of their conversations. */
const selectEvents = prepared((db, param: ParamOf<Ids<number>>) =>
  db
    .selectFrom('events')
    .leftJoin('conversations', 'conversations.id', 'events.conversation_id')
    .leftJoin('channels', 'channels.id', 'conversations.channel_id')
    .selectAll('events')
    .select(['conversations.channel_id', 'channels.name as channel_name', 'channels.kind as channel_kind'])
    .where('events.id', 'in', eachId(param)),
)

function completionsQuery(locks: boolean) {
  return prepared((db, param: ParamOf<Ids<string>>) =>
    db
      .selectFrom('completions')
      .selectAll()
      .where('id', 'in', eachId(param))
      .$if(locks, (query) => query.forShare().skipLocked()),
  )
}

/**
 * Reads completions and keeps a redaction from passing between this and the deliveries' commit; those that are being
 * redacted are left out, since to wait for one while holding another may be to wait for ever. Deliveries do not keep
 * each other; on SQLite whoever is within a transaction is alone.
 */
const lockCompletions = { sqlite: completionsQuery(false), postgres: completionsQuery(true) }

const selectMessages = prepared((db, param: ParamOf<Ids<string>>) =>
  db.selectFrom('messages').selectAll().where('completion_id', 'in', eachId(param)).orderBy('id'),
)

const selectEvaluations = prepared((db, param: ParamOf<Ids<string>>) =>
  db.selectFrom('evaluations').selectAll().where('completion_id', 'in', eachId(param)).orderBy('id'),
)

type Db = Kysely<Tables>

export interface BuiltPayload {
  delivery: DeliveryRow
  /** JSON, as it is signed, stored and sent. */
  body: string
  /** In which the event happened. */
  trace: TraceContext | null
}

/**
 * The bodies of deliveries, AT_ONCE at most, from what is stored now: a completion that was redacted meanwhile goes
 * out redacted, and the deliveries of one that is being redacted are left out. Within the transaction that makes the
 * deliveries `sending`.
 */
export async function buildPayloads(
  db: Db,
  engine: Pick<Engine, 'kind'>,
  notification: { id: number; name: string; agent_name: string },
  deliveries: readonly DeliveryRow[],
): Promise<BuiltPayload[]> {
  const eventIds = deliveries.flatMap(({ event_id }) => event_id ?? [])
  const events = new Map(
    eventIds.length > 0 ? (await selectEvents(db, idSlots(eventIds))).map((event) => [event.id, event]) : [],
  )
  const completionIds = [...events.values()].flatMap(({ completion_id }) => completion_id ?? [])
  const completions = new Map(
    completionIds.length > 0
      ? (await lockCompletions[engine.kind](db, idSlots(completionIds))).map((row) => [row.id, row])
      : [],
  )
  const ids = [...completions.keys()]
  const messages = ids.length > 0 ? await selectMessages(db, idSlots(ids)) : []
  const wereEvaluated = [...events.values()].some(({ data }) => dataOf(data).evaluator)
  const evaluations = ids.length > 0 && wereEvaluated ? await selectEvaluations(db, idSlots(ids)) : []
  return deliveries.flatMap((delivery) => {
    const event = delivery.event_id === null ? undefined : events.get(delivery.event_id)
    const completion = event?.completion_id ? completions.get(event.completion_id) : undefined
    if (event?.completion_id && !completion) return []
    const isOfCompletion = ({ completion_id }: { completion_id: string | null }) =>
      completion_id === completion?.id
    const around = {
      completion,
      messages: messages.filter(isOfCompletion),
      evaluations: evaluations.filter(isOfCompletion),
    }
    return [{ delivery, ...buildPayload(notification, delivery, event, around) }]
  })
}

type EventOfDelivery = EventRow & ChannelOfEvent

function buildPayload(
  notification: { id: number; name: string; agent_name: string },
  delivery: DeliveryRow,
  event: EventOfDelivery | undefined,
  {
    completion,
    messages,
    evaluations,
  }: { completion: CompletionRow | undefined; messages: MessageRow[]; evaluations: EvaluationRow[] },
): Omit<BuiltPayload, 'delivery'> {
  const key = delivery.event_key as EventKey
  const data = dataOf(event?.data ?? null)
  // An example without an event is sent by the request that asks for it.
  const trace = event ? traceOf(event) : currentTrace()
  const payload: WebhookPayload = {
    notification: { id: notification.id, name: notification.name },
    event: {
      key,
      label: eventKeys[key].label,
      occurred_at: event?.occurred_at ?? delivery.created_at,
    },
    agent: { id: delivery.agent_id, name: notification.agent_name },
    ...(completion ? { completion: completionPart(messages, completion, key, data) } : {}),
    ...(event ? channelParts(event) : {}),
    // The interface has the parts of rules with the events of rules alone; what an error is about stays inside.
    ...(key === 'error' ? {} : ruleParts(data, evaluations)),
    ...(trace ? { trace: { trace_id: trace.traceId, span_id: trace.spanId } } : {}),
  }
  return { body: JSON.stringify(payload), trace }
}

function traceOf({ trace_id, span_id, trace_flags, tracestate }: EventRow): TraceContext | null {
  if (trace_id === null || span_id === null) return null
  const flags = readTraceFlags(trace_flags ?? 0)
  return { traceId: trace_id, parentSpanId: null, spanId: span_id, ...flags, tracestate }
}

/** What rules put into the data of their events. */
interface EventData {
  cta?: WebhookPayload['cta']
  guardrail?: WebhookPayload['guardrail'] & { on?: string }
  automation?: WebhookPayload['automation']
  evaluator?: WebhookPayload['evaluator']
  evaluation?: WebhookPayload['evaluation']
}

function dataOf(data: string | null): EventData {
  return data === null ? {} : JSON.parse(data)
}

function ruleParts({ cta, guardrail, automation, evaluator, evaluation }: EventData, all: EvaluationRow[]) {
  // Events hold no text: what was said stands with the completion, and is redacted with it.
  const said = all.find(
    ({ evaluator_id, subject }) => evaluator_id === evaluator?.id && subject === (guardrail?.on ?? 'prompt'),
  )
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
            content: said?.content ?? null,
          },
        }
      : {}),
  }
}

function completionPart(
  messages: MessageRow[],
  row: CompletionRow,
  key: EventKey,
  data: EventData,
): WebhookPayload['completion'] {
  const { prompt, response } = promptAndResponse(messages, row.answered_at !== null)
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
