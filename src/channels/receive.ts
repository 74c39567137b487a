import type { FastifyBaseLogger } from 'fastify'
import { ApiError } from '../errors.ts'
import { parseJson } from '../http/read-json.ts'
import { type Clock, DAY_MS, timestamp } from '../lib/clock.ts'
import type { Accept, NewItem } from '../mailboxes/accept.ts'
import { type Inbound, InvalidWebhook, WrongDestination } from '../platforms/platform.ts'
import type { limitBacklog } from './backlog.ts'
import type { Channel } from './channel.ts'

/** The dependencies of receiving events. */
export interface Receiving {
  accept: Accept
  clock: Clock
  backlog: ReturnType<typeof limitBacklog>
  log: FastifyBaseLogger
}

const DEFAULT_DEBOUNCE_MS = 1000
/** Platforms repeat an event for up to a week until it is acknowledged. Its id is kept for twice as long. */
export const EVENTS_KEPT_MS = 14 * DAY_MS
/** The age up to which an event is worked: one day less, so that its id is known for as long as it may come again. */
const WORKED_FOR_MS = EVENTS_KEPT_MS - DAY_MS
/** The time until which platforms without a reply window take messages. */
export const FOR_EVER = '9999'

/**
 * Stores events of a channel's platform. They are committed when this resolves.
 * @throws ApiError unavailable if too many events wait
 */
export async function receive(
  { accept, clock, backlog, log }: Receiving,
  channel: Channel,
  events: readonly Inbound[],
): Promise<void> {
  const nowMs = clock()
  const fresh = events.filter((event) => !mayBeReplay(event, channel, nowMs))
  if (fresh.length < events.length)
    log.warn(
      { channel: channel.id, events: events.length - fresh.length },
      'events were too old to be worked',
    )
  // A channel that is off acknowledges its events too; otherwise the platform would repeat them for days.
  const wanted = channel.isActive ? fresh.filter((event) => isWanted(event, channel)) : []
  if (wanted.length === 0) return
  await backlog.require(channel.teamId, wanted.length)
  const items = wanted.map((event) => toItem(event, channel, nowMs))
  const delayMs = wanted.some(isMessage) ? (channel.settings.debounce_ms ?? DEFAULT_DEBOUNCE_MS) : 0
  await accept({ channel: { id: channel.id, agent_id: channel.agentId }, items, delayMs })
  backlog.added(channel.teamId, items.length)
}

/**
 * Reads the events of a verified webhook.
 * @throws ApiError invalid_json if the body is not one of the platform's, webhook_refused if it is meant for another
 *   account
 */
export function readWebhook({ platform, settings }: Channel, raw: Buffer): Inbound[] {
  try {
    const body = platform.form ? Object.fromEntries(new URLSearchParams(raw.toString())) : parseJson(raw)
    return platform.read(body, settings)
  } catch (error) {
    if (error instanceof InvalidWebhook) throw new ApiError('invalid_json')
    if (error instanceof WrongDestination) throw new ApiError('webhook_refused')
    throw error
  }
}

/**
 * True for an event so old that its id may have been forgotten since it was worked; no platform repeats events for that
 * long. An event that was already as old when the channel was made was never worked by it: somebody tries a sample.
 */
function mayBeReplay({ sentAt = Number.NaN }: Inbound, { createdAt }: Channel, nowMs: number): boolean {
  return sentAt < nowMs - WORKED_FOR_MS && sentAt >= Date.parse(createdAt) - WORKED_FOR_MS
}

/**
 * True unless the event is a message in a chat of several people that is not to be answered. There only mentions of the
 * account are answered, and only if the channel is set to do so.
 */
function isWanted(event: Inbound, { settings }: Channel): boolean {
  return event.type !== 'message' || !event.group || (settings.groups === 'mentioned' && event.mentioned)
}

function isMessage(event: Inbound): event is Extract<Inbound, { type: 'message' }> {
  return event.type === 'message'
}

function toItem(event: Inbound, { platform }: Channel, nowMs: number): NewItem {
  const { sourceId, thread, ids = [], type, sentAt = Number.NaN, ...payload } = event
  // The platform counts from when it was said, however late or often it tells of it. A sample counts as said now.
  const saidAt = sentAt >= nowMs - WORKED_FOR_MS ? Math.min(sentAt, nowMs) : nowMs
  const opensWindow = type === 'message' || type === 'follow'
  const { replyWindowMs } = platform
  return {
    sourceId,
    thread,
    ids,
    newIds: event.type === 'moved' ? event.newIds : [],
    platformMessageId: isMessage(event) || event.type === 'withdrawn' ? event.platformMessageId : null,
    kind: type,
    // The item may be stored under a thread that is another id of the same person.
    payload: ids.length > 0 ? { ...payload, address: thread } : payload,
    writableUntil: opensWindow
      ? replyWindowMs === null
        ? FOR_EVER
        : timestamp(saidAt + replyWindowMs)
      : null,
  }
}
