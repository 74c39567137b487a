import type { Kysely } from 'kysely'
import { z } from 'zod'
import { readAgent } from '../agents/agent.ts'
import { byCaller } from '../audit/by-caller.ts'
import { ApiError } from '../errors.ts'
import { listOf, listQuery, presentPage } from '../http/paging.ts'
import { boundedText, errors, idParam, optionalBody, single, time } from '../http/schemas.ts'
import type { Server } from '../http/server.ts'
import { recordVersion, sentVersion } from '../http/version.ts'
import type { FindPassages } from '../knowledge/search/find-passages.ts'
import { findSimilar } from '../knowledge/search/find-similar.ts'
import { type Clock, timestamp } from '../lib/clock.ts'
import { rowId } from '../lib/ids.ts'
import type { Engine } from '../storage/engine.ts'
import type { Tables } from '../storage/tables.ts'
import { findCompletion } from '../transcripts/completions/find-completion.ts'
import { findConversation } from '../transcripts/conversations/find-conversation.ts'
import { thoseInScope } from '../transcripts/doors/by-filter.ts'
import { accept, editProposal, proposalVersion, reject } from './accept-proposal.ts'
import { LONGEST_ANSWER, LONGEST_QUESTION } from './make-entry.ts'
import { entryOf, type ProposalRow, selectProposal, selectProposals } from './proposal-store.ts'
import { proposeEntry } from './propose-entry.ts'

interface Dependencies {
  db: Kysely<Tables>
  engine: Pick<Engine, 'lock'>
  clock: Clock
  findPassages: FindPassages
}

const params = idParam('Proposal id.')

const fields = {
  id: z.int(),
  state: z
    .enum(['making', 'open', 'failed'])
    .describe('`making` until its texts are written, `failed` when that was given up.'),
  question: z.string().nullable().describe('Null until it is written.'),
  answer: z.string().nullable().describe('The answer of the person, in short. Null until it is written.'),
  questions: z.array(z.string()).describe('Other ways to ask.'),
  conversation_id: z.string().describe('Its source.'),
  completion_id: z.string().describe('The prompt that asked the question.'),
  version: recordVersion,
  created_at: time,
  updated_at: time,
}

export const proposal = z.object(fields).meta({ id: 'KnowledgeProposal' })

export const proposalWithSimilar = z
  .object({
    ...fields,
    similar: z
      .object({ document_id: z.int(), title: z.string(), text: z.string() })
      .nullable()
      .describe('The entry that answers the question already, as far as a search tells; null: none does.'),
  })
  .meta({ id: 'KnowledgeProposalWithSimilar' })

export const proposalPatch = z
  .strictObject({
    question: boundedText(LONGEST_QUESTION).min(1),
    answer: boundedText(LONGEST_ANSWER).min(1),
    questions: z.array(boundedText(LONGEST_QUESTION).min(1)).max(100).describe('Other ways to ask.'),
    version: sentVersion,
  })
  .partial()
  .meta({ id: 'KnowledgeProposalPatch' })

export const newProposal = z
  .strictObject({
    conversation_id: z
      .string()
      .min(1)
      .optional()
      .describe('UUID or external id: the last question that a person answered in it.'),
    completion_id: z.string().min(1).optional().describe('Or the prompt that asked the question.'),
  })
  .refine(
    ({ conversation_id, completion_id }) => (conversation_id === undefined) !== (completion_id === undefined),
    { message: 'needs either conversation_id or completion_id', path: ['conversation_id'] },
  )

export const acceptBody = optionalBody(z.strictObject({ version: sentVersion }))

/** Serves proposed entries, which people review: none becomes an entry by itself. */
export function proposalRoutes(server: Server, { db, engine, clock, findPassages }: Dependencies): void {
  server.post(
    '/knowledge/proposals',
    {
      config: { right: 'respond' },
      schema: {
        operationId: 'createKnowledgeProposal',
        summary: 'Propose an entry from a conversation in which a person answered',
        description:
          'Its texts are written in the background, without personal data as far as that is found. A question for which a proposal waits gets no second one.',
        body: newProposal,
        response: {
          202: single(proposal),
          ...errors(
            'conversation_not_found',
            'completion_not_found',
            'nothing_to_propose',
            'too_many_proposals',
          ),
        },
      },
    },
    async (request, reply) => {
      const { caller, body } = request
      const from =
        body.completion_id !== undefined
          ? { completion: await findCompletion(db, caller, body.completion_id) }
          : { conversationId: (await findConversation(db, caller, body.conversation_id ?? '')).id }
      const row = await proposeEntry(
        { db, engine },
        caller.agentId,
        from,
        timestamp(clock()),
        byCaller(request),
      )
      return reply.code(202).send({ data: present(row) })
    },
  )

  server.get(
    '/knowledge/proposals',
    {
      config: { right: 'read' },
      schema: {
        operationId: 'listKnowledgeProposals',
        summary: 'The proposed entries that wait to be reviewed, newest first',
        querystring: listQuery,
        response: { 200: listOf(proposal) },
      },
    },
    async ({ caller, query }) => presentPage(await selectProposals(db, caller, query), present),
  )

  server.get(
    '/knowledge/proposals/:id',
    {
      config: { right: 'read' },
      schema: {
        operationId: 'getKnowledgeProposal',
        summary: 'A proposed entry, and the entry that answers its question already',
        params,
        response: { 200: single(proposalWithSimilar), ...errors('proposal_not_found') },
      },
    },
    async ({ caller, params: { id } }) => {
      const row = await selectProposal(db, caller.agentId, rowId(id))
      const isSeen = row && (await thoseInScope(db, caller, [row.conversation_id])).length > 0
      if (!isSeen) throw new ApiError('proposal_not_found')
      const similar =
        row.question === null
          ? null
          : await findSimilar(db, findPassages, await readAgent(db, caller.agentId), row.question)
      return { data: { ...present(row), similar } }
    },
  )

  server.patch(
    '/knowledge/proposals/:id',
    {
      config: { right: 'manage' },
      schema: {
        operationId: 'updateKnowledgeProposal',
        summary: 'Edit a proposed entry',
        params,
        body: proposalPatch,
        response: {
          200: single(proposal),
          ...errors('version_outdated', 'proposal_not_found', 'proposal_not_ready'),
        },
      },
    },
    async (request) => {
      const { caller, params, body } = request
      const [now, by] = [timestamp(clock()), byCaller(request)]
      return { data: present(await editProposal(db, caller.agentId, rowId(params.id), body, now, by)) }
    },
  )

  server.delete(
    '/knowledge/proposals/:id',
    {
      config: { right: 'manage' },
      schema: {
        operationId: 'rejectKnowledgeProposal',
        summary: 'Reject a proposed entry',
        params,
        response: { 204: z.null().describe('Rejected.'), ...errors('proposal_not_found') },
      },
    },
    async (request, reply) => {
      const { caller, params } = request
      await reject(db, caller.agentId, rowId(params.id), timestamp(clock()), byCaller(request))
      return reply.code(204).send(null)
    },
  )

  server.post(
    '/knowledge/proposals/:id/accept',
    {
      config: { right: 'manage' },
      schema: {
        operationId: 'acceptKnowledgeProposal',
        summary: 'Accept a proposed entry: it becomes a document',
        params,
        body: acceptBody,
        response: {
          201: single(z.object({ document_id: z.int() }).meta({ id: 'AcceptedKnowledgeProposal' })),
          ...errors('version_outdated', 'proposal_not_found', 'proposal_not_ready'),
        },
      },
    },
    async (request, reply) => {
      const { caller, params, body } = request
      const by = byCaller(request)
      const document_id = await accept(db, caller.agentId, rowId(params.id), body.version, clock(), by)
      return reply.code(201).send({ data: { document_id } })
    },
  )
}

function present(row: ProposalRow) {
  const { id, conversation_id, completion_id, created_at, updated_at, parked_at } = row
  const entry = entryOf(row)
  const unmade = parked_at === null ? ('making' as const) : ('failed' as const)
  return {
    id,
    state: entry ? ('open' as const) : unmade,
    ...(entry ?? { question: null, answer: null, questions: [] }),
    conversation_id,
    completion_id,
    version: proposalVersion(row),
    created_at,
    updated_at,
  }
}
