import type { Kysely } from 'kysely'
import { type Agent, readAgent, toAgent } from '../agents/agent.ts'
import { differsByLanguage, differsByPerson, inConversation } from '../agents/in-conversation.ts'
import type { Occasion } from '../agents/occasion.ts'
import { lockAgent, setPaused } from '../agents/pause-state.ts'
import { record, type TeamBy } from '../audit/record.ts'
import { hasChannels } from '../mailboxes/post.ts'
import type { Tables } from '../storage/tables.ts'
import { wake } from '../storage/waking-db.ts'
import { countOpenConversations } from '../transcripts/conversations/count-open-conversations.ts'
import { pausedEverywhereTopic } from '../transcripts/conversations/pause-state.ts'
import { postHandOvers } from '../transcripts/conversations/post-hand-over.ts'
import { dropUnsentAnswers } from '../transcripts/messages/drop-unsent-answers.ts'
import { countTold, sayEverywhere, untoldReasons } from '../transcripts/messages/say-everywhere.ts'
import { sayPersonally } from '../transcripts/messages/say-personally.ts'
import type { PauseForecast, PauseResult } from './schemas.ts'

/**
 * Pauses the agent everywhere, holds back its answers that wait to be sent, writes its pause message into every open
 * conversation and queues it for their channels.
 * If the agent is paused already, nothing is emitted and every open conversation counts as skipped. `now` is a
 * timestamp.
 */
export async function pauseAgent(
  db: Kysely<Tables>,
  agentId: number,
  now: string,
  by: TeamBy,
): Promise<PauseResult> {
  return changePause(db, agentId, true, now, by)
}

/** Resumes the agent in the way in which `pauseAgent` pauses it, and says its resume message if it has one. */
export async function resumeAgent(
  db: Kysely<Tables>,
  agentId: number,
  now: string,
  by: TeamBy,
): Promise<PauseResult> {
  return changePause(db, agentId, false, now, by)
}

/** Tells what `pauseAgent` would do now, or `resumeAgent` while the agent is paused. `now` is a timestamp. */
export async function foreseePause(db: Kysely<Tables>, agentId: number, now: string): Promise<PauseForecast> {
  const agent = await readAgent(db, agentId)
  const said = transition(agent, !agent.isPaused, now)
  const counts = await countTold(db, agentId, said.textFor, said.differs, now)
  const skips = untoldReasons.flatMap((reason) => {
    const count = counts.get(reason)
    return count === undefined ? [] : { reason, count }
  })
  return {
    is_paused: agent.isPaused,
    next: agent.isPaused ? 'resume' : 'pause',
    message: said.textFor(null) || null,
    would_emit: counts.get('told') ?? 0,
    would_skip: skips.reduce((sum, { count }) => sum + count, 0),
    would_skip_by_reason: skips,
  }
}

/** Returns the text that a pause or a resume says in each language, and whether it differs by language and by person. */
function transition(agent: Agent, pause: boolean, now: string) {
  const message = pause ? 'pause_message' : 'resume_message'
  const wordFor = (occasion: Occasion) => inConversation(agent, occasion).settings[message]
  const nobody = { now: Date.parse(now), channel: '', customer: null }
  return {
    wordFor,
    textFor: (language: string | null) => wordFor({ ...nobody, language }),
    differs: differsByLanguage(agent.settings, message),
    isPersonal: differsByPerson(agent.settings, message),
  }
}

async function changePause(
  db: Kysely<Tables>,
  agentId: number,
  pause: boolean,
  now: string,
  by: TeamBy,
): Promise<PauseResult> {
  return db.transaction().execute(async (db) => {
    // Locks the agent, so that the second of two simultaneous pauses changes nothing.
    const agent = toAgent(await lockAgent(db, agentId))
    const open = await countOpenConversations(db, agentId)
    if (agent.isPaused === pause) return result(agent, 0, open)
    await setPaused(db, agentId, pause, now)
    if (pause) wake(db, pausedEverywhereTopic(agentId))
    const action = pause ? 'agent.paused' : 'agent.resumed'
    await record(db, { ...by, agentId, at: now, action, target: `agent ${agentId}` })
    const { textFor, wordFor, differs, isPersonal } = transition(agent, pause, now)
    const onChannels = await hasChannels(db, agentId)
    if (onChannels && pause) await dropUnsentAnswers(db, { agent_id: agentId }, now)
    if (onChannels) await postHandOvers(db, agentId, pause ? 'hand_over' : 'hand_back', now)
    const emitted = await sayEverywhere(db, agentId, textFor, differs, onChannels, now)
    if (emitted > 0 && isPersonal) await sayPersonally(db, agentId, wordFor, now)
    const changed = { ...agent, isPaused: pause, ...(pause ? { pausedAt: now } : { resumedAt: now }) }
    return result(changed, emitted, Math.max(0, open - emitted))
  })
}

function result(agent: Agent, emitted: number, skipped: number): PauseResult {
  return {
    is_paused: agent.isPaused,
    paused_at: agent.pausedAt,
    resumed_at: agent.resumedAt,
    emitted,
    skipped,
  }
}
