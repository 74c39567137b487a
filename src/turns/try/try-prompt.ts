import type { Agent } from '../../agents/agent.ts'
import { inConversation } from '../../agents/in-conversation.ts'
import type { NamedModel } from '../../agents/model-of-agent.ts'
import { detectLanguage } from '../../language/detect-language.ts'
import { timestamp } from '../../lib/clock.ts'
import { uuidv7 } from '../../lib/ids.ts'
import { REQUEST_PERSON } from '../../model/built-in-tools.ts'
import type { Findings, FoundPassage, ReasonForWords } from '../../model/findings.ts'
import {
  type Citation,
  describeModelError,
  type Model,
  ModelError,
  type ModelMessage,
  type ModelPiece,
  type ModelRequest,
  thoughtsOf,
  type Usage,
} from '../../model/model.ts'
import { withRefusal } from '../../model/refusal-part.ts'
import { textOfContent } from '../../model/text-of-content.ts'
import { asSent } from '../../privacy/mask/masked-model.ts'
import { maskingTriedTurn } from '../../privacy/mask/masking-conversation.ts'
import { type ExplainedRule, explainRules } from '../../rules/explain-rules.ts'
import type { RuledTurn } from '../../rules/ruled-turn.ts'
import type { Cta } from '../../transcripts/citations-and-ctas.ts'
import { answerStream } from '../answer/answer-stream.ts'
import type { AnswerDependencies, Answering } from '../answer/answering.ts'
import { guardPrompt } from '../guard-prompt.ts'
import { createContextRooms } from '../history/context-rooms.ts'
import { type History, NO_HISTORY } from '../history/read-history.ts'
import { makeAnswer } from '../make-answer.ts'
import { asksInTurn, userText } from '../prompt-text.ts'
import type { Rewriting } from '../retrieval/rewrite-question.ts'
import type { StartedTurn } from '../turn.ts'
import type { TurnDependencies } from '../turn-dependencies.ts'
import { type TriedCall, triedTools } from './tried-tools.ts'

export interface TryDependencies
  extends Pick<
    TurnDependencies,
    | 'db'
    | 'clock'
    | 'modelFor'
    | 'isSpent'
    | 'retrieve'
    | 'borderOf'
    | 'rewrite'
    | 'searchFurther'
    | 'rulesFor'
    | 'toolsOf'
    | 'modelFailed'
  > {
  /** Finds the passages from which the built-in answerer, which searches by itself, answers the last message. */
  search: (
    agent: Agent,
    messages: readonly ModelMessage[],
  ) => Promise<Pick<Findings, 'passages' | 'onlyWords'>>
}

/** A prompt to try out. */
export interface TriedPrompt {
  messages: ModelMessage[]
  tags: Record<string, unknown>
  pageUrl: string | null
  /** True if tools may be called. */
  callsTools: boolean
  /** The conversation so far, which is not stored either; absent: the prompt opens one. */
  conversation?: { id: string; history: History }
}

export type TriedPassage = Pick<
  FoundPassage,
  'source' | 'title' | 'url' | 'heading' | 'text' | 'score' | 'coverage'
>

interface TriedEvaluation {
  evaluator: { id: number; name: string }
  subject: string
  score: number | null
  passed: boolean | null
  content: string | null
  failed: boolean
}

/** The answer to a prompt that was tried out. */
export interface TriedAnswer {
  response: string | null
  /** The text that models see in place of the prompt, which a guardrail replaced or blocked; null: the prompt itself. */
  shown_as: string | null
  /** True if the agent had an answer; null: its model does not tell. */
  answered: boolean | null
  model: string
  finish_reason: string | null
  usage: Usage | null
  citations: Citation[]
  ctas: Cta[]
  agent_paused: boolean
  /** True if the user would wait for a person: they asked for one, or the model did. */
  person_asked: boolean
  /** The failure of the model, in its server's own words without credentials; null: it answered. */
  error: { reason: string; status: number | null; code: string | null; message: string } | null
  trace: {
    requests: {
      model: string
      messages: ModelMessage[]
      parameters: Record<string, unknown>
      ms: number
      /** The model's thoughts before its answer; empty when its server tells nothing of them. */
      thoughts: string
    }[]
    passages: TriedPassage[]
    /** The queries into which the question was put; null: it was searched for as it stands. */
    rewrite: (Rewriting & { ms: number }) | null
    tools: TriedCall[]
    retrieval_score: number
    /** The reason why the search compared only words, not meanings; null: it compared both, or nothing was searched. */
    only_words: ReasonForWords | null
    rules: ExplainedRule[]
    evaluations: TriedEvaluation[]
    times: { retrieval_ms: number; model_ms: number; total_ms: number }
  }
}

/**
 * Answers a prompt as the agent would, and stores nothing: no conversation, no event, no count of its own. The agent's
 * automations do not run; evaluators are asked.
 * @param onText gets each piece of the answer that guardrails let through; without it the answer is in one piece
 */
export function tryPrompt(
  dependencies: TryDependencies,
  agent: Agent,
  prompt: TriedPrompt,
  signal: AbortSignal,
  onText?: (text: string) => Promise<void>,
): Promise<TriedAnswer> {
  const turn = unstoredTurn(agent, prompt, dependencies.clock())
  return maskingTriedTurn(turn, () => tryTurn(dependencies, agent, turn, prompt.callsTools, signal, onText))
}

async function tryTurn(
  dependencies: TryDependencies,
  agent: Agent,
  turn: StartedTurn,
  callsTools: boolean,
  signal: AbortSignal,
  onText?: (text: string) => Promise<void>,
): Promise<TriedAnswer> {
  const { clock, modelFor, rulesFor } = dependencies
  const started = performance.now()
  const recorded = recording(dependencies, modelFor(turn.agent), agent)
  const ruled = await rulesFor(turn, signal)
  const tried = triedTools(await dependencies.toolsOf(agent), agent, callsTools, signal)
  const toolsFor: Answering['toolsFor'] = async (search) => tried.toolsFor(search)
  const asksForPerson = asksInTurn(turn, recorded.named)
  const stream = onText ? answerStream(clock, recorded.named.name, ruled, unannounced, tell) : null
  const answered = await answerOrError(
    {
      ...dependencies,
      retrieve: recorded.retrieve,
      rewrite: recorded.rewrite,
      searchFurther: recorded.searchFurther,
      // The turn is not stored, so an event about the budget names no turn.
      isSpent: () => dependencies.isSpent({ agent }),
      rooms: createContextRooms(),
    },
    { turn, named: recorded.named, ruled, stream, signal, asksForPerson, toolsFor },
  )
  const total_ms = sinceMs(started)
  return {
    model: recorded.named.name,
    agent_paused: agent.isPaused,
    shown_as: ruled?.shownAs() ?? null,
    ...answered.said,
    person_asked: asksForPerson || tried.calls.some(isPersonAsked),
    trace: {
      requests: recorded.requests,
      passages: recorded.passages,
      rewrite: recorded.rewritten(),
      tools: tried.calls,
      retrieval_score: answered.retrievalScore,
      only_words: recorded.onlyWords(),
      ...rulesTold(ruled),
      times: { ...recorded.times, total_ms },
    },
  }

  async function tell(pieces: ModelPiece[]): Promise<void> {
    const text = pieces.map(({ delta }) => delta.content ?? delta.refusal ?? '').join('')
    if (text !== '') await onText?.(text)
  }
}

function isPersonAsked({ name, status }: TriedCall): boolean {
  return name === REQUEST_PERSON && status === 'ok'
}

/** Raises no event, because the answer is only tried out. */
const unannounced = async () => true

async function answerOrError(dependencies: AnswerDependencies, answering: Answering) {
  try {
    const guarded = await guardPrompt(dependencies, answering)
    const { answer, retrievalScore } =
      guarded.made ?? (await makeAnswer(dependencies, answering, guarded.replacement, {}))
    const text = textOfContent(withRefusal(answer))
    const { model, finish_reason, usage, citations } = answer
    const answered = answer.retrieval?.answered ?? true
    const response = { text, finishReason: finish_reason, answered, retrievalScore }
    const ctas = (await answering.ruled?.judgeResponse(response)) ?? []
    const had = answer.retrieval?.answered ?? null
    return {
      said: { response: text, answered: had, model, finish_reason, usage, citations, ctas, error: null },
      retrievalScore,
    }
  } catch (error) {
    if (!(error instanceof ModelError)) throw error
    const { code = null, said = null } = describeModelError(error) as { code?: string; said?: string }
    const told = { reason: error.reason, status: error.status, code, message: said ?? error.message }
    const nothing = {
      response: null,
      answered: null,
      finish_reason: null,
      usage: null,
      citations: [],
      ctas: [],
    }
    return { said: { ...nothing, error: told }, retrievalScore: 0 }
  }
}

/** Builds a turn like one that is stored, for a conversation that is not. */
function unstoredTurn(
  agent: Agent,
  { messages, tags, pageUrl, conversation }: TriedPrompt,
  nowMs: number,
): StartedTurn {
  const language = detectLanguage(userText(messages)) ?? lastLanguage(conversation?.history.messages ?? [])
  const occasion = { now: nowMs, channel: 'API', language, customer: null }
  return {
    completionId: uuidv7(nowMs),
    number: 0,
    conversationId: conversation?.id ?? uuidv7(nowMs),
    createdAt: timestamp(nowMs),
    agent: inConversation(agent, occasion),
    occasion,
    writer: { user_id: null, proven_id: null },
    history: conversation?.history ?? NO_HISTORY,
    messages,
    messageIds: [],
    paused: false,
    place: {
      channelId: null,
      platform: null,
      channel: 'API',
      isGroup: false,
      tags,
      startedBy: 'api',
      language: null,
      pageUrl,
      userIsNew: null,
    },
  }
}

/** Finds the language of the last message of the user whose language can be told. */
function lastLanguage(messages: readonly ModelMessage[]): string | null {
  for (const message of messages.toReversed()) {
    const language = detectLanguage(userText([message]))
    if (language) return language
  }
  return null
}

/** Wraps the agent's model and knowledge to record what they were asked and how long it took. */
function recording(
  { retrieve, rewrite, searchFurther, search }: TryDependencies,
  named: NamedModel,
  agent: Agent,
) {
  const requests: TriedAnswer['trace']['requests'] = []
  const passages: TriedPassage[] = []
  let rewritten: TriedAnswer['trace']['rewrite'] = null
  const times = { retrieval_ms: 0, model_ms: 0 }
  let onlyWords: ReasonForWords | null = null
  const model: Model = {
    async *stream(request, signal) {
      const { sent, ended } = await begin(request)
      try {
        for await (const pieces of named.model.stream(request, signal)) {
          for (const { delta } of pieces) sent.thoughts += thoughtsOf(delta)
          yield pieces
        }
      } finally {
        ended()
      }
    },
    async complete(request, signal) {
      const { sent, ended } = await begin(request)
      try {
        const answer = await named.model.complete(request, signal)
        sent.thoughts = answer.thoughts ?? ''
        return answer
      } finally {
        ended()
      }
    },
  }
  /** Begins a record. `ended` is to be called when the model has answered. */
  async function begin(request: ModelRequest) {
    const started = performance.now()
    const { model, messages, parameters } = request
    const sent = { model, messages, parameters, ms: 0, thoughts: '' }
    requests.push(sent)
    // The built-in answerer searches by itself.
    if (named.isBuiltIn) note(await search(agent, messages))
    const ended = () => {
      const left = asSent(request)
      Object.assign(sent, left && { messages: left.messages, parameters: left.parameters })
      // What could not be masked has not left.
      if (!left) requests.splice(requests.indexOf(sent), 1)
      sent.ms = sinceMs(started)
      times.model_ms += sent.ms
    }
    return { sent, ended }
  }
  function note(found: Pick<Findings, 'passages' | 'onlyWords'>): void {
    passages.push(...found.passages.map(presentPassage))
    onlyWords = found.onlyWords ?? onlyWords
  }
  return {
    named: { ...named, model },
    requests,
    passages,
    times,
    onlyWords: () => onlyWords,
    rewritten: () => rewritten,
    async retrieve(...asked: Parameters<TryDependencies['retrieve']>) {
      const started = performance.now()
      const context = await retrieve(...asked)
      times.retrieval_ms += sinceMs(started)
      // What is found for the queries of a question takes the place of what is found for its own words.
      passages.length = 0
      if (context) note(context)
      return context
    },
    async rewrite(...asked: Parameters<TryDependencies['rewrite']>) {
      const started = performance.now()
      const made = await rewrite(...asked)
      rewritten = made && { ...made, ms: sinceMs(started) }
      return made
    },
    async searchFurther(...asked: Parameters<TryDependencies['searchFurther']>) {
      const started = performance.now()
      const further = await searchFurther(...asked)
      times.retrieval_ms += sinceMs(started)
      passages.push(...further.passages.map(presentPassage))
      return further
    },
  }
}

function presentPassage({ source, title, url, heading, text, score, coverage }: FoundPassage): TriedPassage {
  return { source, title, url, heading, text, score, coverage }
}

function rulesTold(ruled: RuledTurn | null) {
  if (!ruled) return { rules: [], evaluations: [] }
  const soFar = ruled.soFar()
  const evaluations = soFar.evaluations.map(({ evaluator, evaluation, subject }) => ({
    evaluator: { id: evaluator.id, name: evaluator.name },
    subject,
    score: evaluation.score,
    passed: evaluation.passed,
    content: evaluation.content,
    failed: evaluation.error !== undefined,
  }))
  return { rules: explainRules(soFar), evaluations }
}

function sinceMs(started: number): number {
  return Math.round((performance.now() - started) * 10) / 10
}
