import type { Kysely } from 'kysely'
import { invalidField } from '../errors.ts'
import { storableText } from '../lib/storable-text.ts'
import { toObject } from '../lib/untrusted-json.ts'
import { REQUEST_PERSON } from '../model/built-in-tools.ts'
import type { Tables } from '../storage/tables.ts'
import { type Exchange, readExchange } from '../transcripts/doors/read-exchange.ts'
import type { CompletionRow } from '../transcripts/tables.ts'
import { type CaseParts, caseMessage, type Expectation, type ToolResult, toolResult } from './case.ts'

const MOST_BEFORE = 20
const MOST_CALLS = 20
const LONGEST = 20_000
/** The most characters of a case made of a completion. The oldest messages are left out. */
const MOST_CHARACTERS = 150_000

/**
 * Makes the parts of a case of a completion: the prompt and the messages before it, the results of its calls, and the
 * expectations that the answer calls the same tools and cites the same source.
 * @throws ApiError invalid_request when its prompt has no text of a user
 */
export async function caseOfCompletion(
  db: Kysely<Tables>,
  completion: CompletionRow,
): Promise<{ parts: CaseParts; sources: (string | null)[] }> {
  const exchange = await readExchange(db, completion, MOST_BEFORE)
  const messages = asked(exchange)
  if (messages.length === 0)
    throw invalidField(
      'completion_id',
      'its prompt has no text of a user, so that no case can be made of it.',
    )
  return {
    parts: {
      customer: null,
      messages: messages.map(({ role, content }) => caseMessage.parse({ role, content })),
      expectations: expectationsOf(exchange),
      tool_results: exchange.calls.slice(0, MOST_CALLS).flatMap(resultOf),
    },
    sources: messages.map(({ completionId }) => completionId),
  }
}

/** Returns the messages up to the last one of the user, as many as a case may hold. */
function asked({ messages }: Exchange): Exchange['messages'] {
  const upTo = messages.slice(0, messages.findLastIndex(({ role }) => role === 'user') + 1)
  const kept: Exchange['messages'] = []
  let room = MOST_CHARACTERS
  for (const message of upTo.slice(-50).reverse()) {
    const content = storableText(message.content.slice(0, LONGEST))
    room -= content.length
    if (room < 0) break
    kept.unshift({ ...message, content })
  }
  return kept
}

function expectationsOf({ calls, citations }: Exchange): Expectation[] {
  const names = [...new Set(calls.map(({ name }) => name))].slice(0, 10)
  const [cited] = citations
  return [
    ...names.map((value) => ({ kind: 'tool' as const, value })),
    ...(cited && cited.title !== '' ? [{ kind: 'cites' as const, value: cited.title.slice(0, 2000) }] : []),
  ]
}

/** The result of a call as a case holds it. The built-in tool needs none. */
function resultOf({ name, arguments: args, result }: Exchange['calls'][number]): ToolResult[] {
  if (name === REQUEST_PERSON) return []
  const { data } = toolResult.safeParse({
    name,
    arguments: argumentsOf(args),
    result: result.slice(0, 32_000),
  })
  return data ? [data] : []
}

function argumentsOf(text: string): Record<string, unknown> | undefined {
  try {
    const given = toObject(JSON.parse(text))
    return given === null || Object.keys(given).length === 0 ? undefined : given
  } catch {
    return undefined
  }
}
