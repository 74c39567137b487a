import type { FastifyReply } from 'fastify'
import type { Kysely } from 'kysely'
import { z } from 'zod'
import { ApiError } from '../../errors.ts'
import { acceptAnyBody } from '../../http/empty-body.ts'
import { limitAddresses } from '../../http/rate-limits.ts'
import { errors } from '../../http/schemas.ts'
import type { Server } from '../../http/server.ts'
import { sendStopPage } from '../../http/stop-page.ts'
import { bindScope } from '../../lib/agent-scope.ts'
import { type Clock, timestamp } from '../../lib/clock.ts'
import { selectContinuation, stopContinuation } from '../../mailboxes/continuations.ts'
import type { Tables } from '../../storage/tables.ts'
import type { StopLinks } from './stop-links.ts'
import { wordsIn } from './words.ts'

const params = z.object({ agent_id: z.string(), mailbox_id: z.string() })
const querystring = z.object({ signature: z.string() })
const tags = ['widget protocol']
const answers = {
  200: z.string().describe('A page.'),
  ...errors('invalid_request', 'address_refused', 'rate_limited', 'unavailable'),
}

interface Dependencies {
  db: Kysely<Tables>
  clock: Clock
  links: StopLinks
}

/** Adds the page on which the recipient of unseen answers stops these mails, without credentials. */
export function stopRoutes(server: Server, { db, clock, links }: Dependencies): void {
  const limited = limitAddresses(server, 'stop mail')

  /** @throws ApiError address_refused */
  async function find(path: z.output<typeof params>, { signature }: z.output<typeof querystring>) {
    const [agentId, mailboxId] = [Number(path.agent_id), Number(path.mailbox_id)]
    if (!links.isValid({ agentId, mailboxId, signature })) throw new ApiError('address_refused')
    bindScope(agentId)
    const [continuation] = await selectContinuation(db, { mailbox_id: mailboxId })
    return { mailboxId, continuation }
  }

  server.get(
    '/mail/:agent_id/:mailbox_id',
    {
      preHandler: limited,
      schema: {
        operationId: 'askToStopMail',
        summary: 'The page on which a recipient stops the mails with answers that they have not seen',
        description: 'The address, with its signature, is in each of these mails. Opening it stops nothing.',
        tags,
        params,
        querystring,
        response: answers,
      },
    },
    async ({ params, query }, reply) => {
      const { continuation } = await find(params, query)
      // A visitor may leave an address again that they withdrew.
      const isStopped = continuation?.state === 'stopped' && continuation.stopped_by !== 'withdrawn'
      return send(reply, continuation?.language ?? null, isStopped)
    },
  )

  server.register(async (scope: Server) => {
    acceptAnyBody(scope)
    scope.post(
      '/mail/:agent_id/:mailbox_id',
      {
        preHandler: limited,
        schema: {
          operationId: 'stopMail',
          summary: 'Stop the mails with answers that somebody has not seen',
          description: 'Mail programs do so with one click (RFC 8058). The body is not read.',
          tags,
          params,
          querystring,
          response: answers,
        },
      },
      async ({ params, query }, reply) => {
        const { mailboxId, continuation } = await find(params, query)
        const now = timestamp(clock())
        await db.transaction().execute((db) => stopContinuation(db, mailboxId, 'unsubscribed', now))
        return send(reply, continuation?.language ?? null, true)
      },
    )
  })
}

function send(reply: FastifyReply, asked: string | null, isStopped: boolean): FastifyReply {
  const { language, words } = wordsIn(asked)
  const { stopTitle: title, stopText: text, stopButton: button, stopped } = words
  return sendStopPage(reply, { language, title, text, button, stopped: isStopped ? stopped : null })
}
