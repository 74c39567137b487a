import type { Kysely } from 'kysely'
import { byCaller } from '../../audit/by-caller.ts'
import { deleteRoute } from '../../audit/delete-route.ts'
import { acceptAnyBody } from '../../http/empty-body.ts'
import { listOf, listQuery, presentPage } from '../../http/paging.ts'
import { errors, idParam, single } from '../../http/schemas.ts'
import type { Server } from '../../http/server.ts'
import type { Clock } from '../../lib/clock.ts'
import type { Outbound } from '../../lib/outbound/outbound.ts'
import type { Tables } from '../../storage/tables.ts'
import { selectNotes } from '../documents/document-store.ts'
import { selectPagesPage } from './page-store.ts'
import { changeImport, crawlAgain, createImport, readImport, removeImport } from './save-import.ts'
import {
  importPageSchema,
  importPatch,
  importSchema,
  newImport,
  pageOutcome,
  presentImport,
  presentImportPage,
} from './schemas.ts'
import { selectImportsPage } from './store.ts'

interface Dependencies {
  db: Kysely<Tables>
  outbound: Outbound
  clock: Clock
}

const params = idParam('Import id.')
const manage = { right: 'manage' } as const
const read = { right: 'read' } as const
const notFound = errors('import_not_found')

export const pagesQuery = listQuery.extend({ outcome: pageOutcome.optional() })

/** Serves imports, which turn sites into knowledge, page by page and in the background. */
export function importRoutes(server: Server, { db, outbound, clock }: Dependencies): void {
  server.post(
    '/knowledge/imports',
    {
      config: manage,
      schema: {
        summary: 'Import the pages of a site, in the background',
        description:
          'Give either `url`, from which links are followed, or `sitemap`. Pages are those of one host, with or without `www.`; robots.txt is obeyed. The page that a crawl begins with is read for its links also when it matches no pattern.',
        body: newImport,
        response: { 201: single(importSchema), ...errors('too_many_imports') },
      },
    },
    async (request, reply) => {
      const { caller, body } = request
      const row = await createImport({ db, outbound }, caller, body, clock(), byCaller(request))
      return reply.code(201).send({ data: presentImport(row) })
    },
  )

  server.get(
    '/knowledge/imports',
    {
      config: read,
      schema: {
        summary: 'The imports of sites, newest first',
        querystring: listQuery,
        response: { 200: listOf(importSchema) },
      },
    },
    async ({ caller, query }) =>
      presentPage(await selectImportsPage(db, caller.agentId, query), presentImport),
  )

  server.get(
    '/knowledge/imports/:id',
    {
      config: read,
      schema: {
        summary: 'An import with its progress',
        params,
        response: { 200: single(importSchema), ...notFound },
      },
    },
    async ({ caller, params: { id } }) => ({ data: presentImport(await readImport(db, caller.agentId, id)) }),
  )

  server.get(
    '/knowledge/imports/:id/pages',
    {
      config: read,
      schema: {
        summary: 'The pages that an import found, and what became of each',
        params,
        querystring: pagesQuery,
        response: { 200: listOf(importPageSchema), ...notFound },
      },
    },
    async ({ caller, params: { id }, query: { outcome, ...request } }) => {
      const row = await readImport(db, caller.agentId, id)
      const page = await selectPagesPage(db, row.id, outcome, request)
      const ids = page.rows.flatMap(({ document_id }) => document_id ?? [])
      const notes = await selectNotes(db, caller.agentId, ids)
      return presentPage(page, (row) => presentImportPage(row, notes.get(row.document_id ?? -1)))
    },
  )

  server.patch(
    '/knowledge/imports/:id',
    {
      config: manage,
      schema: {
        summary: 'Change what the next crawl of an import does',
        params,
        body: importPatch,
        response: { 200: single(importSchema), ...notFound, ...errors('version_outdated') },
      },
    },
    async (request) => {
      const { caller, params, body } = request
      const row = await changeImport(db, caller.agentId, params.id, body, clock(), byCaller(request))
      return { data: presentImport(row) }
    },
  )

  deleteRoute(
    server,
    '/knowledge/imports/:id',
    'manage',
    {
      summary: 'Delete an import; the documents that it made are removed in the background',
      params,
      response: notFound,
    },
    ({ caller, params }, by) => removeImport(db, caller.agentId, params.id, clock(), by),
  )

  server.register(async (scope: Server) => {
    acceptAnyBody(scope)
    scope.post(
      '/knowledge/imports/:id/crawl',
      {
        config: manage,
        schema: {
          summary: 'Crawl again now; a crawl that is under way goes on',
          params,
          response: { 200: single(importSchema), ...notFound },
        },
      },
      async (request) => {
        const { caller, params } = request
        const row = await crawlAgain(db, caller.agentId, params.id, clock(), byCaller(request))
        return { data: presentImport(row) }
      },
    )
  })
}
