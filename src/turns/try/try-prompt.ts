import type { Agent } from '../../agents/agent.ts'
import { REQUEST_PERSON } from '../../model/built-in-tools.ts'
import { describeModelError, ModelError, type ModelPiece } from '../../model/model.ts'
import { withRefusal } from '../../model/refusal-part.ts'
import { textOfContent } from '../../model/text-of-content.ts'
import { maskingTriedTurn } from '../../privacy/mask/masking-conversation.ts'
import { answerStream } from '../answer/answer-stream.ts'
import type { AnswerDependencies, Answering } from '../answer/answering.ts'
import { guardPrompt } from '../guard-prompt.ts'
import { createContextRooms } from '../history/context-rooms.ts'
import { makeAnswer } from '../make-answer.ts'
import { asksInTurn } from '../prompt-text.ts'
import type { StartedTurn } from '../turn.ts'
import { recording } from './recording.ts'
import { sinceMs } from './since-ms.ts'
import { rulesTold, type TriedAnswer } from './tried-answer.ts'
import { type TriedCall, triedTools } from './tried-tools.ts'
import type { TryDependencies } from './try-dependencies.ts'
import { type TriedPrompt, unstoredTurn } from './unstored-turn.ts'

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
  const rules = await rulesFor(turn, signal)
  const tried = triedTools(await dependencies.toolsOf(agent), agent, callsTools, signal)
  const toolsFor: Answering['toolsFor'] = async (search) => tried.toolsFor(search)
  const asksForPerson = asksInTurn(turn, recorded.named)
  const stream = onText ? answerStream(clock, recorded.named.name, rules, unannounced, emit) : null
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
    { turn, named: recorded.named, rules, stream, signal, asksForPerson, toolsFor },
  )
  const total_ms = sinceMs(started)
  return {
    model: recorded.named.name,
    agent_paused: agent.isPaused,
    shown_as: rules?.shownAs() ?? null,
    ...answered.said,
    person_asked: asksForPerson || tried.calls.some(isPersonAsked),
    trace: {
      requests: recorded.requests,
      passages: recorded.passages,
      rewrite: recorded.rewritten(),
      tools: tried.calls,
      retrieval_score: answered.retrievalScore,
      only_words: recorded.onlyWords(),
      ...rulesTold(rules),
      times: { ...recorded.times, total_ms },
    },
  }

  async function emit(pieces: ModelPiece[]): Promise<void> {
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
    const ctas = (await answering.rules?.judgeResponse(response)) ?? []
    const had = answer.retrieval?.answered ?? null
    return {
      said: { response: text, answered: had, model, finish_reason, usage, citations, ctas, error: null },
      retrievalScore,
    }
  } catch (error) {
    if (!(error instanceof ModelError)) throw error
    const { code = null, said = null } = describeModelError(error) as { code?: string; said?: string }
    const failure = { reason: error.reason, status: error.status, code, message: said ?? error.message }
    const nothing = {
      response: null,
      answered: null,
      finish_reason: null,
      usage: null,
      citations: [],
      ctas: [],
    }
    return { said: { ...nothing, error: failure }, retrievalScore: 0 }
  }
}
