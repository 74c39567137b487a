import type { Kysely } from 'kysely'
import { retryQueue } from '../analytics/support/retry-store.ts'
import { record, type TeamBy } from '../audit/record.ts'
import { snoozeQueue } from '../desk/snooze/store.ts'
import { fetchQueue } from '../files/fetches/store.ts'
import { bulkQueue } from '../inbox/bulk/store.ts'
import { calibrationQueue } from '../knowledge/calibration/calibration-store.ts'
import { importQueue } from '../knowledge/imports/store.ts'
import { embeddingQueue } from '../knowledge/vectors/embedding-store.ts'
import { proposalQueue } from '../learning/proposal-store.ts'
import { countParkedItems, mailboxQueue } from '../mailboxes/store.ts'
import { causeQueue } from '../notices/causes.ts'
import { noticeMailQueue } from '../notices/mails/store.ts'
import { noticePushQueue } from '../notices/pushes/store.ts'
import { digestQueue } from '../notices/settings-store.ts'
import { mailQueue } from '../operators/mails/store.ts'
import { deskQueue } from '../rules/desk-job-store.ts'
import { jobQueue } from '../rules/store.ts'
import { runQueueOf } from '../runs/run-store.ts'
import type { Tables } from '../storage/tables.ts'
import { clockQueue, recountQueue } from '../targets/store.ts'
import { awayQueue } from '../transcripts/conversations/away-store.ts'
import { silenceQueue } from '../transcripts/conversations/silence-store.ts'
import { summaryQueue } from '../turns/history/summary-store.ts'
import { type KindOfWork, kindsOfWork, type QueueName } from '../work/kinds.ts'
import type { Queue, QueuedRow, WorkCounts } from '../work/queue.ts'

/** The queues of the work that agents have. */
const ofAgents: Record<KindOfWork, Pick<Queue<QueuedRow>, 'count' | 'retry'>> = {
  channels: mailboxQueue,
  fetches: fetchQueue,
  automations: jobQueue,
  desk_automations: deskQueue,
  bulk_acts: bulkQueue,
  snoozes: snoozeQueue,
  away_messages: awayQueue,
  notices: causeQueue,
  notice_mails: noticeMailQueue,
  notice_pushes: noticePushQueue,
  silences: silenceQueue,
  targets: clockQueue,
  target_recounts: recountQueue,
  support_figures: retryQueue,
  imports: importQueue,
  test_runs: runQueueOf(null),
  embeddings: embeddingQueue,
  calibrations: calibrationQueue,
  summaries: summaryQueue,
  proposals: proposalQueue,
}

/** All queues, also those of people's work. */
const ofAll: Record<QueueName, Pick<Queue<QueuedRow>, 'count'>> = {
  ...ofAgents,
  mails: mailQueue,
  digests: digestQueue,
}

type RetriedKind = Exclude<KindOfWork, 'bulk_acts'>

/** Tells whether parked pieces of a kind can be tried again. What a bulk act was to change may have changed since. */
const isRetried = (kind: KindOfWork): kind is RetriedKind => kind !== 'bulk_acts'

/** The kinds whose parked pieces can be tried again. */
export const retriedKinds = kindsOfWork.filter(isRetried)

const NONE: WorkCounts = { waiting: 0, leased: 0, failed: 0, parked: 0, oldest: null }
/** The number of pieces that become due in one transaction. */
const RETRIED_AT_ONCE = 1000

interface At {
  nowMs: number
  /** False while there is no embedding server. */
  isEmbedding: boolean
  /** False while there is no mail server. */
  isMailing: boolean
}

const MAILED: ReadonlySet<QueueName> = new Set(['mails', 'notice_mails', 'digests'])

/** Tells whether anything does the work of a kind. Work that nothing does does not wait, either. */
function isDone(kind: QueueName, { isEmbedding, isMailing }: At): boolean {
  if (kind === 'embeddings') return isEmbedding
  return isMailing || !MAILED.has(kind)
}

/** Counts the background work of an agent, by kind. */
export async function countWorkOf(db: Kysely<Tables>, agentId: number, at: At) {
  return Promise.all(
    kindsOfWork.map(async (kind) => {
      const { oldest: _, ...counts } = isDone(kind, at)
        ? await ofAgents[kind].count(db, at.nowMs, agentId)
        : NONE
      const retriable = isRetried(kind) ? counts.parked : 0
      return { kind, ...(await withMessages(db, kind, counts, agentId)), retriable }
    }),
  )
}

/** Adds the messages that are parked to the chats that are. @param agentId null for all agents */
async function withMessages<Counts extends Pick<WorkCounts, 'parked'>>(
  db: Kysely<Tables>,
  kind: QueueName,
  counts: Counts,
  agentId: number | null,
): Promise<Counts> {
  if (kind !== 'channels') return counts
  return { ...counts, parked: counts.parked + (await countParkedItems(db, agentId)) }
}

/** Makes all parked pieces of a kind due, each with all its attempts, and returns their number. */
export async function retryWork(
  db: Kysely<Tables>,
  agentId: number,
  kind: RetriedKind,
  at: string,
  by: TeamBy,
): Promise<number> {
  for (let retried = 0; ; ) {
    const more = await db.transaction().execute(async (db) => {
      const count = await ofAgents[kind].retry(db, agentId, at, RETRIED_AT_ONCE)
      const act = { ...by, agentId, at, action: 'work.retried' as const, target: `work ${kind}` }
      if (count > 0) await record(db, { ...act, details: { count } })
      return count
    })
    retried += more
    if (more < RETRIED_AT_ONCE) return retried
  }
}

/** Counts the background work of all agents and teams, by kind. */
export async function countWork(db: Kysely<Tables>, at: At): Promise<[kind: QueueName, WorkCounts][]> {
  const counted: [QueueName, WorkCounts][] = []
  // One after the other: whoever asks this should not take all connections.
  for (const kind of Object.keys(ofAll) as QueueName[])
    if (isDone(kind, at))
      counted.push([kind, await withMessages(db, kind, await ofAll[kind].count(db, at.nowMs), null)])
  return counted
}
