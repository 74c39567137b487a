import type { Kysely } from 'kysely'
import { raise } from '../events/raise.ts'
import type { Tables } from '../storage/tables.ts'
import { selectCompletionById } from '../transcripts/completions/store.ts'
import { writeAutomations } from '../transcripts/completions/write-automations.ts'
import { factsOfCompletion, type KeptFacts } from './facts-of-completion.ts'
import type { FactOptions, Job, KnownFacts, Run } from './job.ts'
import { jobQueue, writeProgress } from './store.ts'
import type { AutomationJobRow } from './tables.ts'

/** Returns the job of the automations that run after an answer of the agent. */
export function jobOfResponse(row: AutomationJobRow): Job {
  const { id, agent_id, conversation_id, completion_id } = row

  async function readFacts(db: Kysely<Tables>, options: FactOptions): Promise<KnownFacts> {
    const [completion] = await selectCompletionById(db, { agent_id, id: completion_id })
    if (!completion) throw new Error('the completion of automations does not exist')
    const kept = JSON.parse(row.facts) as KeptFacts
    const at = Date.parse(completion.created_at)
    return {
      facts: await factsOfCompletion(db, completion, { ...options, kept, at }),
      completionId: completion_id,
    }
  }

  return {
    id,
    agent_id,
    conversation_id,
    completion_id,
    cause: completion_id,
    name: 'automation',
    readFacts,
    runs: JSON.parse(row.runs) as Run[],
    automationsOf: ({ automations }) => automations,
    async toldToWebhook(db) {
      const { facts } = await readFacts(db, { countsMessages: false, timeZone: 'UTC', hours: null })
      const [prompt, response] = [facts['prompt.text'], facts['response.text']]
      return { completion: { id: completion_id, conversation_id, prompt, response } }
    },
    async tellOutcomes(db, automations, endedAt) {
      await writeAutomations(db, { id: completion_id, automations })
      if (endedAt === null) return
      const context = { agent_id, conversation_id, completion_id, occurred_at: endedAt }
      await raise(db, { ...context, key: 'automations_end', data: { automations } })
    },
    end: (db) => jobQueue.end(db, row),
    progress: (db) => jobQueue.progress(db, row),
    async write(db, progress) {
      await writeProgress(db, { id, ...progress })
    },
  }
}
