import type { Expectation } from './case.ts'

type Values = Record<string, string>

/** The words of each code of a failure, with the values that belong to it. */
const SENTENCES = {
  not_contained: () => 'The answer does not contain this text.',
  contained: () => 'The answer contains this text.',
  cites_nothing: () => 'The answer cites nothing.',
  cites_others: ({ titles }) => `The answer cites: ${titles}`,
  no_tool_called: () => 'The model called no tool.',
  other_tools_called: ({ names }) => `The model called ${names}.`,
  answered: () => 'The agent had an answer.',
  not_answered: () => 'The agent had no answer.',
  evaluator_missing: ({ id }) => `The agent has no evaluator ${id}.`,
  evaluator_not_called: ({ name }) => `Evaluator “${name}” is a webhook, which test runs do not call.`,
  evaluator_failed: ({ name, reason }) => `Evaluator “${name}” failed: ${reason}.`,
  evaluator_not_found: ({ name, score }) => `Evaluator “${name}”: not found (${score}).`,
  no_result: ({ name }) => `The model called ${name}, for which the case has no result.`,
  model_failed: ({ message }) => `The model failed: ${message}`,
  too_slow: ({ seconds }) => `The answer took longer than ${seconds} seconds.`,
  redacted: () => 'The texts of the case were redacted while it ran.',
} satisfies Record<string, (values: Values) => string>

export type FailureCode = keyof typeof SENTENCES

export const failureCodes = Object.keys(SENTENCES) as [FailureCode, ...FailureCode[]]

/** A reason why a case failed. */
export interface Failure {
  /** The expectation that was not met; null: the case failed for another reason. */
  expectation: Expectation | null
  /** Absent in results of older versions, as are the values. */
  code?: FailureCode
  /** The values that the sentence names, by their place in it. */
  values?: Values
  /** The sentence in English. */
  reason: string
}

const LONGEST = 1000

/** Says why a case failed. @param values those that the sentence of the code names */
export function failure(code: FailureCode, values: Values = {}): Failure {
  const bounded = Object.fromEntries(Object.entries(values).map(([name, value]) => [name, cut(value)]))
  const wording: (values: Values) => string = SENTENCES[code]
  return { expectation: null, code, values: bounded, reason: cut(wording(bounded)) }
}

function cut(text: string): string {
  return text.slice(0, LONGEST).toWellFormed()
}
