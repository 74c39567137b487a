import type { Kysely } from 'kysely'
import { readAgent } from '../agents/agent.ts'
import { raise } from '../events/raise.ts'
import { MINUTE_MS, timestamp } from '../lib/clock.ts'
import { type Hours, openAfter } from '../lib/hours/hours.ts'
import type { Tables } from '../storage/tables.ts'
import { HAPPENINGS, readHappening } from '../transcripts/conversations/happenings.ts'
import { hoursOf } from '../transcripts/conversations/hours-of.ts'
import { OPENED } from '../transcripts/conversations/open-conversation.ts'
import { selectById } from '../transcripts/conversations/store.ts'
import type { ConversationRow, HappeningRow } from '../transcripts/tables.ts'
import type { Lease } from '../work/lease.ts'
import { runQueue } from '../work/run-queue.ts'
import type { RunningWork } from '../work/run-work.ts'
import { deskQueue, updateDeskJob } from './desk-job-store.ts'
import type { Automation, Run } from './job.ts'
import { jobAtDesk, runsOf } from './job-at-desk.ts'
import type { AutomationDependencies } from './run-automations.ts'
import { runJob } from './run-job.ts'
import type { DeskJobRow } from './tables.ts'

const JOBS_AT_ONCE = 20

/** Runs automations on what happens at the desk, as `runAutomations` does after answers. */
export function runDeskAutomations(dependencies: AutomationDependencies): RunningWork {
  const { db } = dependencies.database
  const { clock, rulesOf } = dependencies

  /** Finds the automations of a job. @returns null: it is done, or due later */
  async function begin(row: DeskJobRow, lease: Lease): Promise<Run[] | null> {
    const agent = await readAgent(db, row.agent_id)
    const { deskAutomations = [] } = (await rulesOf(agent)) ?? {}
    const all = deskAutomations.filter(
      ({ id, on }) => on === row.on_event && (row.rule_id === null || row.rule_id === id),
    )
    const happened = await whatHappened(db, row)
    const hours = await hoursOf(db, happened.conversation, agent.settings.hours)
    const dueMs = all.length > 0 ? dueAt(row, happened, hours, all) : null
    const isDue = dueMs !== null && dueMs <= clock()
    const runs = all.map(({ id, name }): Run => ({ id, name, status: 'waiting', action: 0 }))
    await db.transaction().execute(async (db) => {
      if (isDue) {
        await lease.hold(db)
        return updateDeskJob(db, row.id, { runs: JSON.stringify(runs) })
      }
      await deskQueue.end(db, row)
      const isOver = dueMs === null
      return updateDeskJob(db, row.id, isOver ? { runs: '[]', state: 'done' } : { due_at: timestamp(dueMs) })
    })
    return isDue ? runs : null
  }

  return runQueue<DeskJobRow>(
    {
      name: 'desk_automations',
      queue: deskQueue,
      frequentTopics: [HAPPENINGS, OPENED],
      atOnce: JOBS_AT_ONCE,
      async work(row, lease) {
        const runs = runsOf(row) ?? (await begin(row, lease))
        if (runs) await runJob({ ...dependencies, db }, jobAtDesk(row, runs), lease)
      },
      async parked(db, { id }) {
        await updateDeskJob(db, id, { state: 'parked' })
      },
      parkedAs: 'automations_parked',
      raise,
      about: ({ agent_id, conversation_id }) => ({ agent_id, conversation_id }),
    },
    dependencies,
  )
}

interface Happened {
  conversation: ConversationRow
  /** Null: the conversation was opened. */
  happening: HappeningRow | null
}

async function whatHappened(
  db: Kysely<Tables>,
  { agent_id, conversation_id, happening_id }: DeskJobRow,
): Promise<Happened> {
  const [conversation] = await selectById(db, { agent_id, id: conversation_id })
  if (!conversation) throw new Error('the conversation of automations does not exist')
  const happening = happening_id === null ? null : await readHappening(db, agent_id, happening_id)
  return { conversation, happening: happening ?? null }
}

/** Returns when the automations of a job are due; null: never, since it is over. */
function dueAt(
  { on_event, created_at }: DeskJobRow,
  { conversation, happening }: Happened,
  hours: Hours | null,
  [first]: readonly Automation[],
): number | null {
  const beganMs = Date.parse(created_at)
  const { waiting_since, snoozed_until } = conversation
  if (on_event === 'assigned' && !isToSomebody(happening)) return null
  if (on_event !== 'waited') return beganMs
  if (!first?.minutes || waiting_since !== created_at) return null
  const waitsMs = first.minutes * MINUTE_MS
  const dueMs = first.within_hours && hours ? openAfter(hours, beganMs, waitsMs) : beganMs + waitsMs
  return dueMs === null || snoozed_until === null ? dueMs : Math.max(dueMs, Date.parse(snoozed_until))
}

/** Tells whether a happening assigns a conversation to a person or a group. */
function isToSomebody(happening: HappeningRow | null): boolean {
  const { operator, group } = JSON.parse(happening?.details ?? '{}') as Record<string, unknown>
  return Boolean(operator ?? group)
}
