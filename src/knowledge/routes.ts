import type { Kysely } from 'kysely'
import { z } from 'zod'
import { readAgent } from '../agents/agent.ts'
import { byCaller } from '../audit/by-caller.ts'
import { deleteRoute } from '../audit/delete-route.ts'
import { foundOr } from '../errors.ts'
import { listOf, listQuery, presentPage } from '../http/paging.ts'
import { boundedText, errors, idParam, single, time } from '../http/schemas.ts'
import type { Server } from '../http/server.ts'
import { recordVersion, sentVersion } from '../http/version.ts'
import type { Clock } from '../lib/clock.ts'
import { rowId } from '../lib/ids.ts'
import { httpAddress } from '../lib/outbound/http-address.ts'
import { verdictOf } from '../model/search-in-context.ts'
import type { Tables } from '../storage/tables.ts'
import { addDocument } from './documents/add-document.ts'
import {
  type DocumentRow,
  selectDocument,
  selectDocumentsPage,
  selectPassageTexts,
  selectText,
} from './documents/document-store.ts'
import { documentVersion, editDocument } from './documents/edit-document.ts'
import { removeDocument } from './documents/remove-document.ts'
import { stepAside } from './documents/seed-guide.ts'
import { MOST_TEXT } from './formats/convert/converted.ts'
import { documentFormats, textFormats } from './formats/read-document.ts'
import { notesFields, presentNotes, readNotes } from './notes.ts'
import type { FindPassages } from './search/find-passages.ts'

interface Dependencies {
  db: Kysely<Tables>
  clock: Clock
  findPassages: FindPassages
}

const params = idParam('Document id.')

export const newDocument = z
  .strictObject({
    source: boundedText(500)
      .min(1)
      .optional()
      .describe(
        'What the document is known by, such as a path or an id of yours: one of the same source is replaced. ' +
          'Its address when absent, or its title without one.',
      ),
    title: boundedText(500)
      .min(1)
      .optional()
      .describe("Its first heading, or a page's own title, when absent; an FAQ entry's question."),
    content: z.string().min(1).max(MOST_TEXT).describe("The document; an FAQ entry's answer."),
    format: z.enum(documentFormats).default('markdown'),
    url: httpAddress
      .nullish()
      .describe('Where readers find it: cited with answers. Its front matter may tell when absent.'),
    questions: z
      .array(boundedText(500).min(1))
      .max(100)
      .optional()
      .describe('Other ways to ask for it, as an FAQ entry has them.'),
  })
  .meta({ id: 'NewKnowledgeDocument' })

const documentFields = {
  id: z.int(),
  source: z.string(),
  title: z.string(),
  url: z.string().nullable(),
  ...notesFields,
  created_at: time,
  updated_at: time,
}
export const documentSchema = z.object(documentFields).meta({ id: 'KnowledgeDocument' })
export const documentWithText = z
  .object({
    ...documentFields,
    text: z
      .string()
      .nullable()
      .describe('As it was read; HTML becomes Markdown. Null: it was last added before texts were kept.'),
    format: z.enum(textFormats).nullable().describe('How `text` is read.'),
    questions: z.array(z.string()).nullable().describe('Other ways to ask for it.'),
    edited_at: time.nullable().describe('When it was edited after it was added.'),
    version: recordVersion,
    passages: z.array(z.object({ heading: z.string(), text: z.string() })),
  })
  .meta({ id: 'KnowledgeDocumentWithPassages' })

export const documentPatch = z
  .strictObject({
    title: newDocument.shape.title.unwrap().describe('The name by which answers cite it.'),
    text: z.string().min(1).max(MOST_TEXT).describe('The whole text, in its `format`.'),
    url: httpAddress.nullable().describe('Where readers find it; null: nowhere.'),
    questions: newDocument.shape.questions.unwrap(),
    version: sentVersion,
  })
  .partial()
  .meta({ id: 'KnowledgeDocumentPatch' })

export const foundPassage = z
  .object({
    title: z.string(),
    url: z.string().nullable(),
    heading: z.string(),
    snippet: z.string(),
    score: z
      .number()
      .describe(
        'BM25; where passages have vectors, the reciprocal ranks of both orders; with a reranking server, its score.',
      ),
    coverage: z.number().describe('The share of the question, by the weight of its words, that it contains.'),
    confidence: z.number().describe('How well it fits, to be compared with the threshold.'),
    similarity: z
      .number()
      .nullable()
      .describe(
        "The similarity of its vector to the question's, at most 1; null: it was found only by its words.",
      ),
  })
  .meta({ id: 'FoundPassage' })

export const foundPassages = z.object({
  data: z.array(foundPassage),
  verdict: z
    .enum(['answer', 'may_help', 'unknown'])
    .describe(
      'Whether the built-in answerer answers such a question, names pages that may help, or says that it does not know.',
    ),
  threshold: z.number().describe('The `confidence` that it needs in the best passage.'),
})

export const passagesQuery = z.object({
  q: z
    .string()
    .min(1)
    .max(4000)
    .refine((q) => q.trim() !== '', 'must not be empty'),
})

export function knowledgeRoutes(server: Server, { db, clock, findPassages }: Dependencies): void {
  server.post(
    '/knowledge',
    {
      config: { right: 'manage' },
      schema: {
        summary: 'Add a document or an FAQ entry; one of the same source is replaced',
        body: newDocument,
        response: {
          200: single(documentSchema).describe('The document existed: it was replaced, or is unchanged.'),
          201: single(documentSchema),
        },
      },
    },
    async (request, reply) => {
      const { caller, body } = request
      const now = clock()
      const by = byCaller(request)
      const { documentId, outcome } = await addDocument(db, caller.agentId, body, now, by)
      await stepAside(db, caller.agentId, now)
      const row = await readDocument(caller.agentId, String(documentId))
      return reply.code(outcome === 'added' ? 201 : 200).send({ data: present(row) })
    },
  )

  server.get(
    '/knowledge',
    {
      config: { right: 'read' },
      schema: {
        summary: "The agent's documents, newest first",
        querystring: listQuery,
        response: { 200: listOf(documentSchema) },
      },
    },
    async ({ caller, query }) => presentPage(await selectDocumentsPage(db, caller.agentId, query), present),
  )

  server.get(
    '/knowledge/search',
    {
      config: { right: 'read' },
      schema: {
        operationId: 'searchKnowledge',
        summary: 'The passages that fit a question best',
        querystring: passagesQuery,
        response: { 200: foundPassages },
      },
    },
    async ({ caller, query: { q } }) => {
      const agent = await readAgent(db, caller.agentId)
      const { settings } = agent
      const findings = await findPassages(agent, q, 10)
      const { passages } = findings
      const threshold = settings.answer_threshold ?? findings.threshold
      return {
        verdict: verdictOf(findings, settings.answer_threshold),
        threshold,
        data: passages.map(({ title, url, heading, text, score, coverage, confidence, similarity }) => ({
          title,
          url,
          heading,
          snippet: text.slice(0, 500).toWellFormed(),
          score,
          coverage,
          confidence,
          similarity,
        })),
      }
    },
  )

  server.get(
    '/knowledge/:id',
    {
      config: { right: 'read' },
      schema: {
        summary: 'A document with its passages',
        params,
        response: { 200: single(documentWithText), ...errors('document_not_found') },
      },
    },
    async ({ caller, params: { id } }) => {
      const row = await readDocument(caller.agentId, id)
      return { data: await presentWhole(row) }
    },
  )

  server.patch(
    '/knowledge/:id',
    {
      config: { right: 'manage' },
      schema: {
        summary: 'Edit a document',
        description:
          'Answers find the old text until the new one is complete. The source stays; adding a document of that source again replaces what was edited.',
        params,
        body: documentPatch,
        response: { 200: single(documentWithText), ...errors('version_outdated', 'document_not_found') },
      },
    },
    async (request) => {
      const { caller, params, body } = request
      const row = await editDocument(db, caller.agentId, rowId(params.id), body, clock(), byCaller(request))
      return { data: await presentWhole(row) }
    },
  )

  deleteRoute(
    server,
    '/knowledge/:id',
    'manage',
    { summary: 'Delete a document', params, response: errors('document_not_found') },
    async ({ caller, params }, by) => {
      const row = await readDocument(caller.agentId, params.id)
      await removeDocument(db, caller.agentId, row.id, clock(), by)
    },
  )

  async function presentWhole(row: DocumentRow) {
    const [read, passages] = await Promise.all([
      selectText(db, row.id),
      selectPassageTexts(db, row.agent_id, row.id),
    ])
    return { ...present(row), ...(read ?? NO_TEXT), version: documentVersion(row), passages }
  }

  async function readDocument(agentId: number, id: string): Promise<DocumentRow> {
    return foundOr(await selectDocument(db, agentId, rowId(id)), 'document_not_found')
  }
}

const NO_TEXT = { text: null, format: null, questions: null, edited_at: null }

function present({ id, source, title, url, notes, created_at, updated_at }: DocumentRow) {
  return { id, source, title, url, ...presentNotes(readNotes(notes)), created_at, updated_at }
}
