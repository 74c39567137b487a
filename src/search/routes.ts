import type { Kysely } from 'kysely'
import { errors } from '../http/schemas.ts'
import type { Server } from '../http/server.ts'
import type { Tables } from '../storage/tables.ts'
import { answerSearch } from './answer-search.ts'
import { searchAnswer, searchQuery } from './schemas.ts'

export function searchRoutes(server: Server, { db }: { db: Kysely<Tables> }): void {
  server.get(
    '/search',
    {
      config: { right: 'read' },
      schema: {
        operationId: 'searchTexts',
        summary: 'Search in messages or notes, the best matches first',
        querystring: searchQuery,
        response: {
          200: searchAnswer,
          ...errors('conversation_not_found'),
        },
      },
    },
    ({ caller, query }) => answerSearch(db, caller, query),
  )
}
