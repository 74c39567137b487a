import type { OutboundError } from '../lib/outbound/outbound.ts'
import { ToolError } from './tool.ts'

const WORDS: Record<OutboundError['reason'], string> = {
  blocked: 'the address of the tool is not one that may be called.',
  timeout: 'the tool did not answer in time.',
  protocol: 'the tool does not speak HTTP as it should.',
  too_large: 'the answer of the tool is too large.',
  tls: 'no secure connection to the tool could be made.',
  unreachable: 'the tool could not be reached.',
  aborted: 'the call was stopped.',
}

/** Describes a call over HTTP that got no answer, in words that a model may read. */
export function outboundFailure({ reason, neverSent }: OutboundError): ToolError {
  return new ToolError(WORDS[reason], { mayHaveHappened: !neverSent && reason !== 'tls' })
}
