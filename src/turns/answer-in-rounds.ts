import { cutWithinBorder } from '../model/bordered.ts'
import { estimateMessage } from '../model/estimate-tokens.ts'
import type { ContextParts } from '../model/fit-context.ts'
import type { ModelAnswer, ModelMessage } from '../model/model.ts'
import { textOfContent } from '../model/text-of-content.ts'
import type { AnswerStream } from './answer-stream.ts'
import { type Asking, askModel } from './ask-model.ts'
import { promptOfRound } from './model-prompt.ts'
import { questionOf } from './prompt-text.ts'
import { roundsOfAnswer } from './rounds-of-answer.ts'
import { saidWithoutModel } from './said-without-model.ts'
import type { StartedTurn } from './turn.ts'
import type { TurnTools } from './turn-tools.ts'

/**
 * Asks the model, makes the calls of the agent's own tools that it wants, and asks again with their results, until it
 * answers. A call of a tool that the request brought along ends the turn: it goes back to the caller.
 */
export async function answerInRounds(
  asking: Asking & { stream: AnswerStream | null },
  turn: StartedTurn,
  parts: ContextParts,
  parameters: Record<string, unknown>,
  tools: TurnTools,
): Promise<ModelAnswer> {
  const answer = roundsOfAnswer(asking.stream, asking.named.name)
  const made = await tools.earlier()
  for (;;) {
    const isSpent = tools.isSpent()
    const offered = await tools.offer(parameters)
    const room = asking.rooms.of(turn.conversationId, turn.agent, offered).tokens
    const state = !isSpent
      ? 'may call'
      : tools.hasAskedForPerson()
        ? 'asked for a person'
        : 'may call no more'
    const said = await askModel(
      { ...asking, stream: answer.nextRound() },
      turn,
      promptOfRound(parts, state, shortened(made, room / 2)),
      offered,
    )
    if (answer.isBlocked()) return answer.end(said)
    // A model may call a tool even when it was offered none.
    const own = isSpent ? [] : said.tool_calls.filter((call) => !tools.isForeign(call, parameters))
    const foreign = isSpent ? [] : said.tool_calls.filter((call) => tools.isForeign(call, parameters))
    const results = own.length > 0 ? await tools.run(own) : null
    if (!results || foreign.length > 0) {
      const calls = { tool_calls: foreign, finish_reason: finishReason(said, foreign.length > 0) }
      const otherwise =
        made.length > 0 ? saidWithoutModel(questionOf(turn.messages), tools.hasAskedForPerson()) : undefined
      return answer.end({ ...said, ...calls }, otherwise)
    }
    made.push(...results)
    answer.add(said)
  }
}

function finishReason({ finish_reason }: ModelAnswer, callsForeign: boolean): string {
  if (callsForeign) return 'tool_calls'
  return finish_reason === 'tool_calls' || finish_reason === 'function_call' ? 'stop' : finish_reason
}

const SHORTEST_RESULT = 400
/** Characters of a result for each token of room: fewer than most texts have, so that the cut is on the safe side. */
const CHARACTERS_PER_TOKEN = 2

/** Returns the rounds; if they have more tokens than `room`, cuts their results to the same length each. */
function shortened(rounds: readonly ModelMessage[], room: number): ModelMessage[] {
  const tokens = rounds.reduce((sum, message) => sum + estimateMessage(message), 0)
  if (tokens <= room) return [...rounds]
  const results = rounds.filter(({ role }) => role === 'tool').length
  const longest = Math.max(SHORTEST_RESULT, Math.floor((room * CHARACTERS_PER_TOKEN) / Math.max(results, 1)))
  return rounds.map((message) => {
    const text = textOfContent(message.content)
    if (message.role !== 'tool' || text.length <= longest) return message
    return { ...message, content: cutWithinBorder(text, longest, '[The result was longer and is cut here.]') }
  })
}
