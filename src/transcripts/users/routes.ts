import type { Kysely } from 'kysely'
import { readAgent } from '../../agents/agent.ts'
import { byCaller } from '../../audit/by-caller.ts'
import { ApiError } from '../../errors.ts'
import { acceptAnyBody } from '../../http/empty-body.ts'
import { errors, idParam, single } from '../../http/schemas.ts'
import type { Server } from '../../http/server.ts'
import { type Clock, timestamp } from '../../lib/clock.ts'
import type { Engine } from '../../storage/engine.ts'
import type { Tables } from '../../storage/tables.ts'
import { redactionResult } from '../completions/schemas.ts'
import type { ForgetCopies } from '../redaction/forget-copies.ts'
import { redactCompletions } from '../redaction/redact-completions.ts'
import type { RedactorFor } from '../redaction/redactors.ts'
import type { RedactionMode } from '../tables.ts'
import { findUser } from './find-user.ts'
import { USER_NAMED } from './profile-schemas.ts'
import { idOfKey } from './user-key.ts'

interface Dependencies {
  db: Kysely<Tables>
  engine: Engine
  clock: Clock
  redactionBatch: number
  forgetCopies: ForgetCopies
  redactorFor: RedactorFor
}

export function userRoutes(server: Server, dependencies: Dependencies): void {
  const { db, clock, redactorFor } = dependencies

  server.register(async (scope: Server) => {
    acceptAnyBody(scope)
    // The interface lists no 500 for these routes: `asUnavailable` answers 503.
    scope.addHook('onRoute', ({ schema = {} }) => {
      const { response } = schema as { response: { [status: number]: unknown } }
      delete response[500]
    })
    redactionRoute(scope, '/users/:id/scrub', 'scrub', 'Replace all text of an end user with a placeholder')
    redactionRoute(
      scope,
      '/users/:id/anonymize',
      'anonymize',
      'Redact personal data in all text of an end user',
    )
  })

  function redactionRoute(scope: Server, path: string, mode: RedactionMode, summary: string) {
    scope.post(
      path,
      {
        config: { right: 'manage' },
        schema: {
          summary,
          params: idParam(USER_NAMED),
          response: {
            200: single(redactionResult),
            ...errors('user_not_found', 'user_ambiguous'),
          },
        },
      },
      async (request) => {
        const {
          caller: { agentId },
          params: { id },
        } = request
        const userKey = await findUser(db, agentId, id)
        const redactor = redactorFor(mode, await readAgent(db, agentId))
        const outcome = await redactCompletions(dependencies, {
          agentId,
          scope: { userKey },
          redactor,
          now: timestamp(clock()),
          by: byCaller(request),
        }).catch(asUnavailable)
        return { data: { id: idOfKey(userKey), mode, ...outcome } }
      },
    )
  }
}

/** Answers 503 when the hosted service fails: the interface fixes 500 only for completions. */
function asUnavailable(error: unknown): never {
  if (error instanceof ApiError && error.code === 'redaction_service_failed')
    throw new ApiError('unavailable', { message: error.message, cause: error })
  throw error
}
