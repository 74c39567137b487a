import type { Kysely } from 'kysely'
import { retryQueue } from '../analytics/support/retry-store.ts'
import { snoozeQueue } from '../desk/snooze/store.ts'
import { fetchQueue } from '../files/fetches/store.ts'
import { bulkQueue } from '../inbox/bulk/store.ts'
import { calibrationQueue } from '../knowledge/calibration/calibration-store.ts'
import { importQueue } from '../knowledge/imports/store.ts'
import { embeddingQueue } from '../knowledge/vectors/embedding-store.ts'
import { proposalQueue } from '../learning/proposal-store.ts'
import { countMailboxes } from '../mailboxes/store.ts'
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
import type { WorkCounts } from '../work/queue.ts'

const ofAgents = {
  channels: countMailboxes,
  fetches: fetchQueue.count,
  automations: jobQueue.count,
  desk_automations: deskQueue.count,
  bulk_acts: bulkQueue.count,
  snoozes: snoozeQueue.count,
  away_messages: awayQueue.count,
  notices: causeQueue.count,
  notice_mails: noticeMailQueue.count,
  notice_pushes: noticePushQueue.count,
  silences: silenceQueue.count,
  targets: clockQueue.count,
  target_recounts: recountQueue.count,
  support_figures: retryQueue.count,
  imports: importQueue.count,
  test_runs: runQueueOf(null).count,
  embeddings: embeddingQueue.count,
  calibrations: calibrationQueue.count,
  summaries: summaryQueue.count,
  proposals: proposalQueue.count,
}

/** The kinds of background work that an agent has. */
export const kindsOfWork = Object.keys(ofAgents) as (keyof typeof ofAgents)[]

const NONE: WorkCounts = { waiting: 0, leased: 0, failed: 0, parked: 0, oldest: null }

interface At {
  nowMs: number
  /** False while there is no embedding server: then no passages wait to be embedded. */
  isEmbedding: boolean
}

/** Counts the background work of an agent, by kind. */
export async function countWorkOf(db: Kysely<Tables>, agentId: number, { nowMs, isEmbedding }: At) {
  return Promise.all(
    kindsOfWork.map(async (kind) => {
      const isNone = kind === 'embeddings' && !isEmbedding
      const { oldest: _, ...counts } = isNone ? NONE : await ofAgents[kind](db, nowMs, agentId)
      return { kind, ...counts }
    }),
  )
}

/** Counts the background work of all agents and teams, by kind. */
export async function countWork(
  db: Kysely<Tables>,
  { nowMs, isEmbedding }: At,
): Promise<[kind: string, WorkCounts][]> {
  const { embeddings, ...others } = ofAgents
  const all = {
    ...others,
    ...(isEmbedding ? { embeddings } : {}),
    mails: mailQueue.count,
    digests: digestQueue.count,
  }
  const counted: [string, WorkCounts][] = []
  // One after the other: whoever asks this should not take all connections.
  for (const [kind, count] of Object.entries(all)) counted.push([kind, await count(db, nowMs)])
  return counted
}
