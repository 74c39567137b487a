import { toObjects } from '../../lib/untrusted-json.ts'
import { borderedResult } from '../../model/bordered.ts'
import { REQUEST_PERSON } from '../../model/built-in-tools.ts'
import type { ModelMessage, ToolCall } from '../../model/model.ts'
import { nameOf, offers } from '../../model/only-offered.ts'
import { hideKnown, noteSaid } from '../../privacy/mask/masking.ts'
import { meets } from '../../tools/meets.ts'
import { OUTCOME_UNKNOWN, runTool, type ToolOutcome } from '../../tools/run-tool.ts'
import type { Tool, Toolset, ToolUser } from '../../tools/tool.ts'

/** The most tools that a model is offered, beside those of the request. Many servers of models refuse more. */
const MOST_OFFERED = 128
/** The most rounds of calls in a turn. */
const MOST_ROUNDS = 8
/** The longest time for one call, and for the rounds of a turn together. */
const CALL_LIMIT_MS = 30_000
const TURN_LIMIT_MS = 60_000
/** The most calls of one round that are made. A model that asks for more is told so. */
const MOST_AT_ONCE = 16
/** The number of times that the same call may have the same result. */
const MOST_REPEATS = 3
/** The most rounds in which the model may search the documents. */
const MOST_ROUNDS_OF_SEARCH = 2

/** A call that is about to be made. */
interface BegunCall {
  call: ToolCall
  idempotent: boolean
  /** True for a search of the documents, which is no act: its passages are context like those found first. */
  isSearch: boolean
}

/** Records the calls of a turn, so that each is made only once. */
export interface CallLog {
  /**
   * Records calls before they are made.
   * @returns their ids, each null if the call is not kept; null for all when nothing may be called any more
   */
  begin(round: number, calls: readonly BegunCall[]): Promise<(number | null)[] | null>
  /** Records the outcome of a call. @returns false when somebody else has settled the call */
  end(round: number, id: number | null, call: ToolCall, outcome: ToolOutcome, ms: number): Promise<boolean>
}

/** A call whose outcome was not stored before its process died. */
interface OpenCall {
  id: number
  call: ToolCall
  idempotent: boolean
}

/** The rounds of a turn from before its process died. */
export interface EarlierRounds {
  count: number
  messages: ModelMessage[]
  open: OpenCall[]
}

/** The tools that the model may call in one turn, and the calls that it makes. */
export interface TurnTools {
  /** Returns the request's fields with the agent's own tools, or without any tools once no more calls are made. */
  offer(parameters: Record<string, unknown>): Promise<Record<string, unknown>>
  /** Tells whether no more calls are made, so that the model is asked for a text. */
  isSpent(): boolean
  /** Tells whether tools were called in this turn, other than the one that asks for a person. */
  hasCalled(): boolean
  /** Tells whether a person was asked for in this turn. */
  hasAskedForPerson(): boolean
  /** Tells whether the call is of a tool that the request brought along. False for a tool that nobody has. */
  isForeign(call: ToolCall, parameters: Record<string, unknown>): boolean
  /** Makes the calls of one round in parallel. @returns the messages of the round; null: nothing may be called */
  run(calls: readonly ToolCall[]): Promise<ModelMessage[] | null>
  /**
   * Returns the rounds from before the turn was taken up. Open calls are made again if they are idempotent; otherwise
   * their outcome is unknown.
   */
  earlier(): Promise<ModelMessage[]>
}

interface TurnToolsOptions {
  toolset: Toolset | null
  /** The tool that asks for a person; null: the agent has no such tool. */
  requestPerson: Tool | null
  /** The tool that searches the documents; null: it is not offered. A tool of the same name goes before it. */
  search: Tool | null
  log: CallLog
  earlier: EarlierRounds | null
  user: ToolUser | null
  signal: AbortSignal
}

export function turnTools(options: TurnToolsOptions): TurnTools {
  const { search, log, earlier, user, signal } = options
  let tools = new Map<string, Tool>()
  let rounds = earlier?.count ?? 0
  let startedAt: number | null = null
  let isRepeating = false
  let askedForPerson = false
  let roundsOfSearch = 0
  let hasNothingLeft = false
  let hasCalled = earlier !== null && earlier.count > 0
  const seen = new Map<string, number>()

  const remainingMs = () =>
    startedAt === null ? TURN_LIMIT_MS : startedAt + TURN_LIMIT_MS - performance.now()
  const isSpent = () =>
    rounds >= MOST_ROUNDS || isRepeating || askedForPerson || hasNothingLeft || remainingMs() <= 0
  const maySearch = () => roundsOfSearch < MOST_ROUNDS_OF_SEARCH
  const isSearch = (tool: Tool | undefined) => tool !== undefined && tool === search

  async function call(
    tool: Tool | undefined,
    { function: called }: ToolCall,
    position: number,
  ): Promise<ToolOutcome> {
    const timeoutMs = Math.min(CALL_LIMIT_MS, remainingMs())
    if (position >= MOST_AT_ONCE)
      return refused(`at most ${MOST_AT_ONCE} tools are called at once. This one was not.`)
    if (!tool) return refused('there is no such tool.')
    if (isSearch(tool) && roundsOfSearch > MOST_ROUNDS_OF_SEARCH)
      return refused('no more searches are made for this question.')
    if (timeoutMs <= 0) return refused('the tool was not called.')
    const outcome = await runTool(tool, called.arguments, { signal, timeoutMs, user })
    if (tool.name !== REQUEST_PERSON) hasCalled ||= !isSearch(tool)
    else if (outcome.status === 'ok') askedForPerson = true
    return outcome
  }

  function noteRepeat({ function: { name, arguments: args } }: ToolCall, { result }: ToolOutcome): void {
    if (isSearch(tools.get(name))) return
    const key = JSON.stringify([name, args, result])
    const times = (seen.get(key) ?? 0) + 1
    seen.set(key, times)
    if (times >= MOST_REPEATS) isRepeating = true
  }

  async function settle(round: number, id: number | null, made: ToolCall, work: () => Promise<ToolOutcome>) {
    const outcome = await logged(log, round, id, made, work)
    noteRepeat(made, outcome)
    return toolMessage(made, outcome)
  }

  return {
    isSpent,
    hasCalled: () => hasCalled,
    hasAskedForPerson: () => askedForPerson,
    isForeign: ({ function: { name } }, parameters) => !tools.has(name) && offers(parameters, name),

    async offer(parameters) {
      if (isSpent()) return withTools(parameters, null, rounds)
      tools = await readTools(options)
      const foreign = toObjects(parameters.tools).filter((tool) => !tools.has(nameOf(tool) ?? ''))
      const own = [...tools.values()].filter(
        (tool) => meets(tool.requires, user) && (maySearch() || !isSearch(tool)),
      )
      const all = [...own.map(described), ...foreign]
      hasNothingLeft = all.length === 0 && rounds > 0
      return all.length === 0 ? parameters : withTools(parameters, all, rounds)
    },

    async run(given) {
      startedAt ??= performance.now()
      const calls = await Promise.all(
        withIds(given).map((call) =>
          tools.get(call.function.name)?.restore === false ? withPlaceholders(call) : call,
        ),
      )
      const begun = calls.map((call) => {
        const tool = tools.get(call.function.name)
        return { call, tool, idempotent: tool?.idempotent ?? true, isSearch: isSearch(tool) }
      })
      const ids = await log.begin(rounds + 1, begun)
      if (!ids) return null
      rounds++
      if (begun.some(({ isSearch }) => isSearch)) roundsOfSearch++
      const results = await allSettled(
        begun.map(({ call: made, tool }, at) =>
          settle(rounds, ids[at] ?? null, made, () => call(tool, made, at)),
        ),
      )
      noteSaid(results)
      return [{ role: 'assistant', content: null, tool_calls: calls }, ...results]
    },

    async earlier() {
      if (!earlier?.open.length) return earlier?.messages ?? []
      startedAt ??= performance.now()
      tools = await readTools(options)
      const results = await allSettled(
        earlier.open.map(({ id, call: made, idempotent }) => {
          const tool = tools.get(made.function.name)
          const again =
            idempotent && tool?.idempotent ? () => call(tool, made, 0) : async () => OUTCOME_UNKNOWN
          return settle(rounds, id, made, again)
        }),
      )
      return [...earlier.messages, ...results]
    },
  }
}

/** Reads the tools that can be called now, by their names. */
async function readTools({
  toolset,
  requestPerson,
  search,
}: Pick<TurnToolsOptions, 'toolset' | 'requestPerson' | 'search'>): Promise<Map<string, Tool>> {
  const most = MOST_OFFERED - (requestPerson ? 1 : 0) - (search ? 1 : 0)
  const ofAgent = ((await toolset?.list()) ?? []).slice(0, most)
  const listed = [...ofAgent, ...(requestPerson ? [requestPerson] : [])]
  const tools = new Map(listed.map((tool) => [tool.name, tool]))
  if (search && !tools.has(search.name)) tools.set(search.name, search)
  return tools
}

/** Returns a request's fields with other tools; null: with nothing about tools. */
function withTools(
  parameters: Record<string, unknown>,
  all: readonly object[] | null,
  rounds: number,
): Record<string, unknown> {
  const { tools: _, tool_choice, parallel_tool_calls, functions, function_call, ...others } = parameters
  if (!all) return others
  // A choice that forces a call would force it in every round.
  const isForced = tool_choice === 'required' || (typeof tool_choice === 'object' && tool_choice !== null)
  return {
    ...others,
    tools: all,
    ...(tool_choice === undefined ? {} : { tool_choice: isForced && rounds > 0 ? 'auto' : tool_choice }),
    ...(parallel_tool_calls === undefined ? {} : { parallel_tool_calls }),
    ...(functions === undefined ? {} : { functions }),
    ...(function_call === undefined ? {} : { function_call }),
  }
}

/** Makes a call and stores its outcome, even if nobody waits for it any more. */
async function logged(
  log: CallLog,
  round: number,
  id: number | null,
  made: ToolCall,
  work: () => Promise<ToolOutcome>,
): Promise<ToolOutcome> {
  const started = performance.now()
  const end = (outcome: ToolOutcome) => log.end(round, id, made, outcome, performance.now() - started)
  let outcome: ToolOutcome
  try {
    outcome = await work()
  } catch (error) {
    await end(OUTCOME_UNKNOWN)
    throw error
  }
  if (!(await end(outcome))) throw new DOMException('The turn is answered elsewhere', 'AbortError')
  return outcome
}

/** Waits for all even when one fails, because each stores its outcome. */
async function allSettled<T>(work: Promise<T>[]): Promise<T[]> {
  const settled = await Promise.allSettled(work)
  return settled.map((one) => {
    if (one.status === 'rejected') throw one.reason
    return one.value
  })
}

/** Gives each call an id that tells its result apart. Some servers give none, or the same to several. */
function withIds(calls: readonly ToolCall[]): ToolCall[] {
  const used = new Set<string>()
  return calls.map((call, at) => {
    const id =
      call.id === '' || used.has(call.id) ? `call_${at}_${used.size}_${Date.now().toString(36)}` : call.id
    used.add(id)
    return { ...call, id }
  })
}

/** Puts the placeholders that a model was given back into the arguments of its call. */
async function withPlaceholders(call: ToolCall): Promise<ToolCall> {
  return { ...call, function: { ...call.function, arguments: await hideKnown(call.function.arguments) } }
}

/** The outcome of a call that is not made. */
function refused(why: string): ToolOutcome {
  return { status: 'failed', result: `Error: ${why}` }
}

function toolMessage({ id }: ToolCall, { result }: ToolOutcome): ModelMessage {
  return { role: 'tool', tool_call_id: id, content: borderedResult(result) }
}

/** A tool as a request to a model describes it. */
function described({ name, description, parameters }: Tool): object {
  return { type: 'function', function: { name, description, parameters } }
}
