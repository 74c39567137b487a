import type { Kysely } from 'kysely'
import { readAgents } from '../agents/agent.ts'
import { record, type TeamBy } from '../audit/record.ts'
import { ApiError } from '../errors.ts'
import type { Engine } from '../storage/engine.ts'
import type { Tables } from '../storage/tables.ts'
import type { Lessons } from '../transcripts/conversations/lessons.ts'
import { lockConversation } from '../transcripts/conversations/store.ts'
import { answeredAmong } from '../transcripts/doors/answers-of-people.ts'
import { type AskedQuestion, lastQuestions, withQuestions } from '../transcripts/doors/last-questions.ts'
import type { CompletionRow } from '../transcripts/tables.ts'
import { isQuestion } from './is-question.ts'
import { areTooMany, insertProposal, makeAgain, newestOf, type ProposalRow } from './proposal-store.ts'

type Db = Kysely<Tables>

interface Dependencies {
  db: Db
  engine: Pick<Engine, 'lock'>
}

/** The number of prompts before an answer that are searched for the question that the person has answered. */
const BEFORE_ANSWER = 20

/**
 * Proposes an entry from a conversation. A question with a waiting proposal gets no second one.
 * @param from the conversation, or the completion of the question
 * @throws ApiError nothing_to_propose, too_many_proposals
 */
export async function proposeEntry(
  { db, engine }: Dependencies,
  agentId: number,
  from: { conversationId: string } | { completion: CompletionRow },
  now: string,
  by: TeamBy,
): Promise<ProposalRow> {
  return db.transaction().execute(async (db) => {
    // With this lock, the second of two simultaneous requests finds the proposal of the first.
    await lockConversation(db, 'completion' in from ? from.completion.conversation_id : from.conversationId)
    const asked =
      'completion' in from
        ? await withQuestions(db, [from.completion])
        : inTurn(await lastQuestions(db, from.conversationId, BEFORE_ANSWER))
    const completion = await findAnswered(db, asked)
    if (!completion) throw new ApiError('nothing_to_propose')
    const present = await newestOf(db, sourceIn(completion))
    if (present?.document_id === null)
      return present.parked_at === null ? present : makeAgain(db, present.id, now)
    if (await areTooMany(db, engine, agentId)) throw new ApiError('too_many_proposals')
    const row = await insertProposal(db, sourceIn(completion), now)
    const target = `proposal ${row.id}`
    await record(db, { ...by, agentId, at: now, action: 'proposal.requested', target })
    return row
  })
}

/** Proposes an entry from each conversation that somebody of the team ends, where the agent's settings say so. */
export function proposesWhenEnded(engine: Pick<Engine, 'lock'>): Lessons['ended'] {
  return async (db, { id, agent_id }, now, { actor }) => {
    if (actor.kind !== 'operator' && actor.kind !== 'token') return
    const agent = (await readAgents(db, [agent_id])).get(agent_id)
    if (!agent?.settings.propose_entries) return
    const completion = await findAnswered(db, inTurn(await lastQuestions(db, id, BEFORE_ANSWER)))
    if (!completion || (await newestOf(db, sourceIn(completion))) || (await areTooMany(db, engine, agent_id)))
      return
    await insertProposal(db, sourceIn(completion), now)
  }
}

/** Sorts prompts: those that the agent was to answer come first, newest first, then those from when it was paused. */
function inTurn(asked: readonly AskedQuestion[]): AskedQuestion[] {
  const isPaused = ({ completion }: AskedQuestion) => completion.agent_paused === 1
  return [...asked.filter((one) => !isPaused(one)), ...asked.filter(isPaused).reverse()]
}

/** Finds the first question that a person has answered. @param asked prompts of one conversation */
async function findAnswered(db: Db, asked: readonly AskedQuestion[]): Promise<CompletionRow | undefined> {
  const questions = asked.filter(isQuestion).map(({ completion }) => completion)
  const ids = questions.map(({ id }) => id)
  const answered = await answeredAmong(db, questions[0]?.conversation_id ?? '', ids)
  return questions.find(({ id }) => answered.has(id))
}

function sourceIn({ id, agent_id, conversation_id }: CompletionRow) {
  return { agent_id, conversation_id, completion_id: id }
}
