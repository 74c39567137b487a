import { readPeerJson } from '../lib/outbound/read-peer-json.ts'
import { storableText } from '../lib/storable-text.ts'
import { isObject } from '../lib/untrusted-json.ts'
import { checkArguments } from './check-arguments.ts'
import { meets } from './meets.ts'
import { type CallContext, type Tool, ToolError } from './tool.ts'

/** The outcome of a call. */
export interface ToolOutcome {
  /** `unknown`: the call may have had its effect, but nobody saw. */
  status: 'ok' | 'failed' | 'unknown'
  /** The text that the model reads. */
  result: string
}

/** The most bytes of a result that a model gets. */
export const RESULT_LIMIT = 32_000
const ARGUMENTS_LIMIT = 100_000

/** The outcome that the model reads of a call that is not repeated, although nobody saw its outcome. */
export const OUTCOME_UNKNOWN: ToolOutcome = {
  status: 'unknown',
  result:
    'outcome unknown: the call was sent, but its answer did not arrive. It may or may not have taken effect.',
}

/** The text that the model reads of a call whose outcome nobody saw, and that can be made again. */
export const INTERRUPTED = 'Error: the call was interrupted. It can be made again.'

/**
 * Runs one call of a model: reads and checks the arguments, calls, and cuts the result. A failure is a result too.
 * @throws AbortError when the signal fires
 */
export async function runTool(tool: Tool, args: string, context: CallContext): Promise<ToolOutcome> {
  if (!meets(tool.requires, context.user))
    return { status: 'failed', result: `Error: ${NOT_SURE[tool.requires]}` }
  const read = readArguments(tool, args)
  if ('wrong' in read) return { status: 'failed', result: `Error: ${read.wrong}. The tool was not called.` }
  try {
    return { status: 'ok', result: cutResult(await tool.call(read.args, context)) }
  } catch (error) {
    if (context.signal.aborted) throw error
    if (!(error instanceof ToolError)) return { status: 'failed', result: 'Error: the tool failed.' }
    if (error.mayHaveHappened && !tool.idempotent) {
      return { status: 'unknown', result: cutResult(`outcome unknown: ${error.message}`) }
    }
    return { status: 'failed', result: cutResult(`Error: ${error.message}`) }
  }
}

function readArguments({ parameters }: Tool, text: string) {
  if (text.length > ARGUMENTS_LIMIT) return { wrong: 'The arguments are too long' }
  let args: unknown
  try {
    // Some models send nothing for a tool without arguments.
    args = text.trim() === '' ? {} : readPeerJson(text)
  } catch {
    return { wrong: 'The arguments are not valid JSON' }
  }
  if (!isObject(args)) return { wrong: 'The arguments must be an object' }
  const wrong = checkArguments(parameters, args)
  return wrong === null ? { args } : { wrong }
}

const NOT_SURE = {
  none: '',
  identified: 'It is not known who the user is. The tool was not called.',
  verified: 'It is not verified who the user is. The tool was not called.',
} as const

const CUT = '\n[The result was longer and is cut here.]'

/** Cuts a result to `RESULT_LIMIT` bytes, in a form that the databases can keep. */
function cutResult(text: string): string {
  const whole = storableText(text)
  if (whole.length <= RESULT_LIMIT / 3 || Buffer.byteLength(whole) <= RESULT_LIMIT) return whole
  const room = RESULT_LIMIT - CUT.length
  // The last character may be cut in two, which leaves a replacement character.
  const kept = Buffer.from(whole.slice(0, room))
    .subarray(0, room)
    .toString()
    .replace(/\uFFFD+$/, '')
  return kept + CUT
}
