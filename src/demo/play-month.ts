import { readAgent } from '../agents/agent.ts'
import type { Parts } from '../app/parts.ts'
import { bySystem } from '../audit/record.ts'
import { storeOperatorMessage } from '../desk/answer-as-operator.ts'
import { setAssignment } from '../desk/assign.ts'
import { addNote } from '../desk/notes/add-note.ts'
import { endLocked, takeFor } from '../desk/pause-conversation.ts'
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
import { writeProfile } from '../users/profile-store.ts'
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
 * @param parts constructed with a clock that reads `time`
 * @param onStep called with the number of steps done
 * @returns the number of conversations
 */
export async function playMonth(
  parts: Parts,
  owner: { agentId: number; teamId: number },
  steps: readonly Step[],
  {
    time,
    random,
    shop: { channels, widgetId },
    people: { colleagueOf, groupOf },
    onStep,
  }: {
    time: StoryTime
    random: Random
    shop: Pick<FurnishedShop, 'channels' | 'widgetId'>
    people: Pick<People, 'colleagueOf' | 'groupOf'>
    onStep: (done: number) => void
  },
): Promise<number> {
  const { db } = parts.database
  const { lessons } = parts.turns
  const { agentId } = owner
  const begun = new Map<PlannedConversation, Begun>()
  const known = new Set<string>()
  const now = () => timestamp(time.nowMs)
  for (const [index, step] of steps.entries()) {
    // The last answer may have taken longer than the time until the next step.
    time.nowMs = Math.max(time.nowMs, step.atMs)
    await play(step)
    onStep(index + 1)
  }
  // Planned conversations can share an id: on the site a customer's next prompt continues a conversation that is open.
  return new Set([...begun.values()].map(({ conversationId }) => conversationId)).size

  async function play(step: Step): Promise<void> {
    if (step.does === 'asks') {
      const present = begun.get(step.conversation)
      begun.set(step.conversation, await ask(step, present ?? null))
      await giveToGroup(step.conversation)
      if (!present) await introduce(step.conversation)
      return
    }
    const { conversationId, completionId, earlier, citations, ctas } = begunOf(step.conversation)
    switch (step.does) {
      case 'likes':
      case 'dislikes':
        await likeCompletion(db, lessons, await completion(), step.does === 'likes', now())
        break
      case 'flags':
        await flagCompletion(db, await completion(), true, step.reason, now())
        break
      case 'gives feedback':
        await giveFeedback(db, await completion(), step.text, step.score, now())
        break
      case 'clicks on a source': {
        const [citation] = citations
        if (citation?.url) await recordClick(db, await completion(), 'attribution', citation.url, now())
        break
      }
      case 'clicks on an offer': {
        const [cta] = ctas
        if (cta) await recordClick(db, await completion(), 'cta', String(cta.id), now())
        break
      }
      case 'is scrubbed':
      case 'is anonymized':
        for (const id of [...earlier, completionId])
          await redact(id, step.does === 'is scrubbed' ? 'scrub' : 'anonymize')
        break
      default:
        await change(step, conversationId)
    }

    function completion() {
      return findCompletion(db, owner, completionId)
    }
  }

  /** Gives a conversation that waits to the group that looks after its topic. */
  async function giveToGroup(conversation: PlannedConversation): Promise<void> {
    const { conversationId } = begunOf(conversation)
    await db.transaction().execute(async (db) => {
      const present = await lockConversation(db, conversationId)
      if (present.waiting_since === null || present.group_id !== null) return
      await setAssignment(db, present, { group: groupOf(conversation.story.topic) }, now(), bySystem)
    })
  }

  /** Carries out acts on the conversation as a whole. The audit does not record them: nobody of the team did them. */
  async function change(
    step: StepThat<'answers as a person' | 'adds a note' | 'rates' | 'ends'>,
    conversation_id: string,
  ): Promise<void> {
    const actor = colleagueOf(step.conversation.texts)
    await db.transaction().execute(async (db) => {
      const conversation = await findConversation(db, owner, conversation_id)
      switch (step.does) {
        case 'answers as a person':
          await takeFor(db, await lockConversation(db, conversation_id), actor, false, now(), { actor })
          await storeOperatorMessage(db, conversation, { content: step.text, author: actor.name }, now(), {
            actor,
          })
          break
        case 'adds a note': {
          const note = { agent_id: agentId, conversation_id, text: step.text, created_at: now() }
          const { completionId: completion_id } = begunOf(step.conversation)
          await addNote(db, { ...note, completion_id, author: actor.name }, actor)
          break
        }
        case 'rates':
          await rateConversation(db, conversation, step, now(), byUser)
          break
        case 'ends':
          await endLocked(
            db,
            conversation_id,
            now(),
            { customer: { actor: byUser }, colleague: { actor }, silence: bySystem }[step.by],
            undefined,
            step.outcome,
          )
      }
    })
  }

  async function redact(completionId: string, mode: RedactionMode): Promise<void> {
    const agent = await readAgent(db, agentId)
    const redactor = parts.redaction.redactorFor(mode, agent)
    const request = { teamId: agent.teamId, agentId, scope: { completionId }, redactor, now: now() }
    while ((await redactCompletions(parts.redaction, request)).remaining > 0);
  }

  async function ask(step: StepThat<'asks'>, present: Begun | null): Promise<Begun> {
    const { conversation, question, text } = step
    const { customer, through, story, page } = conversation
    const isOnSite = through === 'site'
    const script = scriptOf(conversation, question, text)
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
      widgetId: isOnSite ? widgetId : null,
      language: isOnSite ? conversation.texts.language : null,
      channelId: through === 'site' || through === 'api' ? null : channels[through],
      tags: { topic: story.topic },
      user: writerIn(conversation),
      deviceId: isOnSite ? `device-${customer.id}` : null,
      sessionId: isOnSite ? `session-${conversation.slots.order}` : null,
      pageUrl: isOnSite ? `${SITE}${page}` : null,
      messages: [{ role: 'user' as const, content: text }],
      parameters: {},
    }
    const turns = { ...parts.turns, modelFor: () => model }
    const signal = new AbortController().signal
    const observer = { onStarted: (turn: StartedTurn) => void (started = turn), signal }
    const ended = await runTurn(turns, owner, prompt, null, observer, store).catch((error: unknown) => {
      if (error instanceof ApiError && error.code === 'model_failed') return null
      throw error
    })
    if (job) await runJobNow({ ...parts, db, lockAssignee: lockActiveOperator }, job)
    if (!started) throw new Error('a prompt of the demo was not stored')
    const { conversationId, completionId } = started
    const shown = ended && 'ctas' in ended ? ended : { citations: [], ctas: [] }
    const earlier = present ? [...present.earlier, present.completionId] : []
    return { conversationId, completionId, earlier, citations: shown.citations, ctas: shown.ctas }
  }

  function scriptOf(
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
  function writerIn({ customer: { id }, through }: PlannedConversation): Writer {
    if (through === 'api') return writerOfApi(id)
    if (through === 'site') return writerOfWidget(id, null)
    return writerOfChannel(channels[through], id, { proof: 'platform', provenId: id })
  }

  /** Stores a new customer's name, as a shop that knows its customers would. */
  async function introduce(conversation: PlannedConversation): Promise<void> {
    const { key } = writerIn(conversation)
    const {
      customer: { id, name },
      texts: { language },
    } = conversation
    if (known.has(key)) return
    known.add(key)
    const attributes = { language, customer_number: id.replace('customer-', '') }
    const stored = { name, attributes: JSON.stringify(attributes), adopted: null }
    await db.transaction().execute((db) => writeProfile(db, agentId, key, stored, wordsOf(name, attributes)))
  }

  function begunOf(conversation: PlannedConversation): Begun {
    const found = begun.get(conversation)
    if (!found) throw new Error('a conversation of the demo does not begin with a prompt')
    return found
  }
}

/** Returns the first paragraph that is no heading, for the snippet of a citation. */
function passageOf(content: string): string {
  const paragraph = content.split('\n\n').find((part) => !part.startsWith('#')) ?? content
  return paragraph.replaceAll('\n', ' ')
}
