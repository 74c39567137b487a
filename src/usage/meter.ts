import { setTimeout as wait } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import type { CallKind } from '../model/call-kinds.ts'
import type { Tables } from '../storage/tables.ts'
import { takenAlong, type WrittenAlong } from '../storage/written-along.ts'
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
  /**
   * Counts a call. It is written in the next transaction of the work that made it, which stores what came of it; that
   * of other calls is written at once, with others that came meanwhile. Nobody waits for it.
   */
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

/** Counts of what calls used, a row for each agent, day, model and kind. */
class Counts {
  readonly #rows = new Map<string, ModelUsageRow>()

  get isEmpty(): boolean {
    return this.#rows.size === 0
  }

  get rows(): ModelUsageRow[] {
    return [...this.#rows.values()]
  }

  add(row: ModelUsageRow): void {
    const key = `${row.agent_id} ${row.day} ${row.kind} ${row.model}`
    const present = this.#rows.get(key)
    if (!present) {
      this.#rows.set(key, { ...row })
      return
    }
    present.calls += row.calls
    present.estimated += row.estimated
    present.prompt_tokens += row.prompt_tokens
    present.completion_tokens += row.completion_tokens
  }

  /** In one order, so that no two transactions wait for each other in a deadlock. */
  store(db: Kysely<Tables>): Promise<void> {
    const sorted = [...this.#rows].sort(([a], [b]) => (a < b ? -1 : 1))
    return addUsage(
      db,
      sorted.map(([, row]) => row),
    )
  }
}

/**
 * @param today the day in UTC, as YYYY-MM-DD
 * @param failed called when the counts could not be stored; they are kept and stored later
 */
export function createUsageMeter(
  db: Kysely<Tables>,
  today: () => string,
  failed: (error: unknown) => void,
): UsageMeter {
  let waiting = new Counts()
  /** Counts that are not stored yet: those that wait, that work takes along, and that are being written. */
  const unstored = new Set([waiting])
  let storing: Promise<void> | null = null
  let triesLeft = Number.POSITIVE_INFINITY

  function renewed(): Counts {
    const counts = new Counts()
    unstored.add(counts)
    return counts
  }

  async function store(): Promise<void> {
    while (!waiting.isEmpty && triesLeft > 0) {
      const leaving = waiting
      waiting = renewed()
      try {
        await db.transaction().execute((db) => leaving.store(db))
      } catch (error) {
        for (const row of leaving.rows) waiting.add(row)
        triesLeft--
        failed(error)
        await wait(REST_MS)
      } finally {
        unstored.delete(leaving)
      }
    }
    storing = null
  }

  function addHere(row: ModelUsageRow): void {
    waiting.add(row)
    storing ??= store()
  }

  function alongWork(): WrittenAlong & { add(row: ModelUsageRow): void } {
    let own = renewed()
    let hasLeft = false
    const add = (row: ModelUsageRow) => (hasLeft ? addHere(row) : own.add(row))
    return {
      add,
      async write(db) {
        if (own.isEmpty) return null
        const leaving = own
        own = renewed()
        const settle = (isCommitted: boolean) => {
          unstored.delete(leaving)
          if (!isCommitted) leaving.rows.forEach(add)
        }
        await leaving.store(db).catch((error) => {
          settle(false)
          throw error
        })
        return settle
      },
      leave() {
        hasLeft = true
        unstored.delete(own)
        own.rows.forEach(addHere)
      },
    }
  }

  return {
    count({ agentId, kind, model, promptTokens, completionTokens, isEstimated }) {
      const row = {
        agent_id: agentId,
        day: today(),
        model,
        kind,
        calls: 1,
        estimated: isEstimated ? 1 : 0,
        prompt_tokens: promptTokens,
        completion_tokens: completionTokens,
      }
      const along = takenAlong(alongWork)
      if (along) along.add(row)
      else addHere(row)
    },
    unstored: (agentId) =>
      [...unstored].flatMap(({ rows }) => rows).filter(({ agent_id }) => agent_id === agentId),
    async close() {
      triesLeft = LAST_TRIES
      await storing
    },
  }
}
