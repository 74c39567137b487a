import { codedSentences } from '../lib/coded-sentences.ts'

/** The failures of a server beside the language model, such as an embedding server; `server` names it. */
export const serverFailures = codedSentences({
  no_url: 'The address of the {server} is not a URL',
  blocked: 'The address of the {server} is not one that may be called',
  timeout: 'The {server} took too long',
  too_large: 'The answer of the {server} is too large',
  protocol: 'The {server} does not speak HTTP as it should',
  tls: 'No secure connection to the {server} could be made',
  unreachable: 'The {server} could not be reached',
  status_said: 'The {server} answered with status {status}: {said}',
  status: 'The {server} answered with status {status}',
  no_vectors: 'The {server} answered with something other than vectors',
  other_count: 'The {server} gave {given} vectors for {asked} texts',
  mixed_dimensions: 'The {server} gave vectors of {one} numbers, and then of {other}',
  dimension_changed:
    'The {server} now gives vectors of {now} numbers, those that are kept have {before}: every passage is embedded again',
  other_for_questions:
    'The {server} gives vectors of {now} numbers for questions, those of the passages have {before}',
  internal: 'An internal error; the log says more',
})
