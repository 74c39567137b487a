import { agentsWithPrices } from '../../agents/agent.ts'
import { anyEmbedsItself } from '../../agents/store.ts'
import { countRefusedChannels } from '../../channels/refused-channels.ts'
import { countWaiting, oldestWaiting } from '../../inbox/inbox-counts.ts'
import { HOUR_MS, timestamp } from '../../lib/clock.ts'
import { countWaitingInbound } from '../../mailboxes/items.ts'
import { countHeld, measureBacklog } from '../../notifications/delivery-store.ts'
import { countSessions } from '../../operators/sessions.ts'
import { countOpenErasures } from '../../receipts/store.ts'
import { countPending } from '../../search/index/store.ts'
import { openBackfills } from '../../storage/backfills.ts'
import { livingVersions } from '../../storage/presence.ts'
import { countOpenCompletions } from '../../transcripts/completions/count-open-completions.ts'
import { costsOf } from '../../usage/budget.ts'
import { countWork } from '../count-work.ts'
import type { Parts } from '../parts.ts'
import type { Labelled } from './instruments.ts'

/** The most agents whose cost is reported, so that the metrics of an installation with many agents stay small. */
const AGENTS_TOLD = 500

/** Adds the values that each scrape reads from the database. Most are the same in all processes. */
export function addGauges(parts: Parts): void {
  // First, while the scrape itself keeps no connection busy.
  addDatabase(parts)
  addConversations(parts)
  addDeliveries(parts)
  addWork(parts)
  // Nobody may learn without credentials what agents cost.
  if (parts.config.metricsToken !== null) addCosts(parts)
}

/** Returns a function that adds a value without labels; null is reported as NaN. */
function oneOf({ gauge }: Parts['metrics']) {
  return (name: string, help: string, read: () => number | null | Promise<number | null>) =>
    gauge(name, help, [], async () => [{ labels: {}, value: (await read()) ?? Number.NaN }])
}

function secondsSince(time: string | null, nowMs: number): number {
  return time === null ? 0 : Math.max(0, nowMs - Date.parse(time)) / 1000
}

/** Adds the size of the database, its connections, and the processes that use it. */
function addDatabase({ metrics, database: { db, engine } }: Parts): void {
  const one = oneOf(metrics)
  const load = together(() => engine.load())
  one('parley_database_bytes', 'Size of the database.', async () => (await load()).bytes)
  one(
    'parley_database_wal_bytes',
    'Size of the write-ahead log that is not in the database yet.',
    async () => (await load()).walBytes,
  )
  metrics.gauge(
    'parley_database_connections',
    "Connections of this process by state, and callers that wait for one: PostgreSQL's pool.",
    ['state'],
    async () =>
      Object.entries((await load()).connections).map(([state, value]) => ({ labels: { state }, value })),
  )
  one(
    'parley_database_answer_seconds',
    'Time for one query, waiting for a connection included.',
    async () => {
      const started = performance.now()
      await openBackfills(db)
      return (performance.now() - started) / 1000
    },
  )
  one(
    'parley_migrations_pending',
    'Parts of migrations that are left to the background.',
    async () => (await openBackfills(db)).length,
  )
  metrics.gauge(
    'parley_processes',
    'Processes of the service that use this database, by version.',
    ['version'],
    async () =>
      (await livingVersions(db)).map(({ version, count }) => ({
        labels: { version: version ?? '' },
        value: count,
      })),
  )
}

/** Adds the numbers of waiting prompts and conversations, of sessions and of live streams. */
function addConversations({ metrics, database: { db }, clock, hub }: Parts): void {
  const one = oneOf(metrics)
  metrics.gauge(
    'parley_backlog',
    'Prompts that wait for their answer, and inbound events of channels that wait to be worked.',
    ['kind'],
    async () => [
      { labels: { kind: 'prompts' }, value: await countOpenCompletions(db) },
      { labels: { kind: 'events' }, value: await countWaitingInbound(db) },
    ],
  )
  one('parley_sessions', 'Sessions of people that have not ended.', () => countSessions(db, clock()))
  one('parley_waiting_conversations', 'Conversations that wait for a person.', () => countWaiting(db))
  one(
    'parley_waiting_oldest_seconds',
    'How long the longest-waiting conversation has waited for a person.',
    () => oldestWaiting(db, clock()),
  )
  one('parley_live_streams', 'Live streams that are open in this process.', hub.count)
}

/** Adds the webhook deliveries that wait, failing endpoints, and channels whose token was refused. */
function addDeliveries({ metrics, database: { db }, clock }: Parts): void {
  const one = oneOf(metrics)
  const backlog = together(() => measureBacklog(db))
  one(
    'parley_deliveries_waiting',
    'Webhook deliveries that wait to be sent.',
    async () => (await backlog()).waiting,
  )
  one(
    'parley_deliveries_oldest_seconds',
    'How long the longest-waiting webhook delivery has waited.',
    async () => secondsSince((await backlog()).oldest, clock()),
  )
  one(
    'parley_endpoints_held',
    'Webhook endpoints that are sent nothing for a while because they keep failing.',
    () => countHeld(db, timestamp(clock())),
  )
  one(
    'parley_channels_refused',
    'Channels whose platform refused their token in the last hour, or still does.',
    () => countRefusedChannels(db, timestamp(clock() - HOUR_MS)),
  )
}

/** Adds the work that waits in the background. */
function addWork({ metrics, database: { db }, clock, config }: Parts): void {
  const one = oneOf(metrics)
  const work = together(async () => {
    const isEmbedding = config.embedding.url !== null || (await anyEmbedsItself(db))
    return countWork(db, { nowMs: clock(), isEmbedding, isMailing: config.mail !== null })
  })
  metrics.gauge(
    'parley_work',
    'Pieces of background work by kind and state: waiting, leased, failed (tried again), parked (failed too often).',
    ['kind', 'state'],
    async () =>
      (await work()).flatMap(([kind, { oldest: _, ...counts }]) =>
        Object.entries(counts).map(([state, value]) => ({ labels: { kind, state }, value })),
      ),
  )
  metrics.gauge(
    'parley_work_oldest_seconds',
    'How long the longest-overdue piece of background work has been due, by kind.',
    ['kind'],
    async () =>
      (await work()).map(([kind, { oldest }]) => ({
        labels: { kind },
        value: secondsSince(oldest, clock()),
      })),
  )
  one('parley_search_backlog', 'Texts that wait to be indexed for the search.', () => countPending(db))
  one('parley_redaction_backlog', 'Erasures that have begun and are not finished.', () =>
    countOpenErasures(db),
  )
}

/** Adds what the models of agents cost. */
function addCosts({ metrics, database: { db }, clock }: Parts): void {
  const costs = together(async () => costsOf(db, await agentsWithPrices(db, AGENTS_TOLD), timestamp(clock())))
  const labels = (agent: number, period: string) => ({ agent_id: String(agent), period })
  metrics.gauge(
    'parley_model_cost',
    'Cost of model calls of agents with prices, on this day and in this month of UTC.',
    ['agent_id', 'period'],
    async () =>
      (await costs()).map(({ agentId, period, cost }) => ({ labels: labels(agentId, period), value: cost })),
  )
  metrics.gauge(
    'parley_budget_left',
    'What is left of the budgets of agents on this day and in this month of UTC.',
    ['agent_id', 'period'],
    async () =>
      (await costs()).flatMap(
        ({ agentId, period, left }): Labelled =>
          left === null ? [] : [{ labels: labels(agentId, period), value: left }],
      ),
  )
}

/** The time for which a reading serves several values of a scrape. */
const SHARED_MS = 500

/** Returns a function by which several values of a scrape share one reading. */
function together<T>(read: () => Promise<T>): () => Promise<T> {
  let reading: Promise<T> | null = null
  const forget = () => {
    reading = null
  }
  return () => {
    reading ??= read().finally(() => setTimeout(forget, SHARED_MS).unref())
    return reading
  }
}
