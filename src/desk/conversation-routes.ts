import type { Kysely } from 'kysely'
import { z } from 'zod'
import { byCaller } from '../audit/by-caller.ts'
import { operatorOf } from '../http/operator-of.ts'
import { errors, optionalBody, rowIdField, single, time, timeFilter } from '../http/schemas.ts'
import type { Server } from '../http/server.ts'
import { type Clock, timestamp } from '../lib/clock.ts'
import type { Tables } from '../storage/tables.ts'
import { findConversation } from '../transcripts/conversations/find-conversation.ts'
import type { Lessons } from '../transcripts/conversations/lessons.ts'
import { outcomeFields, presentOutcome } from '../transcripts/conversations/outcome.ts'
import { outcomes } from '../transcripts/conversations/outcomes.ts'
import { presentConversation } from '../transcripts/conversations/present.ts'
import { priorities } from '../transcripts/conversations/priority.ts'
import { conversationId, conversationSchema, tagsSchema } from '../transcripts/conversations/schemas.ts'
import { askForPerson, waitingReasons } from '../transcripts/conversations/wait-for-person.ts'
import { assignConversation, type LockAssignee, type NamesOfAssigned } from './assign.ts'
import { changeTags } from './change-tags.ts'
import { markRead } from './mark-read.ts'
import { setOutcome } from './set-outcome.ts'
import { prioritizeConversation } from './set-priority.ts'
import { snoozeConversation } from './snooze/snooze-conversation.ts'

interface Dependencies {
  db: Kysely<Tables>
  clock: Clock
  lockAssignee: LockAssignee
  namesOf: NamesOfAssigned
  lessons: Lessons
}

const tags = ['inbox']

const waitingSchema = z
  .object({
    conversation_id: z.string(),
    waiting_since: time.nullable(),
    waiting_reason: z.enum(waitingReasons).nullable(),
  })
  .meta({ id: 'Waiting' })

const named = z.object({ id: z.int(), name: z.string() })

const refusals = errors('conversation_not_found')

export const assigneeBody = z
  .strictObject({
    operator_id: rowIdField.nullable().optional().describe('An active operator of the team; null: nobody.'),
    group_id: rowIdField.nullable().optional().describe('A group of the team; null: none.'),
  })
  .refine(({ operator_id, group_id }) => operator_id !== undefined || group_id !== undefined, {
    message: 'needs operator_id or group_id',
    path: ['operator_id'],
  })

export const priorityBody = z.strictObject({ priority: z.enum(priorities) })

export const outcomeBody = z.strictObject({ outcome: z.enum(outcomes) })

export const snoozeBody = z.strictObject({
  until: timeFilter.nullable().describe('A time to come; null: it comes back now.'),
})

export const readBody = z.strictObject({
  message_id: z
    .int()
    .min(0)
    .max(Number.MAX_SAFE_INTEGER)
    .describe('The last message that was read; 0: none. What follows it is unread.'),
})

export const tagsBody = z.strictObject({
  tags: tagsSchema.describe('Merged into those that it has; null takes one away.'),
})

/** Adds the routes for what people do with a conversation, other than answering. */
export function conversationActRoutes(
  server: Server,
  { db, clock, lockAssignee, namesOf, lessons }: Dependencies,
): void {
  server.post(
    '/conversations/:id/wait',
    {
      config: { right: 'respond' },
      schema: {
        operationId: 'markConversationWaiting',
        summary: 'Ask for a person in a conversation: it waits until one answers, hands it back or ends it',
        tags,
        params: conversationId,
        body: optionalBody(
          z.strictObject({
            reason: z
              .enum(waitingReasons)
              .default('asked')
              .describe('Kept only when the conversation does not wait already.'),
          }),
        ),
        response: { 200: single(waitingSchema), ...refusals, ...errors('user_blocked') },
      },
    },
    async (request) => {
      const { caller, params, body } = request
      const found = await findConversation(db, caller, params.id)
      const conversation = await askForPerson(
        db,
        lessons,
        found.id,
        body.reason,
        timestamp(clock()),
        byCaller(request),
      )
      const { waiting_since, waiting_reason } = conversation
      return { data: { conversation_id: conversation.id, waiting_since, waiting_reason } }
    },
  )

  server.put(
    '/conversations/:id/assignee',
    {
      config: { right: 'respond' },
      schema: {
        summary: 'Give a conversation to somebody of the team or to a group, or to nobody',
        tags,
        params: conversationId,
        body: assigneeBody,
        response: {
          200: single(
            z
              .object({ conversation_id: z.string(), assignee: named.nullable(), group: named.nullable() })
              .meta({ id: 'Assignment' }),
          ),
          ...refusals,
        },
      },
    },
    async (request) => {
      const { caller, params, body } = request
      const { id } = await findConversation(db, caller, params.id)
      const [now, by] = [timestamp(clock()), byCaller(request)]
      const given = await assignConversation(db, lockAssignee, id, body, now, by)
      const names = await namesOf(db, [given])
      return { data: { conversation_id: id, ...names(given) } }
    },
  )

  server.put(
    '/conversations/:id/priority',
    {
      config: { right: 'respond' },
      schema: {
        summary: 'Say how urgent a conversation is',
        tags,
        params: conversationId,
        body: priorityBody,
        response: {
          200: single(
            z
              .object({ conversation_id: z.string(), priority: z.enum(priorities) })
              .meta({ id: 'Prioritized' }),
          ),
          ...refusals,
        },
      },
    },
    async (request) => {
      const { caller, params, body } = request
      const { id } = await findConversation(db, caller, params.id)
      await prioritizeConversation(db, id, body.priority, timestamp(clock()), byCaller(request))
      return { data: { conversation_id: id, priority: body.priority } }
    },
  )

  server.put(
    '/conversations/:id/outcome',
    {
      config: { right: 'respond' },
      schema: {
        summary: 'End a conversation and say how, or change how one ended',
        tags,
        params: conversationId,
        body: outcomeBody,
        response: {
          200: single(
            z
              .object({ conversation_id: z.string(), ended_at: time.nullable(), ...outcomeFields })
              .meta({ id: 'Ended' }),
          ),
          ...refusals,
        },
      },
    },
    async (request) => {
      const { caller, params, body } = request
      const { id } = await findConversation(db, caller, params.id)
      const [now, by] = [timestamp(clock()), byCaller(request)]
      const ended = await setOutcome(db, lessons, id, body.outcome, now, by)
      return { data: { conversation_id: id, ended_at: ended.ended_at, ...presentOutcome(ended) } }
    },
  )

  server.put(
    '/conversations/:id/snooze',
    {
      config: { right: 'respond' },
      schema: {
        summary: 'Put a conversation aside until a time, or bring it back',
        description: 'It also comes back with the next message of its user, and is unread then.',
        tags,
        params: conversationId,
        body: snoozeBody,
        response: {
          200: single(
            z.object({ conversation_id: z.string(), snoozed_until: time.nullable() }).meta({ id: 'Snooze' }),
          ),
          ...refusals,
          ...errors('conversation_ended'),
        },
      },
    },
    async (request) => {
      const { caller, params, body } = request
      const { id } = await findConversation(db, caller, params.id)
      await snoozeConversation(db, id, body.until, timestamp(clock()), byCaller(request))
      return { data: { conversation_id: id, snoozed_until: body.until } }
    },
  )

  server.put(
    '/conversations/:id/read',
    {
      config: { right: 'respond' },
      schema: {
        summary: 'Note how far the person who is signed in has read a conversation',
        tags,
        params: conversationId,
        body: readBody,
        response: {
          200: single(
            z.object({ conversation_id: z.string(), message_id: z.int() }).meta({ id: 'ReadMark' }),
          ),
          ...refusals,
          ...errors('operator_needed'),
        },
      },
    },
    async ({ caller, params, body }) => {
      const operatorId = operatorOf(caller)
      const conversation = await findConversation(db, caller, params.id)
      await markRead(db, conversation, operatorId, body.message_id)
      return { data: { conversation_id: conversation.id, message_id: body.message_id } }
    },
  )

  server.patch(
    '/conversations/:id',
    {
      config: { right: 'respond' },
      schema: {
        summary: 'Set tags of a conversation, or take them away',
        tags,
        params: conversationId,
        body: tagsBody,
        response: { 200: single(conversationSchema), ...refusals },
      },
    },
    async (request) => {
      const { caller, params, body } = request
      const { id } = await findConversation(db, caller, params.id)
      const changed = await changeTags(db, id, body.tags, timestamp(clock()), byCaller(request))
      return { data: presentConversation(changed) }
    },
  )
}
