import { OutboundError } from '../../lib/outbound/outbound.ts'
import { isObject } from '../../lib/untrusted-json.ts'
import { outboundFailure } from '../outbound-failure.ts'
import { ToolError } from '../tool.ts'
import { TOO_LARGE } from './guarded-fetch.ts'

const SAID_LIMIT = 500

/** Tells whether a server says that it does not know the session. A request with an unknown session had no effect. */
export function isLostSession(error: unknown): boolean {
  const { status, text } = httpAnswerOf(error)
  return status === 404 || (status === 400 && /session/i.test(text))
}

/** Explains why a call or a list failed, in words for a model and for the operator. */
export function mcpFailure(error: unknown): ToolError {
  if (error instanceof ToolError) return error
  const outbound = outboundErrorIn(error)
  if (outbound) return outboundFailure(outbound)
  const { status, text } = httpAnswerOf(error)
  if (status !== null) return new ToolError(`the server answered with status ${status}. ${text}`.trim())
  const { code, message = '' } = isObject(error) ? error : {}
  if (message === TOO_LARGE || String(message).includes(TOO_LARGE))
    return new ToolError('the answer of the tool is too large.', { mayHaveHappened: true })
  if (code === 'REQUEST_TIMEOUT' || (error instanceof Error && /^(Timeout|Abort)Error$/.test(error.name)))
    return new ToolError('the tool did not answer in time.', { mayHaveHappened: true })
  if (code === 'UNSUPPORTED_RESULT_TYPE')
    return new ToolError('the tool asks for more than its arguments, which is not possible here.')
  if (typeof code === 'number')
    return new ToolError(`the server refused: ${String(message).slice(0, SAID_LIMIT)}`)
  return new ToolError('the server did not answer as the protocol says.', { mayHaveHappened: true })
}

function outboundErrorIn(error: unknown): OutboundError | null {
  for (let one = error, deep = 0; one instanceof Error && deep < 5; one = one.cause, deep++)
    if (one instanceof OutboundError) return one
  return null
}

function httpAnswerOf(error: unknown): { status: number | null; text: string } {
  for (let one = error, deep = 0; one instanceof Error && deep < 5; one = one.cause, deep++) {
    const { data } = one as { data?: unknown }
    if (!isObject(data) || typeof data.status !== 'number') continue
    return { status: data.status, text: typeof data.text === 'string' ? data.text.slice(0, SAID_LIMIT) : '' }
  }
  return { status: null, text: '' }
}
