import { codedSentences } from '../lib/coded-sentences.ts'
import type { Expectation } from './case.ts'

/** The reasons why a case fails. */
const sentences = codedSentences({
  not_contained: 'The answer does not contain this text.',
  contained: 'The answer contains this text.',
  cites_nothing: 'The answer cites nothing.',
  cites_others: 'The answer cites: {titles}',
  nothing_given: 'The model was given no page.',
  others_given: 'The model was given: {titles}',
  no_person_asked: 'No person was asked for.',
  person_asked: 'A person was asked for.',
  too_many_turns: 'The customer was not done after {turns} messages.',
  no_tool_called: 'The model called no tool.',
  other_tools_called: 'The model called {names}.',
  answered: 'The agent had an answer.',
  not_answered: 'The agent had no answer.',
  evaluator_missing: 'The agent has no evaluator {id}.',
  evaluator_not_called: 'Evaluator “{name}” is a webhook, which test runs do not call.',
  evaluator_failed: 'Evaluator “{name}” failed: {reason}.',
  evaluator_not_found: 'Evaluator “{name}”: not found ({score}).',
  no_result: 'The model called {name}, for which the case has no result.',
  model_failed: 'The model failed: {message}',
  too_slow: 'The answer took longer than {seconds} seconds.',
  customer_failed: 'The model that plays the customer failed: {message}',
  customer_silent: 'The model that plays the customer wrote nothing.',
  no_customer:
    'No model can play the customer: the agent has none, and PARLEY_CUSTOMER_MODEL_URL names none.',
  nothing_asked: 'The case asks nothing, because its texts were redacted.',
  redacted: 'The texts of the case were redacted while it ran.',
})

export const failureCodes = sentences.codes

type FailureCode = (typeof failureCodes)[number]

/** A reason why a case failed. */
export interface Failure {
  /** The expectation that was not met; null: the case failed for another reason. */
  expectation: Expectation | null
  /** Absent in results of older versions, as are the values. */
  code?: FailureCode
  /** The values that the sentence names, by their place in it. */
  values?: Record<string, string>
  /** The sentence in English. */
  reason: string
}

const LONGEST = 1000

/** Says why a case failed. @param values those that the sentence of the code names */
export function failure(code: FailureCode, values: Record<string, string> = {}): Failure {
  const bounded = Object.fromEntries(Object.entries(values).map(([name, value]) => [name, cut(value)]))
  return { expectation: null, code, values: bounded, reason: cut(sentences.say(code, bounded)) }
}

function cut(text: string): string {
  return text.slice(0, LONGEST).toWellFormed()
}
