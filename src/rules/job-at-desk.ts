import { lockConversation, selectById } from '../transcripts/conversations/store.ts'
import { deskQueue, selectRunsOfCause, updateDeskJob } from './desk-job-store.ts'
import { factsAtDesk } from './facts-at-desk.ts'
import type { Job, Run } from './job.ts'
import type { DeskJobRow } from './tables.ts'

/** Returns the job of the automations that run on something at the desk. */
export function jobAtDesk(row: DeskJobRow, runs: Run[]): Job {
  const { id, agent_id, conversation_id, cause, on_event, created_at } = row
  return {
    id,
    agent_id,
    conversation_id,
    completion_id: null,
    cause,
    name: 'desk_automation',
    runs,
    automationsOf: ({ deskAutomations }) => deskAutomations.filter(({ on }) => on === on_event),
    async readFacts(db, options) {
      const [conversation] = await selectById(db, { agent_id, id: conversation_id })
      if (!conversation) throw new Error('the conversation of automations does not exist')
      return factsAtDesk(db, conversation, { ...options, at: Date.parse(created_at) })
    },
    async mayBegin(db, automationId) {
      // All jobs of a cause are about one conversation, whose lock lets them begin one after the other.
      await lockConversation(db, conversation_id)
      const others = (await selectRunsOfCause(db, cause)).filter((other) => other.id !== id)
      return !others.some((other) => runsOf(other)?.some((run) => run.id === automationId && hasBegun(run)))
    },
    toldToWebhook: async () => ({ on: on_event, conversation: { id: conversation_id } }),
    end: (db) => deskQueue.end(db, row),
    progress: (db) => deskQueue.progress(db, row),
    write: (db, progress) => updateDeskJob(db, id, progress),
  }
}

/** Returns the progress of a job's automations; null: nobody has looked yet which there are. */
export function runsOf({ runs }: Pick<DeskJobRow, 'runs'>): Run[] | null {
  return runs === null ? null : (JSON.parse(runs) as Run[])
}

function hasBegun({ status }: Run): boolean {
  return status !== 'waiting' && status !== 'skipped'
}
