import { readAgent } from '../agents/agent.ts'
import type { Parts } from '../app/parts.ts'
import { bySystem } from '../audit/record.ts'
import { storeOperatorMessage } from '../desk/answer-as-operator.ts'
import { setAssignment } from '../desk/assign.ts'
import { endAndAskForRating } from '../desk/end-conversation.ts'
import { addNote } from '../desk/notes/add-note.ts'
import { takeFor } from '../desk/pause-conversation.ts'
import { ApiError } from '../errors.ts'
import { timestamp } from '../lib/clock.ts'
import type { Citation } from '../model/model.ts'
import { lockActiveOperator } from '../operators/find-operator.ts'
import { redactCompletions } from '../privacy/redact-completions.ts'
import { wordsOf } from '../profiles/profile.ts'
import { runJobNow } from '../rules/run-job-now.ts'
import { claimJobOf } from '../rules/store.ts'
import type { AutomationJobRow } from '../rules/tables.ts'
import type { RedactionMode } from '../texts/text-rows.ts'
import type { Cta } from '../transcripts/citations-and-ctas.ts'
import { findCompletion } from '../transcripts/completions/find-completion.ts'
import {
  flagCompletion,
  giveFeedback,
  likeCompletion,
  recordClick,
} from '../transcripts/completions/react.ts'
import { findConversation } from '../transcripts/conversations/find-conversation.ts'
import { byUser } from '../transcripts/conversations/happenings.ts'
import { rateConversation } from '../transcripts/conversations/rate.ts'
import { lockConversation } from '../transcripts/conversations/store.ts'
import { runTurn } from '../turns/run-turn.ts'
import type { StartedTurn } from '../turns/turn.ts'
import { type TurnStore, transcriptOnly } from '../turns/turn-store.ts'
import { writeProfile } from '../users/known-users.ts'
import { type Writer, writerOfApi, writerOfChannel, writerOfWidget } from '../users/writer.ts'
import { addressOf, type FurnishedShop } from './furnish-shop.ts'
import type { People } from './people-and-groups.ts'
import type { PlannedConversation, Step } from './plan-month.ts'
import type { Random } from './random.ts'
import { type Script, scriptedModel } from './scripted-model.ts'
import { SITE } from './shop.ts'
import type { Question } from './texts/texts.ts'

/** The clock of the demo. It shows the time of the current step. */
export interface StoryTime {
  nowMs: number
}

/** The dependencies of a play. */
interface Stage {
  /** Constructed with a clock that reads `time`. */
  parts: Parts
  owner: { agentId: number; teamId: number }
  time: StoryTime
  random: Random
  shop: Pick<FurnishedShop, 'channels' | 'widgetId'>
  people: Pick<People, 'colleagueOf' | 'groupOf'>
}

/** The data of a conversation that has begun. */
interface Begun {
  conversationId: string
  /** The last prompt. Below: those before it, and the citations and offers that its answer showed. */
  completionId: string
  earlier: readonly string[]
  citations: Citation[]
  ctas: Cta[]
}

type StepThat<Does extends Step['does']> = Extract<Step, { does: Does }>

/**
 * Carries out the steps of a month, in order, as if each happened at its time. Prompts are turns like any others, with
 * the agent's rules; only the model is a script.
 * @param onStep called with the number of steps done
 * @returns the number of conversations
 */
export async function playMonth(
  stage: Stage,
  steps: readonly Step[],
  onStep: (done: number) => void,
): Promise<number> {
  const { time } = stage
  const begun = new Map<PlannedConversation, Begun>()
  const introduced = new Set<string>()
  for (const [index, step] of steps.entries()) {
    // The last answer may have taken longer than the time until the next step.
    time.nowMs = Math.max(time.nowMs, step.atMs)
    const { conversation } = step
    const present = begun.get(conversation)
    if (step.does === 'asks') {
      const asked = await ask(stage, step, present ?? null)
      begun.set(conversation, asked)
      await giveToGroup(stage, conversation, asked.conversationId)
      const { key } = writerIn(stage, conversation)
      if (!introduced.has(key)) await introduce(stage, conversation, key)
      introduced.add(key)
    } else if (present) await act(stage, step, present)
    else throw new Error('a conversation of the demo does not begin with a prompt')
    onStep(index + 1)
  }
  // Planned conversations can share an id: on the site a customer's next prompt continues a conversation that is open.
  return new Set([...begun.values()].map(({ conversationId }) => conversationId)).size
}

/** Carries out what happens to a prompt and its answer, or to its conversation. */
async function act(stage: Stage, step: Exclude<Step, { does: 'asks' }>, begun: Begun): Promise<void> {
  const { db } = stage.parts.database
  const { lessons } = stage.parts.turns
  const now = timestamp(stage.time.nowMs)
  const completion = () => findCompletion(db, stage.owner, begun.completionId)
  switch (step.does) {
    case 'likes':
    case 'dislikes':
      await likeCompletion(db, lessons, await completion(), { liked: step.does === 'likes' }, now)
      break
    case 'flags':
      await flagCompletion(db, await completion(), { flagged: true, reason: step.reason }, now)
      break
    case 'gives feedback':
      await giveFeedback(db, await completion(), { feedback: step.text, score: step.score }, now)
      break
    case 'clicks on a source': {
      const [citation] = begun.citations
      if (citation?.url)
        await recordClick(db, await completion(), { kind: 'attribution', target: citation.url }, now)
      break
    }
    case 'clicks on an offer': {
      const [cta] = begun.ctas
      if (cta) await recordClick(db, await completion(), { kind: 'cta', target: String(cta.id) }, now)
      break
    }
    case 'is scrubbed':
    case 'is anonymized':
      for (const id of [...begun.earlier, begun.completionId])
        await redact(stage, id, step.does === 'is scrubbed' ? 'scrub' : 'anonymize')
      break
    default:
      await change(stage, step, begun)
  }
}

/** Gives a conversation that waits to the group that looks after its topic. */
async function giveToGroup(stage: Stage, { story }: PlannedConversation, id: string): Promise<void> {
  await stage.parts.database.db.transaction().execute(async (db) => {
    const present = await lockConversation(db, id)
    if (present.waiting_since === null || present.group_id !== null) return
    const group = stage.people.groupOf(story.topic)
    await setAssignment(db, present, { group }, timestamp(stage.time.nowMs), bySystem)
  })
}

/** Carries out acts on the conversation as a whole. The audit does not record them: nobody of the team did them. */
async function change(
  stage: Stage,
  step: StepThat<'answers as a person' | 'adds a note' | 'rates' | 'ends'>,
  { conversationId: conversation_id, completionId: completion_id }: Begun,
): Promise<void> {
  const { owner, people, parts } = stage
  const actor = people.colleagueOf(step.conversation.texts)
  const now = timestamp(stage.time.nowMs)
  await parts.database.db.transaction().execute(async (db) => {
    const conversation = await findConversation(db, owner, conversation_id)
    switch (step.does) {
      case 'answers as a person': {
        const answer = { content: step.text, author: actor.name }
        await takeFor(db, await lockConversation(db, conversation_id), actor, now, { actor })
        await storeOperatorMessage(db, conversation, answer, now, { actor })
        break
      }
      case 'adds a note': {
        const place = { agent_id: owner.agentId, conversation_id, completion_id }
        await addNote(db, { ...place, text: step.text, created_at: now, author: actor.name }, actor)
        break
      }
      case 'rates':
        await rateConversation(db, conversation, step, now, byUser)
        break
      case 'ends': {
        const by = { customer: { actor: byUser }, colleague: { actor }, silence: bySystem }[step.by]
        await endAndAskForRating(db, conversation_id, now, by, { outcome: step.outcome })
      }
    }
  })
}

async function redact(stage: Stage, completionId: string, mode: RedactionMode): Promise<void> {
  const { redaction, database } = stage.parts
  const { agentId } = stage.owner
  const agent = await readAgent(database.db, agentId)
  const redactor = redaction.redactorFor(mode, agent)
  const request = {
    teamId: agent.teamId,
    agentId,
    scope: { completionId },
    redactor,
    now: timestamp(stage.time.nowMs),
  }
  while ((await redactCompletions(redaction, request)).remaining > 0);
}

async function ask(stage: Stage, step: StepThat<'asks'>, present: Begun | null): Promise<Begun> {
  const { parts, owner, time, random, shop } = stage
  const { conversation, question, text } = step
  const { customer, through, story, page } = conversation
  const isOnSite = through === 'site'
  const script = scriptOf(random, conversation, question, text)
  const model = scriptedModel(
    () => script,
    (ms) => void (time.nowMs += ms),
  )
  let started: StartedTurn | undefined
  let job: AutomationJobRow | undefined
  const store: TurnStore = {
    ...transcriptOnly,
    // The person's answer follows. Announcing the pause again below each message would only be in the way.
    announcesPause: async () => false,
    // Claims the job in the transaction that ends the turn, so that no worker of a running service takes it.
    async end(db, { completionId }, write) {
      const end = await write()
      job = await claimJobOf(db, completionId, { holder: parts.database.presence.id, nowMs: Date.now() })
      return end
    },
  }
  const prompt = {
    conversationId: present?.conversationId ?? null,
    externalId: null,
    widgetId: isOnSite ? shop.widgetId : null,
    language: isOnSite ? conversation.texts.language : null,
    channelId: through === 'site' || through === 'api' ? null : shop.channels[through],
    tags: { topic: story.topic },
    user: writerIn(stage, conversation),
    deviceId: isOnSite ? `device-${customer.id}` : null,
    sessionId: isOnSite ? `session-${conversation.slots.order}` : null,
    pageUrl: isOnSite ? `${SITE}${page}` : null,
    messages: [{ role: 'user' as const, content: text }],
    parameters: {},
  }
  const turns = { ...parts.turns, modelFor: () => model }
  const signal = new AbortController().signal
  const observer = { onStarted: (turn: StartedTurn) => void (started = turn), signal }
  const ended = await runTurn(turns, owner, prompt, observer, { store }).catch((error: unknown) => {
    if (error instanceof ApiError && error.code === 'model_failed') return null
    throw error
  })
  const { db } = parts.database
  if (job)
    await runJobNow({ ...parts, db, isSpent: parts.turns.isSpent, lockAssignee: lockActiveOperator }, job)
  if (!started) throw new Error('a prompt of the demo was not stored')
  const { conversationId, completionId } = started
  const shown = ended && 'ctas' in ended ? ended : { citations: [], ctas: [] }
  const earlier = present ? [...present.earlier, present.completionId] : []
  return { conversationId, completionId, earlier, citations: shown.citations, ctas: shown.ctas }
}

function scriptOf(
  random: Random,
  { texts }: PlannedConversation,
  { reply, from, isSmallTalk }: Question,
  text: string,
): Script {
  const source = texts.documents.find(({ key }) => key === from)
  const citation = source && {
    title: source.title,
    url: addressOf(texts, source),
    snippet: passageOf(source.content),
  }
  const isKnown = source !== undefined || isSmallTalk === true
  return {
    reply: reply ?? null,
    citations: citation ? [citation] : [],
    isKnown,
    score: Math.round(source ? random.between(58, 96) : random.between(5, 30)) / 100,
    tokens: {
      prompt: 220 + Math.ceil((text.length + (source?.content.length ?? 0)) / 4),
      completion: Math.ceil((reply?.length ?? 0) / 4),
    },
    ms: reply === undefined ? 30_000 : random.between(700, 3200),
  }
}

/** Returns the customer as the writer that the shop, its site or the platform vouches for. */
function writerIn({ shop }: Stage, { customer: { id }, through }: PlannedConversation): Writer {
  if (through === 'api') return writerOfApi(id)
  if (through === 'site') return writerOfWidget(id, null)
  return writerOfChannel(shop.channels[through], id, { proof: 'platform', provenId: id })
}

/** Stores a new customer's name, as a shop that knows its customers would. */
async function introduce(
  { parts, owner }: Stage,
  { customer: { id, name }, texts: { language } }: PlannedConversation,
  key: Writer['key'],
): Promise<void> {
  const attributes = { language, customer_number: id.replace('customer-', '') }
  const stored = { name, attributes: JSON.stringify(attributes), adopted: null }
  const { db } = parts.database
  await db
    .transaction()
    .execute((db) => writeProfile(db, owner.agentId, key, stored, wordsOf(name, attributes)))
}

/** Returns the first paragraph that is no heading, for the snippet of a citation. */
function passageOf(content: string): string {
  const paragraph = content.split('\n\n').find((part) => !part.startsWith('#')) ?? content
  return paragraph.replaceAll('\n', ' ')
}
