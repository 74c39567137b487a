import type { Kysely } from 'kysely'
import type { Agent } from '../../agents/agent.ts'
import type { Tables } from '../../storage/tables.ts'
import type { FindPassages } from './find-passages.ts'

/** An entry that answers a question. */
interface SimilarEntry {
  document_id: number
  title: string
  text: string
}

const LONGEST = 2000

/** Finds the entry that already answers a question, with the confidence that answers need; null: there is none. */
export async function findSimilar(
  db: Kysely<Tables>,
  findPassages: FindPassages,
  agent: Agent,
  question: string,
): Promise<SimilarEntry | null> {
  const { passages, threshold } = await findPassages(agent, question, 1)
  const [best] = passages
  if (!best || best.confidence < (agent.settings.answer_threshold ?? threshold)) return null
  const row = await db
    .selectFrom('knowledge_passages')
    .select('document_id')
    .where('id', '=', best.id)
    .where('agent_id', '=', agent.id)
    .executeTakeFirst()
  if (!row) return null
  const { title, text } = best
  return { document_id: row.document_id, title, text: text.slice(0, LONGEST).toWellFormed() }
}
