import type { Kysely } from 'kysely'
import { type EventKey, eventKeys } from '../events/keys.ts'
import { readTraceFlags, type TraceContext } from '../lib/tracing/trace-context.ts'
import { currentTrace } from '../lib/tracing/tracing.ts'
import { channelNames } from '../mailboxes/channel-names.ts'
import { isPlatformKind, platforms } from '../platforms/platforms.ts'
import { type ParamOf, prepared } from '../storage/prepared.ts'
import type { Tables } from '../storage/tables.ts'
import { evaluationsInOrder } from '../transcripts/completions/evaluations.ts'
import { completionsWithMessages } from '../transcripts/doors/completions-with-messages.ts'
import { promptAndResponse } from '../transcripts/prompt-and-response.ts'
import type { EvaluationRow } from '../transcripts/tables.ts'
import type { DeliveryWithEvent } from './delivery-store.ts'
import type { WebhookPayload } from './payload.ts'

/** Events that happen before the response. Their bodies leave it out, even when they are sent after it was stored. */
const BEFORE_RESPONSE = new Set<EventKey>([
  'prompt_submit',
  'response_start',
  'new_user',
  'new_device',
  'new_session',
  'new_conversation',
])

/** The number of bodies built at once. `many` is for endpoints that take them quickly. */
export const READ_AHEAD = { few: 16, many: 64 }

type Ids = Record<`id${number}`, string>

/** Prepares the queries for up to a number of completions. Unused places repeat the last id. */
function selectsOf(most: number) {
  const eachId = (param: ParamOf<Ids>) => Array.from({ length: most }, (_, at) => param(`id${at}`))
  return {
    places(ids: readonly string[]): Ids {
      const places: Ids = {}
      for (let at = 0; at < most; at++) places[`id${at}`] = ids[Math.min(at, ids.length - 1)] as string
      return places
    },
    /**
     * Completions, each with its messages in their order. One statement reads both, because an answer or a redaction
     * between two statements would make them disagree.
     */
    completions: prepared((db, param: ParamOf<Ids>) =>
      completionsWithMessages(db)
        .leftJoin(channelNames(db), 'channel.id', 'completion.channel_id')
        .selectAll('completion')
        .select(['message.role', 'message.content', 'message.round'])
        .select(['channel.name as channel_name', 'channel.kind as channel_kind'])
        .where('completion.id', 'in', eachId(param))
        .orderBy('message.id'),
    ),
    evaluations: prepared((db, param: ParamOf<Ids>) =>
      evaluationsInOrder(db).where('completion_id', 'in', eachId(param)),
    ),
  }
}

const selects = { few: selectsOf(READ_AHEAD.few), many: selectsOf(READ_AHEAD.many) }

type CompletionWithMessage = Awaited<ReturnType<typeof selects.few.completions>>[number]

type Db = Kysely<Tables>

/** A delivery with its body. */
export interface BuiltPayload {
  delivery: DeliveryWithEvent
  /** The body as JSON, as it is signed, stored and sent. */
  body: string
  /** The redactions of its completion when it was read; null when it has no completion. */
  redactions: number | null
  /** The trace in which the event happened. */
  trace: TraceContext | null
}

/** Builds the bodies of at most `READ_AHEAD.many` deliveries from the present rows. */
export async function buildPayloads(
  db: Db,
  notification: { id: number; name: string; agent_name: string },
  deliveries: readonly DeliveryWithEvent[],
): Promise<BuiltPayload[]> {
  const ids = [...new Set(deliveries.flatMap(({ completion_id }) => completion_id ?? []))]
  const select = ids.length > READ_AHEAD.few ? selects.many : selects.few
  const places = select.places(ids)
  const rows = ids.length > 0 ? await select.completions(db, places) : []
  const wereEvaluated = deliveries.some(({ data }) => dataOf(data).evaluator)
  const evaluations = ids.length > 0 && wereEvaluated ? await select.evaluations(db, places) : []
  const completions = Map.groupBy(rows, ({ id }): string | null => id)
  return deliveries.flatMap((delivery) => {
    const { completion_id } = delivery
    const completion = completions.get(completion_id) ?? []
    if (completion_id !== null && completion.length === 0) return []
    const redactions = completion[0]?.redactions ?? null
    const said = evaluations.filter((one) => one.completion_id === completion_id)
    return [{ delivery, redactions, ...buildPayload(notification, delivery, completion, said) }]
  })
}

function buildPayload(
  notification: { id: number; name: string; agent_name: string },
  delivery: DeliveryWithEvent,
  completion: readonly CompletionWithMessage[],
  evaluations: readonly EvaluationRow[],
): Pick<BuiltPayload, 'body' | 'trace'> {
  const key = delivery.event_key as EventKey
  const data = dataOf(delivery.data)
  // A test has no event, and belongs to the request for it.
  const trace = delivery.occurred_at === null ? currentTrace() : traceOf(delivery)
  const payload: WebhookPayload = {
    notification: { id: notification.id, name: notification.name },
    event: {
      key,
      label: eventKeys[key].label,
      occurred_at: delivery.occurred_at ?? delivery.created_at,
    },
    agent: { id: delivery.agent_id, name: notification.agent_name },
    ...(completion.length > 0 ? { completion: completionPart(completion, key, data) } : {}),
    // The channel of the prompt, not of its conversation: a prompt for a channel's conversation may come over the API.
    ...channelParts(completion[0] ?? delivery),
    // Only events of rules have these parts. An `error` may hold the same data, but does not send it.
    ...(key === 'error' ? {} : ruleParts(data, evaluations)),
    ...(trace ? { trace: { trace_id: trace.traceId, span_id: trace.spanId } } : {}),
  }
  return { body: JSON.stringify(payload), trace }
}

function traceOf({
  trace_id,
  span_id,
  trace_flags,
  tracestate,
}: Pick<DeliveryWithEvent, 'trace_id' | 'span_id' | 'trace_flags' | 'tracestate'>): TraceContext | null {
  if (trace_id === null || span_id === null) return null
  const flags = readTraceFlags(trace_flags ?? 0)
  return { traceId: trace_id, parentSpanId: null, spanId: span_id, ...flags, tracestate }
}

/** The `data` that rules of this version or an older one put into events. */
interface StoredData {
  cta?: WebhookPayload['cta']
  guardrail?: WebhookPayload['guardrail'] & { on?: string }
  automation?: WebhookPayload['automation']
  evaluator?: WebhookPayload['evaluator']
  evaluation?: WebhookPayload['evaluation']
}

function dataOf(data: string | null): StoredData {
  return data === null ? {} : JSON.parse(data)
}

function ruleParts(
  { cta, guardrail, automation, evaluator, evaluation }: StoredData,
  all: readonly EvaluationRow[],
) {
  // Events hold no text. The evaluator's text is stored with the completion, and redacted with it.
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
  rows: readonly CompletionWithMessage[],
  key: EventKey,
  data: StoredData,
): WebhookPayload['completion'] {
  const [row] = rows
  if (!row) return undefined
  const messages = rows.flatMap(({ role, content, round }) =>
    role && content ? [{ role, content, round }] : [],
  )
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

function channelParts({
  channel_id,
  channel_name,
  channel_kind,
}: Pick<DeliveryWithEvent, 'channel_id' | 'channel_name' | 'channel_kind'>) {
  if (channel_id === null) return {}
  return {
    channel: { id: channel_id, name: channel_name },
    ...(channel_kind !== null && isPlatformKind(channel_kind)
      ? { platform: { id: platforms[channel_kind].number, name: channel_kind } }
      : {}),
  }
}
