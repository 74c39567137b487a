import type { Kysely } from 'kysely'
import type { Agent } from '../agents/agent.ts'
import type { ModelAnswer } from '../model/model.ts'
import { withRefusal } from '../model/refusal-part.ts'
import type { Tables } from '../storage/tables.ts'
import type { TextColumn } from '../texts/text-columns.ts'
import type { RedactionMode } from '../texts/text-rows.ts'
import type { Cta } from '../transcripts/citations-and-ctas.ts'
import { redactedSoFar } from '../transcripts/completions/redacted-so-far.ts'
import { type EndColumn, selectCompletionById } from '../transcripts/completions/store.ts'
import { keyOfConversation } from '../transcripts/conversations/keys.ts'
import type { CompletionRow } from '../transcripts/tables.ts'
import type { RedactorFor } from './redactors.ts'
import { redactColumns, type TextRedactor } from './text-redactor.ts'

/** An answer to store: as it was made, or redacted because its completion was redacted while it was made. */
export interface KeptAnswer {
  answer: ModelAnswer
  ctas: Cta[]
  /** The way in which the completion had been redacted; null: it had not. */
  redacted: RedactionMode | null
  /** The number of times the completion had been redacted. `store` compares it by `checkRedactions`. */
  redactions: number
}

/** Undoes a transaction that stores an answer, when its completion was redacted meanwhile. */
class RedactedMeanwhile extends Error {}

/**
 * @throws to undo the transaction if the completion was redacted again. The answer is then redacted and stored again.
 */
export function checkRedactions(kept: Pick<KeptAnswer, 'redactions'>, found: { redactions: number }): void {
  if (kept.redactions !== found.redactions) throw new RedactedMeanwhile()
}

/**
 * Stores an answer in one transaction. If its completion was redacted meanwhile, the answer is first redacted the same
 * way, outside of the transaction because that takes time.
 */
export async function storeAnswer<T>(
  db: Kysely<Tables>,
  turn: { agent: Agent; completionId: string },
  answer: ModelAnswer,
  ctas: Cta[],
  redactorFor: RedactorFor,
  store: (db: Kysely<Tables>, kept: KeptAnswer) => Promise<T>,
): Promise<T> {
  for (let kept: KeptAnswer = { answer, ctas, redacted: null, redactions: 0 }; ; ) {
    try {
      return await db.transaction().execute((db) => store(db, kept))
    } catch (error) {
      if (!(error instanceof RedactedMeanwhile)) throw error
    }
    const [completion] = await selectCompletionById(db, { agent_id: turn.agent.id, id: turn.completionId })
    if (!completion) throw new Error('the completion of an answer does not exist')
    const redacted = await redactedSoFar(db, completion)
    const { redactions } = completion
    kept = {
      ...(redacted
        ? await redactAnswer(
            answer,
            ctas,
            ...(await redactorOf(db, completion, redactorFor(redacted, turn.agent))),
          )
        : { answer, ctas }),
      redacted,
      redactions,
    }
  }
}

/** The texts of a message that is stored while its completion is open. */
interface MessageTexts {
  content: string
  tool_calls: string | null
  tool_call_id: string | null
}

/** A message to store: as it was made, or redacted because its completion was redacted meanwhile. */
export interface KeptMessage {
  texts: MessageTexts
  redacted: RedactionMode | null
  redactions: number
}

/** Stores a message of a completion that is still open, in the way in which `storeAnswer` stores an answer. */
export async function storeMessage<T>(
  db: Kysely<Tables>,
  turn: { agent: Agent; completionId: string },
  texts: MessageTexts,
  redactorFor: RedactorFor,
  store: (db: Kysely<Tables>, kept: KeptMessage) => Promise<T>,
): Promise<T> {
  for (let kept: KeptMessage = { texts, redacted: null, redactions: 0 }; ; ) {
    try {
      return await db.transaction().execute((db) => store(db, kept))
    } catch (error) {
      if (!(error instanceof RedactedMeanwhile)) throw error
    }
    const [completion] = await selectCompletionById(db, { agent_id: turn.agent.id, id: turn.completionId })
    if (!completion) throw new Error('the completion of a turn does not exist')
    const redacted = await redactedSoFar(db, completion)
    kept = {
      texts: redacted
        ? await redactColumns(
            'messages',
            texts,
            ...(await redactorOf(db, completion, redactorFor(redacted, turn.agent))),
          )
        : texts,
      redacted,
      redactions: completion.redactions,
    }
  }
}

/** Returns the redactor, and the key of the completion's conversation where it needs one. */
async function redactorOf(
  db: Kysely<Tables>,
  { agent_id, conversation_id }: Pick<CompletionRow, 'agent_id' | 'conversation_id'>,
  redactor: TextRedactor,
): Promise<[TextRedactor, string | null]> {
  return [redactor, redactor.isNumbered ? await keyOfConversation(db, agent_id, conversation_id) : null]
}

async function redactAnswer(
  answer: ModelAnswer,
  ctas: Cta[],
  redactor: TextRedactor,
  numbers: string | null,
): Promise<Pick<KeptAnswer, 'answer' | 'ctas'>> {
  const { tool_calls, citations, usage, finish_reason, model } = answer
  const message = await redactColumns(
    'messages',
    { content: JSON.stringify(withRefusal(answer)), tool_calls: JSON.stringify(tool_calls) },
    redactor,
    numbers,
  )
  const completion = await redactColumns(
    'completions',
    {
      citations: JSON.stringify(citations),
      ctas: JSON.stringify(ctas),
      usage: usage && JSON.stringify(usage),
      finish_reason,
      model,
    } satisfies Record<EndColumn & TextColumn<'completions'>, string | null>,
    redactor,
    numbers,
  )
  return {
    answer: {
      content: JSON.parse(message.content) as ModelAnswer['content'],
      // The redacted content includes the refusal.
      refusal: null,
      tool_calls: JSON.parse(message.tool_calls) as ModelAnswer['tool_calls'],
      citations: JSON.parse(completion.citations) as ModelAnswer['citations'],
      usage: completion.usage === null ? null : (JSON.parse(completion.usage) as ModelAnswer['usage']),
      finish_reason: completion.finish_reason,
      model: completion.model,
    },
    ctas: JSON.parse(completion.ctas) as Cta[],
  }
}
