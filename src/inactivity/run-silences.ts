import type { Kysely } from 'kysely'
import { type Agent, readAgents } from '../agents/agent.ts'
import { inConversation } from '../agents/in-conversation.ts'
import { bySystem } from '../audit/record.ts'
import { endAndAskForRating } from '../desk/end-conversation.ts'
import { raise } from '../events/raise.ts'
import { timestamp } from '../lib/clock.ts'
import { lockMailboxOf } from '../mailboxes/post.ts'
import { isWritable } from '../mailboxes/reply-until.ts'
import { refusesParameters } from '../model/model.ts'
import { textOfContent } from '../model/text-of-content.ts'
import { maskingConversation } from '../privacy/mask/masking-conversation.ts'
import type { Tables } from '../storage/tables.ts'
import { readOccasion } from '../transcripts/conversations/occasion.ts'
import { promptOrigin } from '../transcripts/conversations/prompt-origin.ts'
import { isOfBlocked } from '../transcripts/conversations/reopen-conversation.ts'
import {
  endSilence,
  minutesAfter,
  prolongSilence,
  SILENCES,
  silenceQueue,
} from '../transcripts/conversations/silence-store.ts'
import { lockConversation } from '../transcripts/conversations/store.ts'
import { waitForPerson } from '../transcripts/conversations/wait-for-person.ts'
import { lastSpoken, messagesWithIds } from '../transcripts/messages/find-message.ts'
import { sayAsAgent } from '../transcripts/messages/say-as-agent.ts'
import { selectNewestMessages } from '../transcripts/messages/store.ts'
import type { ConversationRow, SilenceRow } from '../transcripts/tables.ts'
import { summaryRequest, thatFit } from '../turns/history/summarize.ts'
import { type AsksModel, asksModel } from '../usage/asks-model.ts'
import type { Lease } from '../work/lease.ts'
import { runQueue } from '../work/run-queue.ts'
import type { RunningWork } from '../work/run-work.ts'
import { CHECK_FORM, CHECK_TASK, readState, type SilentState } from './wording.ts'

const AT_ONCE = 8
const READ_MESSAGES = 40
const READ_TOKENS = 4000
/** The minutes after which a spent budget is checked again. */
const SPENT_MINUTES = 60

/** Carries out what an agent's `inactivity` says for users who say nothing after an answer. */
export function runSilences(dependencies: AsksModel): RunningWork {
  const { database, clock } = dependencies
  const { db } = database
  return runQueue<SilenceRow>(
    {
      name: 'silences',
      queue: silenceQueue,
      frequentTopics: [SILENCES],
      atOnce: AT_ONCE,
      async work(row, lease) {
        const agent = (await readAgents(db, [row.agent_id])).get(row.agent_id)
        const state =
          agent && isCheckDue(agent, row) ? await checkState(dependencies, agent, row, lease) : null
        await db.transaction().execute(async (db) => {
          await lockMailboxOf(db, { conversation_id: row.conversation_id })
          const conversation = await lockConversation(db, row.conversation_id)
          // Its user may have written, and people may have taken it, while this was under way.
          const isOver = !agent || !(await isStillSilent(db, agent, conversation))
          const next = isOver ? null : await goOn(db, agent, conversation, row, state, timestamp(clock()))
          await silenceQueue.end(db, row)
          if (next) await prolongSilence(db, row.id, next)
          else await endSilence(db, conversation.id)
        })
      },
      ...asksModel(dependencies),
      raise,
      about: ({ agent_id, conversation_id }) => ({ agent_id, conversation_id }),
    },
    dependencies,
  )
}

/** Tells whether a conversation is the agent's, and its answer the last word. */
async function isStillSilent(
  db: Kysely<Tables>,
  { isPaused }: Agent,
  conversation: ConversationRow,
): Promise<boolean> {
  const { id, ended_at, snoozed_until, waiting_since, agent_paused } = conversation
  if (isPaused || agent_paused === 1 || (ended_at ?? snoozed_until ?? waiting_since) !== null) return false
  if (await isOfBlocked(db, conversation)) return false
  const [last] = await messagesWithIds(db, await lastSpoken(db, id, 1))
  return last?.role === 'assistant'
}

/** Takes the next step. Returns when another one follows; null: none does. */
async function goOn(
  db: Kysely<Tables>,
  agent: Agent,
  conversation: ConversationRow,
  row: SilenceRow,
  state: SilentState | 'spent' | null,
  now: string,
): Promise<Parameters<typeof prolongSilence>[2] | null> {
  const { policy, resolve_after } = agent.settings.inactivity
  if (isFollowUpDue(agent, row)) {
    await followUp(db, agent, conversation, now)
    return { due_at: minutesAfter(now, resolve_after), followed_up: 1 }
  }
  if (policy === 'resolve')
    await endAndAskForRating(db, conversation.id, now, bySystem, { outcome: 'assumed' })
  if (policy !== 'check') return null
  if (state === 'spent') return { due_at: minutesAfter(now, SPENT_MINUTES) }
  if (state === 'done') await endAndAskForRating(db, conversation.id, now, bySystem, { outcome: 'resolved' })
  if (state === 'needs_person') await waitForPerson(db, conversation.id, 'unanswered', now)
  return null
}

function isFollowUpDue({ settings }: Agent, { followed_up }: SilenceRow): boolean {
  return followed_up === 0 && settings.inactivity.follow_up_after !== null
}

function isCheckDue(agent: Agent, row: SilenceRow): boolean {
  return agent.settings.inactivity.policy === 'check' && !isFollowUpDue(agent, row)
}

/** Says the agent's `follow_up_message`, unless the platform takes nothing from the agent now. */
async function followUp(
  db: Kysely<Tables>,
  agent: Agent,
  conversation: ConversationRow,
  now: string,
): Promise<void> {
  const { id, agent_id, channel_id, user_id } = conversation
  const origin = promptOrigin(conversation, channel_id, user_id)
  const occasion = await readOccasion(db, agent_id, origin, { user_id, proven_id: null }, Date.parse(now))
  const content = inConversation(agent, occasion).settings.follow_up_message
  if (!content || !(await isWritable(db, id, now))) return
  await sayAsAgent(db, conversation, { role: 'assistant', content }, now)
}

/**
 * Asks the model how a conversation stands.
 * @returns `spent`: the budget allows no call now; null: there is no model to ask, or it gave no clear answer
 * @throws ModelError
 */
async function checkState(
  { database: { db }, isSpent, modelFor }: AsksModel,
  agent: Agent,
  { conversation_id }: SilenceRow,
  { signal }: Lease,
): Promise<SilentState | 'spent' | null> {
  const { model, name, isBuiltIn } = modelFor(agent)
  if (isBuiltIn) return null
  if (await isSpent({ agent, conversationId: conversation_id })) return 'spent'
  const [after, before, limit] = [0, Number.MAX_SAFE_INTEGER, READ_MESSAGES]
  const newest = await selectNewestMessages(db, { conversation_id, after, before, limit })
  const messages = summaryRequest(null, thatFit(newest, READ_TOKENS).toReversed(), READ_TOKENS, CHECK_TASK)
  const ask = (parameters: Record<string, unknown>) =>
    model.complete({ model: name, messages, parameters }, signal)
  return maskingConversation(db, agent, conversation_id, async () => {
    const { content } = await ask(CHECK_FORM).catch((error: unknown) => {
      // Some servers refuse the request for structured output.
      if (refusesParameters(error)) return ask({})
      throw error
    })
    return readState(textOfContent(content))
  })
}
