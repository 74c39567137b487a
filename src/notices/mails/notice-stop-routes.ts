import type { FastifyReply } from 'fastify'
import type { Kysely } from 'kysely'
import { z } from 'zod'
import { ApiError } from '../../errors.ts'
import { acceptAnyBody } from '../../http/empty-body.ts'
import { limitAddresses } from '../../http/rate-limits.ts'
import { errors } from '../../http/schemas.ts'
import type { Server } from '../../http/server.ts'
import { sendStopPage } from '../../http/stop-page.ts'
import type { Clock } from '../../lib/clock.ts'
import { rowId } from '../../lib/ids.ts'
import { readOperator } from '../../operators/find-operator.ts'
import type { Tables } from '../../storage/tables.ts'
import { stopMails } from '../settings.ts'
import type { NoticeStopLinks } from './stop-links.ts'

const params = z.object({ operator_id: z.string() })
const querystring = z.object({ signature: z.string() })
const tags = ['console']
const answers = {
  200: z.string().describe('A page.'),
  ...errors('invalid_request', 'address_refused', 'rate_limited', 'unavailable'),
}

const WORDS = {
  language: 'en',
  title: 'Stop mails with notices?',
  text: 'Then notices in Parley are no longer mailed to you. Your account in the console has the settings.',
  button: 'Stop these mails',
}
const STOPPED = 'Notices in Parley are no longer mailed to you.'

interface Dependencies {
  db: Kysely<Tables>
  clock: Clock
  links: NoticeStopLinks
}

/** Adds the address at which people stop mails with notices, without signing in. */
export function noticeStopRoutes(server: Server, { db, clock, links }: Dependencies): void {
  const limited = limitAddresses(server, 'stop mail with notices')

  /** @throws ApiError address_refused */
  function personOf(path: z.output<typeof params>, { signature }: z.output<typeof querystring>): number {
    const operatorId = rowId(path.operator_id)
    if (!links.isValid({ operatorId, signature })) throw new ApiError('address_refused')
    return operatorId
  }

  server.get(
    '/notice-mails/:operator_id',
    {
      preHandler: limited,
      schema: {
        operationId: 'askToStopNoticeMails',
        summary: 'The page on which a person stops mails with notices',
        description: 'The address, with its signature, is in each of these mails. Opening it stops nothing.',
        tags,
        params,
        querystring,
        response: answers,
      },
    },
    async ({ params, query }, reply) => {
      personOf(params, query)
      return send(reply, false)
    },
  )

  server.register(async (scope: Server) => {
    acceptAnyBody(scope)
    scope.post(
      '/notice-mails/:operator_id',
      {
        preHandler: limited,
        schema: {
          operationId: 'stopNoticeMails',
          summary: 'Stop the mails with notices to a person, digests included',
          description: 'Mail programs do so with one click (RFC 8058). The body is not read.',
          tags,
          params,
          querystring,
          response: answers,
        },
      },
      async ({ params, query }, reply) => {
        const operatorId = personOf(params, query)
        if (await readOperator(db, operatorId)) await stopMails(db, operatorId, clock())
        return send(reply, true)
      },
    )
  })
}

function send(reply: FastifyReply, isStopped: boolean): FastifyReply {
  return sendStopPage(reply, { ...WORDS, stopped: isStopped ? STOPPED : null })
}
