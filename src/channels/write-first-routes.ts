import { z } from 'zod'
import { byCaller } from '../audit/by-caller.ts'
import type { LockAssignee } from '../desk/assign.ts'
import { readWords, wordsSchema } from '../desk/words.ts'
import { answersOr, boundedText, errors, idParam, single } from '../http/schemas.ts'
import type { Server } from '../http/server.ts'
import { idempotencyHeader, readIdempotency } from '../idempotency/repeats.ts'
import type { Lessons } from '../transcripts/conversations/lessons.ts'
import { presentConversation } from '../transcripts/conversations/present.ts'
import { conversationSchema, pathId, tagsSchema } from '../transcripts/conversations/schemas.ts'
import { readChannel } from './channel.ts'
import type { ChannelDependencies } from './routes.ts'
import { type Templates, templateSchema } from './templates.ts'
import { writeFirst, writtenBefore } from './write-first.ts'

interface Dependencies extends Pick<ChannelDependencies, 'db' | 'box' | 'clock'> {
  lockAssignee: LockAssignee
  lessons: Lessons
  templates: Templates
  /** True if links to this service work from outside. */
  hasPublicUrl: boolean
  /** The key of the hashes by which repeats are recognized. */
  fingerprintKey: string
}

export const firstMessage = z.strictObject({
  channel_id: z.int().positive(),
  to: boundedText(200)
    .min(1)
    .describe("The person's id, number or address on the platform, as the channel's guide says."),
  message: z.strictObject(wordsSchema),
  author: boundedText(200)
    .min(1)
    .optional()
    .describe('Name of the person who writes; a person who is signed in has their own.'),
  external_id: pathId
    .optional()
    .describe(
      'Your id of the conversation if this opens it, unique in the team; otherwise it keeps its own.',
    ),
  tags: tagsSchema.optional(),
  agent_paused: z
    .boolean()
    .default(false)
    .describe('Whether a person goes on in the conversation. Otherwise the agent answers what comes back.'),
})

/** Adds the routes by which people write first, and read the templates with which they can. */
export function writeFirstRoutes(
  server: Server,
  { db, box, clock, lockAssignee, lessons, templates, hasPublicUrl, fingerprintKey }: Dependencies,
): void {
  server.post(
    '/conversations',
    {
      config: { right: 'respond' },
      schema: {
        summary: 'Write to somebody on a channel, who need not have written before',
        description:
          'Answers 201 with a new conversation, or 200 with the one that the person has on the channel. What becomes of the message stands on it, as `delivery`.',
        headers: idempotencyHeader,
        body: firstMessage,
        response: {
          200: single(conversationSchema).describe('The person has a conversation on the channel.'),
          201: single(conversationSchema).describe('A new conversation.'),
          ...errors(
            'channel_not_found',
            'conversation_not_found',
            'external_id_taken',
            'window_closed',
            'template_mismatch',
            'platform_failed',
            'user_blocked',
          ),
        },
      },
    },
    async (request, reply) => {
      const { caller, body } = request
      const idempotency = readIdempotency(request, body, fingerprintKey)
      const channel = await readChannel(db, box, caller.agentId, String(body.channel_id))
      const { to, external_id: externalId, tags = null, agent_paused: agentPaused } = body
      const write = async () => {
        const words = await readWords(caller, body.message, body.author, 'message', (use, place) =>
          templates.saidBy(channel, use, place),
        )
        const message = { ...words, to, externalId, tags, agentPaused, scope: caller.scope, idempotency }
        const tools = { lockAssignee, lessons, hasPublicUrl }
        return writeFirst(db, tools, channel, message, clock(), byCaller(request))
      }
      // A repeat gets its answer even if the platform does not answer now, or the channel has been switched off since.
      const before = idempotency && (await writtenBefore(db, caller.agentId, idempotency, clock()))
      const written = before ?? (await write())
      if (written.isRepeated) reply.header('idempotent-replayed', 'true')
      return reply.code(written.isNew ? 201 : 200).send({ data: presentConversation(written.conversation) })
    },
  )

  server.get(
    '/channels/:id/templates',
    {
      config: { right: 'respond' },
      schema: {
        operationId: 'listTemplates',
        summary:
          "The messages that the channel's platform has approved for people who have not written lately",
        description:
          'Asked from the platform and kept for an hour. Leaves out templates that need more than texts and a file, such as a one-time code.',
        params: idParam('Channel id.'),
        response: {
          ...answersOr(
            'channel_not_found',
            'no_templates',
            'platform_failed',
          )(200, single(z.array(templateSchema))),
        },
      },
    },
    async ({ caller, params }) => ({
      data: await templates.list(await readChannel(db, box, caller.agentId, params.id)),
    }),
  )
}
