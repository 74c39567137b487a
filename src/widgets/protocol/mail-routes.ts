import { z } from 'zod'
import { leaveAddress, withdrawAddress } from '../../channels/continued/leave-address.ts'
import { ApiError } from '../../errors.ts'
import { language } from '../../http/by-language.ts'
import { type Limit, limit, limitAddresses } from '../../http/rate-limits.ts'
import { boundedText, errors } from '../../http/schemas.ts'
import type { Server } from '../../http/server.ts'
import { timestamp } from '../../lib/clock.ts'
import { readForVisitor, visitorConversation } from '../../transcripts/conversations/visitor-conversations.ts'
import { seenByVisitor } from '../../transcripts/messages/seen-by-visitor.ts'
import { isAllowedOrigin } from '../origins.ts'
import { minutesOf, originsOf } from '../schemas.ts'
import type { WidgetRow } from '../tables.ts'
import { pageUrl } from './open-session.ts'
import { findOwnConversation } from './own.ts'
import type { ProtocolDependencies } from './protocol-dependencies.ts'
import { answers, params, tags } from './protocol-schemas.ts'

/** Limits of addresses that are left in a minute. */
const ADDRESSES_OF_VISITOR = 5
const ADDRESSES_OF_NETWORK = 10

const mailBody = z.strictObject({
  address: boundedText(200).nullable().describe('Null: none any more.'),
  language: language.nullish().describe('Of the words around the answers in the mails.'),
  page_url: pageUrl.nullish(),
})

const seenBody = z.strictObject({
  message_id: z.int().positive().describe('The last message that the visitor has seen.'),
  conversation_id: z.string().nullish().describe("Absent: the visitor's newest."),
})

/** Adds the routes by which a visitor has unseen answers sent by mail, and reports which messages they have seen. */
export function mailRoutes(
  scope: Server,
  { db, box, clock, publicUrl }: ProtocolDependencies,
  act: { preHandler: Limit },
): void {
  const limits = [
    limit(scope, ADDRESSES_OF_VISITOR, ({ visitor }) => `mail ${visitor.widgetId} ${visitor.userKey}`),
    limitAddresses(scope, 'widget mail', ADDRESSES_OF_NETWORK),
  ]

  scope.post(
    '/mail',
    {
      preHandler: limits,
      schema: {
        operationId: 'leaveVisitorAddress',
        summary: 'Leave an address to which answers go that the visitor does not see',
        description:
          'Answers of the newest conversation go there as one mail, once one of them has waited for the minutes of the widget. At most three mails of a conversation go to addresses that have not answered.',
        tags,
        params,
        body: mailBody,
        response: { ...answers(visitorConversation), ...errors('mail_off', 'address_refused') },
      },
    },
    async ({ visitor, widget: { row }, body }) => {
      const conversation = await findOwnConversation(db, visitor, undefined)
      if (body.address === null) await withdrawAddress(db, conversation.id, clock())
      else if (publicUrl === null) throw new ApiError('mail_off')
      else
        await leaveAddress(
          db,
          box,
          conversation,
          {
            address: body.address,
            userKey: visitor.userKey,
            language: body.language ?? visitor.language,
            pageUrl: pageToReturnTo(row, body.page_url ?? null),
            channelId: row.continue_by,
            afterMs: minutesOf(row) * 60_000,
          },
          clock(),
        )
      return { data: await readForVisitor(db, conversation.id) }
    },
  )

  scope.post(
    '/seen',
    {
      ...act,
      schema: {
        operationId: 'markVisitorSeen',
        summary:
          'Say up to which message the visitor has seen a conversation: what was seen does not go by mail',
        tags,
        params,
        body: seenBody,
        response: answers(z.object({ message_id: z.int() })),
      },
    },
    async ({ visitor, body: { message_id, conversation_id } }) => {
      const conversation = await findOwnConversation(db, visitor, conversation_id ?? undefined)
      await seenByVisitor(db, conversation.id, message_id, timestamp(clock()))
      return { data: { message_id } }
    },
  )
}

/**
 * Returns the address of the page that a mail may lead back to: one of the widget's own sites, without what may be
 * private in its query. Null for any other.
 */
function pageToReturnTo(row: WidgetRow, text: string | null): string | null {
  const url = text === null ? null : URL.parse(text)
  if (!url || !isAllowedOrigin(originsOf(row), url.origin)) return null
  return `${url.origin}${url.pathname}`
}
