import { setTimeout as wait } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import type { CallKind } from '../model/call-kinds.ts'
import type { Tables } from '../storage/tables.ts'
import { addUsage } from './store.ts'
import type { ModelUsageRow } from './tables.ts'

/** What one call of a model used. */
export interface UsedTokens {
  agentId: number
  kind: CallKind
  model: string
  promptTokens: number
  completionTokens: number
  /** Whether the server did not tell, so that the tokens were estimated. */
  isEstimated: boolean
}

/** Counts what model calls use. */
export interface UsageMeter {
  /** Counts a call. It is written at once, with others that came meanwhile; nobody waits for it. */
  count(used: UsedTokens): void
  /** What an agent's calls used that is not stored yet. */
  unstored(agentId: number): ModelUsageRow[]
  /** Resolves when everything is stored, or cannot be. */
  close(): Promise<void>
}

/** How long after a failure it is tried again. */
const REST_MS = 1000
/** How often at a stop. */
const LAST_TRIES = 3

type Counts = Map<string, ModelUsageRow>

/**
 * @param today the day in UTC, as YYYY-MM-DD
 * @param failed called when the counts could not be stored; they are kept and stored later
 */
export function createUsageMeter(
  db: Kysely<Tables>,
  today: () => string,
  failed: (error: unknown) => void,
): UsageMeter {
  let waiting: Counts = new Map()
  /** What is being stored. */
  let leaving: Counts = new Map()
  let storing: Promise<void> | null = null
  let triesLeft = Number.POSITIVE_INFINITY

  async function store(): Promise<void> {
    while (waiting.size > 0 && triesLeft > 0) {
      leaving = waiting
      waiting = new Map()
      // In one order, so that no two processes wait for each other in a deadlock.
      const rows = [...leaving].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row)
      try {
        await db.transaction().execute((db) => addUsage(db, rows))
        leaving = new Map()
      } catch (error) {
        for (const row of leaving.values()) add(waiting, row)
        leaving = new Map()
        triesLeft--
        failed(error)
        await wait(REST_MS)
      }
    }
    storing = null
  }

  return {
    count({ agentId, kind, model, promptTokens, completionTokens, isEstimated }) {
      add(waiting, {
        agent_id: agentId,
        day: today(),
        model,
        kind,
        calls: 1,
        estimated: isEstimated ? 1 : 0,
        prompt_tokens: promptTokens,
        completion_tokens: completionTokens,
      })
      storing ??= store()
    },
    unstored: (agentId) =>
      [...waiting.values(), ...leaving.values()].filter(({ agent_id }) => agent_id === agentId),
    async close() {
      triesLeft = LAST_TRIES
      await storing
    },
  }
}

function add(counts: Counts, row: ModelUsageRow): void {
  const key = `${row.agent_id} ${row.day} ${row.kind} ${row.model}`
  const present = counts.get(key)
  if (!present) {
    counts.set(key, { ...row })
    return
  }
  present.calls += row.calls
  present.estimated += row.estimated
  present.prompt_tokens += row.prompt_tokens
  present.completion_tokens += row.completion_tokens
}
