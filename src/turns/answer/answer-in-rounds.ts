import { asksForText } from '../../model/asks-for-text.ts'
import { cutWithinBorder } from '../../model/bordered.ts'
import { estimateMessage } from '../../model/estimate-tokens.ts'
import type { ModelMessage } from '../../model/model.ts'
import { UNANSWERED } from '../../model/never-silent.ts'
import { endWithoutCalls } from '../../model/only-offered.ts'
import { textOfContent } from '../../model/text-of-content.ts'
import type { TurnTools } from '../calls/turn-tools.ts'
import { promptOfRound, type RoundState } from '../prompt/model-prompt.ts'
import type { StartedTurn } from '../turn.ts'
import type { AnswerDependencies, Answering, Asked, Said } from './answering.ts'
import { askModel } from './ask-model.ts'
import { roundsOfAnswer } from './rounds-of-answer.ts'
import { saidWithoutModel } from './said-without-model.ts'

/**
 * Asks the model, makes the calls of the agent's own tools that it wants, and asks again with their results, until it
 * answers. A call of a tool that the request brought along ends the turn: it goes back to the caller.
 */
export async function answerInRounds(
  dependencies: Pick<AnswerDependencies, 'files' | 'rooms' | 'modelFailed'>,
  answering: Answering,
  { prompt, parameters, marked }: Asked,
  tools: TurnTools,
): Promise<Said> {
  const { turn, named, stream } = answering
  const isText = asksForText(parameters)
  const answer = roundsOfAnswer(stream, named.name, isText)
  const made = await tools.earlier()
  let isCut = false
  for (;;) {
    const offered = await tools.offer(parameters)
    const state = stateOf(tools)
    const room = dependencies.rooms.of(turn.conversationId, turn.agent, offered).tokens
    const ofRound = promptOfRound(prompt, state, shortened(made, room / 2))
    const asked = { prompt: ofRound, parameters: offered, marked }
    const { said, isCut: isRoundCut } = await askModel(dependencies, answering, asked, answer.nextRound())
    isCut ||= isRoundCut
    if (answer.isBlocked()) return { said: await answer.end(said), isCut }
    // A model may call a tool even when it was offered none.
    const calls = state === 'may call' ? said.tool_calls : []
    const own = calls.filter((call) => !tools.isForeign(call, parameters))
    const foreign = calls.filter((call) => tools.isForeign(call, parameters))
    const results = own.length > 0 ? await tools.run(own) : null
    if (!results || foreign.length > 0) {
      const finish_reason = foreign.length > 0 ? 'tool_calls' : endWithoutCalls(said.finish_reason)
      const last = { ...said, tool_calls: foreign, finish_reason }
      return { said: await answer.end(last, isText ? inWords(turn, tools) : undefined), isCut }
    }
    made.push(...results)
    answer.add(said)
  }
}

/** Returns the words that stand for an answer that says nothing. */
function inWords(turn: StartedTurn, tools: TurnTools) {
  const asksForPerson = tools.hasAskedForPerson()
  const content = saidWithoutModel(turn, asksForPerson)
  return asksForPerson ? { content } : { content, retrieval: UNANSWERED }
}

function stateOf(tools: TurnTools): RoundState {
  if (!tools.isSpent()) return 'may call'
  return tools.hasAskedForPerson() ? 'asked for a person' : 'may call no more'
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
