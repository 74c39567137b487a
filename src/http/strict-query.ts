import type { FastifySchema } from 'fastify'
import { z } from 'zod'
import { invalidField } from '../errors.ts'
import { errors } from './schemas.ts'
import type { Server } from './server.ts'

/**
 * Makes the routes of a scope refuse unknown query parameters, so that a misspelt filter never returns everything. A
 * route whose `querystring` is a loose object ignores them. No parameter may contain a NUL.
 */
export function strictQuery(scope: Server): void {
  const refusals = errors('invalid_request')
  scope.addHook('onRoute', (route) => {
    if (queryOf(route.schema).ignoresOthers) return
    const { response, ...schema } = (route.schema ?? {}) as { response?: object }
    route.schema = { ...schema, response: { ...refusals, ...response } }
  })
  // Runs before the body is checked: when both are wrong, the answer names the parameter.
  scope.addHook('preValidation', (request, _reply, done) => {
    const { names, ignoresOthers } = queryOf(request.routeOptions.schema)
    for (const [name, value] of Object.entries(request.query as Record<string, string | string[]>)) {
      const isKnown = Object.hasOwn(names, name)
      if (!isKnown && !ignoresOthers) {
        return done(invalidField(name.replaceAll('\u0000', '\uFFFD'), 'is not known here'))
      }
      if (isKnown && String(value).includes('\u0000')) {
        return done(invalidField(name, 'must not contain a NUL character'))
      }
    }
    done()
  })
}

const none = z.object({})

function queryOf(schema: FastifySchema | undefined) {
  const { querystring = none } = (schema ?? {}) as { querystring?: z.ZodObject }
  return { names: querystring.shape, ignoresOthers: querystring.def.catchall !== undefined }
}
