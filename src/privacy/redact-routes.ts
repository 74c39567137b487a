import type { FastifyRequest } from 'fastify'
import type { Kysely } from 'kysely'
import { z } from 'zod'
import { readAgent } from '../agents/agent.ts'
import { byCaller } from '../audit/by-caller.ts'
import type { FilePlaces } from '../files/places/file-place.ts'
import { acceptAnyBody } from '../http/empty-body.ts'
import { errors, idParam, single } from '../http/schemas.ts'
import type { Server } from '../http/server.ts'
import { type Clock, timestamp } from '../lib/clock.ts'
import { findUser } from '../profiles/find-user.ts'
import type { Erasures } from '../receipts/erasures.ts'
import type { Engine } from '../storage/engine.ts'
import type { Tables } from '../storage/tables.ts'
import type { RedactionMode } from '../texts/text-rows.ts'
import { findCompletion } from '../transcripts/completions/find-completion.ts'
import { COMPLETION_NAMED } from '../transcripts/completions/schemas.ts'
import type { RedactionScope } from '../transcripts/doors/waiting-for-redaction.ts'
import { keysOfPerson } from '../users/person-store.ts'
import { USER_NAMED } from '../users/schemas.ts'
import { idOfKey } from '../users/user-key.ts'
import type { ForgetCopies } from './forget-copies.ts'
import { redactCompletions } from './redact-completions.ts'
import type { RedactorFor } from './redactors.ts'
import { redactionResult } from './schemas.ts'

interface Dependencies {
  db: Kysely<Tables>
  engine: Engine
  clock: Clock
  /** The most message rows that one call rewrites. */
  redactionBatch: number
  places: FilePlaces
  forgetCopies: ForgetCopies
  redactorFor: RedactorFor
  erasures: Erasures
}

/** Registers the routes that scrub and anonymize completions and end users. */
export function redactRoutes(server: Server, dependencies: Dependencies): void {
  const { db, clock, redactorFor } = dependencies

  server.register(async (scope: Server) => {
    acceptAnyBody(scope)
    completionRoute(
      scope,
      '/chat/completions/:id/scrub',
      'scrub',
      'Replace all text of a completion with a placeholder',
    )
    completionRoute(
      scope,
      '/chat/completions/:id/anonymize',
      'anonymize',
      'Redact personal data in a completion',
    )
    userRoute(scope, '/users/:id/scrub', 'scrub', 'Replace all text of an end user with a placeholder')
    userRoute(scope, '/users/:id/anonymize', 'anonymize', 'Redact personal data in all text of an end user')
  })

  function completionRoute(scope: Server, path: string, mode: RedactionMode, summary: string) {
    scope.post(
      path,
      {
        config: { right: 'manage' },
        schema: {
          summary,
          params: idParam(COMPLETION_NAMED),
          querystring: z.looseObject({}),
          response: {
            200: single(redactionResult),
            ...errors('completion_not_found', 'redaction_service_failed'),
          },
        },
      },
      async (request) => {
        const { id } = await findCompletion(db, request.caller, request.params.id)
        return redact(request, mode, { completionId: id }, id)
      },
    )
  }

  function userRoute(scope: Server, path: string, mode: RedactionMode, summary: string) {
    scope.post(
      path,
      {
        config: { right: 'manage' },
        schema: {
          summary,
          params: idParam(USER_NAMED),
          response: {
            200: single(redactionResult),
            ...errors('user_not_found', 'user_ambiguous', 'redaction_service_failed'),
          },
        },
      },
      async (request) => {
        const userKey = await findUser(db, request.caller, request.params.id)
        const person = await keysOfPerson(db, request.caller.agentId, userKey)
        return redact(request, mode, { person }, idOfKey(userKey))
      },
    )
  }

  async function redact(request: FastifyRequest, mode: RedactionMode, scope: RedactionScope, id: string) {
    const { teamId, agentId } = request.caller
    const redactor = redactorFor(mode, await readAgent(db, agentId))
    const outcome = await redactCompletions(dependencies, {
      teamId,
      agentId,
      scope,
      redactor,
      now: timestamp(clock()),
      by: byCaller(request),
    })
    return { data: { id, mode, ...outcome } }
  }
}
