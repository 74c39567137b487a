import { bordered } from '../../model/bordered.ts'
import type { ContextParts } from '../../model/fit-context.ts'
import type { ModelMessage } from '../../model/model.ts'
import { phrases } from '../../model/phrases/phrases.ts'
import { withoutHandOffs } from '../history/without-hand-offs.ts'
import { newMessages } from '../prompt.ts'
import type { StartedTurn } from '../turn.ts'
import { wordNow, wordPlace } from './word-occasion.ts'
import { BACK_AGAIN, BORDERS, MARKS, MASKED, NO_MORE, NOTES, PERSON_COMES, wordOffer } from './wording.ts'

/** The additions to the stored turn that a model is told. */
interface BesideTurn {
  /** The texts of passages about the question. */
  passages: string[]
  /** The text that the model reads in place of the user's own, which a guardrail replaced; null: the user's own. */
  replacement: string | null
}

/**
 * Puts together the parts of a turn that a model is sent, so that the least important can be left out. Parts that stay
 * the same in a conversation come first, because servers can cache a beginning that they have read before.
 */
export function modelPrompt(
  turn: Pick<StartedTurn, 'agent' | 'occasion' | 'history' | 'messages'>,
  { passages, replacement }: BesideTurn,
): ContextParts {
  const { agent, occasion, history } = turn
  const { instructions, answer_rules, mask, texts, time_zone } = agent.settings
  const { offer } = phrases(occasion.language ?? 'en', texts)
  const told = [
    instructions,
    answer_rules,
    BORDERS,
    mask ? MASKED : '',
    offer ? wordOffer(offer) : '',
    ...wordPlace(occasion),
    history.hasMarks ? MARKS : '',
    history.interrupted ? BACK_AGAIN : '',
  ]
  return {
    ...talkOf(turn, replacement),
    instructions: [system(told.filter((text) => text.trim() !== '').join('\n\n'))],
    ahead: [wordNow(occasion, time_zone)],
    passages,
    summary: history.summary === null ? null : system(`${NOTES}\n${bordered('notes', history.summary)}`),
  }
}

/** Puts together the prompt of the built-in answerer, which reads the user's messages and follows no instruction. */
export function answererPrompt(
  turn: Pick<StartedTurn, 'agent' | 'history' | 'messages'>,
  replacement: string | null,
): ContextParts {
  const { instructions } = turn.agent.settings
  return {
    ...talkOf(turn, replacement),
    instructions: instructions === '' ? [] : [system(instructions)],
    ahead: [],
    passages: [],
    summary: null,
  }
}

/** Returns what was said, before the prompt and in it. */
function talkOf(
  { history, messages }: Pick<StartedTurn, 'history' | 'messages'>,
  replacement: string | null,
): Pick<ContextParts, 'history' | 'prompt'> {
  const sent = replacement === null ? messages : replaced(messages, replacement)
  const prompt = newMessages(sent)
  // A client may send the whole conversation. All of it but the prompt belongs to the history.
  const before = sent.slice(0, sent.length - prompt.length)
  return { history: [...withoutHandOffs(history.messages), ...before], prompt }
}

/** The calls that a model may still make in a round of tool calls. */
export type RoundState = 'may call' | 'may call no more' | 'asked for a person'

const OF_ROUND: Record<RoundState, readonly string[]> = {
  'may call': [],
  'may call no more': [NO_MORE],
  'asked for a person': [PERSON_COMES],
}

/** Adds the messages of a round of tool calls to a prompt. @param rounds what was called in earlier rounds */
export function promptOfRound(
  parts: ContextParts,
  state: RoundState,
  rounds: readonly ModelMessage[],
): ContextParts {
  return {
    ...parts,
    instructions: [...parts.instructions, ...OF_ROUND[state].map(system)],
    prompt: [...parts.prompt, ...rounds],
  }
}

/** Replaces all that the user wrote by one text. */
function replaced(messages: readonly ModelMessage[], content: string): ModelMessage[] {
  return [...messages.filter(({ role }) => role !== 'user'), { role: 'user', content }]
}

function system(content: string): ModelMessage {
  return { role: 'system', content }
}
