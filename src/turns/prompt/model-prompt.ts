import { bordered, isBorderedResult } from '../../model/bordered.ts'
import type { ContextParts } from '../../model/fit-context.ts'
import type { ModelMessage } from '../../model/model.ts'
import { newMessages } from '../request.ts'
import type { StartedTurn } from '../turn.ts'
import { withoutHandOffs } from '../without-hand-offs.ts'
import { BACK_AGAIN, MARKS, NO_MORE, OF_RESULTS, OF_SUMMARY, PERSON_COMES } from './wording.ts'

/** The additions to the stored turn that a model is told. */
interface BesideTurn {
  /** The text of passages that answer the question; null: none. */
  passages: string | null
  /** The text that the model reads in place of the user's own, which a guardrail replaced; null: the user's own. */
  replacement: string | null
  /** True if the model is asked in rounds, each of which says what holds for tools. */
  inRounds: boolean
}

/** Puts together what a model is sent of a turn, in parts of which the least important can be left out. */
export function modelPrompt(
  { agent, history, messages }: Pick<StartedTurn, 'agent' | 'history' | 'messages'>,
  { passages, replacement, inRounds }: BesideTurn,
): ContextParts {
  const sent = replacement === null ? messages : replaced(messages, replacement)
  const prompt = newMessages(sent)
  const hasResults = history.messages.some(isBorderedResult)
  const ofPeople = [history.hasMarks ? MARKS : '', history.interrupted ? BACK_AGAIN : '']
  const instructions = [
    agent.settings.instructions,
    ofPeople.filter((text) => text !== '').join(' '),
    hasResults && !inRounds ? OF_RESULTS : '',
  ]
  return {
    instructions: instructions.filter((text) => text !== '').map(system),
    passages,
    summary: history.summary === null ? null : system(`${OF_SUMMARY}\n${bordered('notes', history.summary)}`),
    // A client may send the whole conversation. All of it but the prompt belongs to the history.
    history: [...withoutHandOffs(history.messages), ...sent.slice(0, sent.length - prompt.length)],
    prompt,
  }
}

/** Tells what a model may do in a round of tool calls. */
export type RoundState = 'may call' | 'may call no more' | 'asked for a person'

const OF_ROUND: Record<RoundState, string> = {
  'may call': OF_RESULTS,
  'may call no more': NO_MORE,
  'asked for a person': PERSON_COMES,
}

/** Adds to a prompt what a model is sent in a round of tool calls. @param rounds what was called in earlier rounds */
export function promptOfRound(
  parts: ContextParts,
  state: RoundState,
  rounds: readonly ModelMessage[],
): ContextParts {
  return {
    ...parts,
    instructions: [...parts.instructions, system(OF_ROUND[state])],
    prompt: [...parts.prompt, ...rounds],
  }
}

/** Puts one text in the place of all that the user wrote. */
function replaced(messages: readonly ModelMessage[], content: string): ModelMessage[] {
  return [...messages.filter(({ role }) => role !== 'user'), { role: 'user', content }]
}

function system(content: string): ModelMessage {
  return { role: 'system', content }
}
