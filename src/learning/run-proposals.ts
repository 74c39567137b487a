import { type Agent, readAgents } from '../agents/agent.ts'
import { bySystem } from '../audit/record.ts'
import { raise } from '../events/raise.ts'
import { selectDocument } from '../knowledge/documents/document-store.ts'
import { removeDocument } from '../knowledge/documents/remove-document.ts'
import { timestamp } from '../lib/clock.ts'
import { patientAttemptAt } from '../lib/pacing/patience.ts'
import { ModelError } from '../model/model.ts'
import { maskingConversation } from '../privacy/mask/masking-conversation.ts'
import type { RedactorFor } from '../privacy/redactors.ts'
import { selectCompletionById } from '../transcripts/completions/store.ts'
import { answeredByPeople } from '../transcripts/doors/answers-of-people.ts'
import { lastQuestions, withQuestions } from '../transcripts/doors/last-questions.ts'
import { type AsksModel, asksModel } from '../usage/asks-model.ts'
import { namesOfUsers } from '../users/known-users.ts'
import type { Lease } from '../work/lease.ts'
import { TryAgain } from '../work/retry.ts'
import { runQueue } from '../work/run-queue.ts'
import type { RunningWork } from '../work/run-work.ts'
import { sourceOf } from './accept-proposal.ts'
import {
  entryAsSaid,
  entryRequest,
  type MadeEntry,
  readEntry,
  withinBounds,
  withoutNames,
} from './make-entry.ts'
import { deleteProposal, keepEntry, PROPOSALS, type ProposalRow, proposalQueue } from './proposal-store.ts'
import { redactEntry } from './redact-entry.ts'

interface Dependencies extends AsksModel {
  redactorFor: RedactorFor
}

const AT_ONCE = 4
/** The failures after which an entry is made without the model, if the last of them was the model's. */
const MOST_TRIES = 2
/** The number of newest prompts that are searched for names. */
const QUESTIONS_READ = 20

/**
 * Runs the queue that makes proposed entries, and that removes the documents of accepted ones whose conversation was
 * erased.
 */
export function runProposals(dependencies: Dependencies): RunningWork {
  const asking = asksModel(dependencies)
  return runQueue<ProposalRow>(
    {
      name: 'proposals',
      queue: proposalQueue,
      topics: [PROPOSALS],
      atOnce: AT_ONCE,
      work: (row, lease) =>
        row.document_id === null ? make(dependencies, row, lease) : remove(dependencies, row, lease),
      ...asking,
      patience: (error, attempts) =>
        error instanceof TryAgain
          ? patientAttemptAt(attempts, dependencies.clock())
          : asking.patience(error, attempts),
      raise,
      about: ({ agent_id, conversation_id }) => ({ agent_id, conversation_id }),
    },
    dependencies,
  )
}

/**
 * Makes the texts of a proposal, without personal data as far as redaction finds it. Drops it if its conversation no
 * longer has the question or the answer.
 * @throws ModelError, LeaseLost; TryAgain when the redaction service failed
 */
async function make(dependencies: Dependencies, row: ProposalRow, lease: Lease): Promise<void> {
  const { db } = dependencies.database
  const { agent_id, conversation_id, completion_id } = row
  const agent = (await readAgents(db, [agent_id])).get(agent_id)
  const [asked] = await withQuestions(db, await selectCompletionById(db, { agent_id, id: completion_id }))
  const said = asked && (await answeredByPeople(db, conversation_id, completion_id))
  if (!agent || !said || asked.redacted === 'scrub') return dropProposal(row, lease)
  const { user_id } = asked.completion
  const names = user_id === null ? null : await namesOfUsers(db, agent_id, [user_id])
  const people = said.flatMap(({ author }) => author ?? [])
  const customer = (user_id !== null && names?.get(user_id)) || null
  const asking = await lastQuestions(db, conversation_id, QUESTIONS_READ)
  const texts = [...asking.map(({ question }) => question), ...said.map(({ text }) => text)]

  const redacted = async (made: MadeEntry): Promise<MadeEntry | null> => {
    const entry = await redactEntry(dependencies.redactorFor('anonymize', agent), made, texts)
    return (
      entry &&
      withinBounds({
        question: withoutNames(entry.question, people, customer),
        answer: withoutNames(entry.answer, people, customer),
      })
    )
  }

  // The model is paid for, so redaction must work before it is asked, and no failure of redaction has it asked again.
  const asSaid = await redacted(entryAsSaid(asked.question, said))
  if (!asSaid) throw new TryAgain('the redaction service failed', { code: 'redaction_service_failed' })
  const written = await ask(dependencies, agent, row, () => entryRequest(said), lease)
  const entry = (written && (await redacted(written))) ?? asSaid
  await lease.transaction(async (db) => {
    await keepEntry(db, row.id, { ...entry, questions: [] }, timestamp(dependencies.clock()))
    await proposalQueue.end(db, row)
  })
}

/** Has the agent's model write the entry; null when it has none, may not be asked, or wrote none. */
async function ask(
  { database: { db }, isSpent, modelFor }: Dependencies,
  agent: Agent,
  { conversation_id, completion_id, attempts, failure }: ProposalRow,
  request: () => ReturnType<typeof entryRequest>,
  lease: Lease,
): Promise<MadeEntry | null> {
  const { model, name, isBuiltIn } = modelFor(agent)
  if (isBuiltIn || (attempts >= MOST_TRIES && failure === ModelError.name)) return null
  if (await isSpent({ agent, conversationId: conversation_id, completionId: completion_id })) return null
  const { content } = await maskingConversation(db, agent, conversation_id, () =>
    model.complete({ model: name, messages: request(), parameters: {} }, lease.signal),
  )
  return readEntry(content)
}

async function dropProposal(row: ProposalRow, lease: Lease): Promise<void> {
  await lease.transaction((db) => deleteProposal(db, row.id))
}

/** Removes the document that a proposal became, unless somebody has removed it, and the proposal. */
async function remove(dependencies: Dependencies, row: ProposalRow, lease: Lease): Promise<void> {
  const { database, clock } = dependencies
  const { db } = database
  const agent = (await readAgents(db, [row.agent_id])).get(row.agent_id)
  const document = await selectDocument(db, row.agent_id, row.document_id ?? 0)
  if (agent && document?.source === sourceOf(row))
    await removeDocument(db, row.agent_id, document.id, clock(), { ...bySystem, teamId: agent.teamId })
  await dropProposal(row, lease)
}
