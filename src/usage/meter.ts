import { setTimeout as wait } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import { acrossAgents } from '../lib/agent-scope.ts'
import type { Tables } from '../storage/tables.ts'
import { takenAlong, type WrittenAlong } from '../storage/written-along.ts'
import { addUsage } from './store.ts'
import type { ModelUsageRow } from './tables.ts'
import { noteUsed, type UsedTokens } from './used-tokens.ts'

/** Counts what model calls use. */
export interface UsageMeter {
  /**
   * Counts a call. If a piece of work made the call, the work's next transaction writes the count together with its
   * results; any other count is written at once, with those that came meanwhile. The caller never waits.
   */
  count(used: UsedTokens): void
  /** Returns the counts of an agent's calls that are not stored yet. */
  unstored(agentId: number): ModelUsageRow[]
  /** Resolves when all counts are stored, or cannot be. */
  close(): Promise<void>
}

/** The wait before the counts are stored again after a failure. */
const REST_MS = 1000
/** The number of failures allowed after `close` is called. */
const LAST_TRIES = 3

/** Token counts of calls, a row for each agent, day, model and kind. */
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

  /** Stores the rows in one fixed order, so that no two transactions deadlock. */
  store(db: Kysely<Tables>): Promise<void> {
    const sorted = [...this.#rows].sort(([a], [b]) => (a < b ? -1 : 1))
    return addUsage(
      db,
      sorted.map(([, row]) => row),
    )
  }
}

/**
 * Creates a meter that stores its counts in the database.
 * @param today the day in UTC, as YYYY-MM-DD
 * @param failed called when the counts could not be stored; they are kept and stored later
 */
export function createUsageMeter(
  db: Kysely<Tables>,
  today: () => string,
  failed: (error: unknown) => void,
): UsageMeter {
  let waiting = new Counts()
  /** Counts that are not stored yet: waiting, to be written by work, or being written. */
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
    storing ??= acrossAgents('one transaction stores what several agents used', store)
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
    count(used) {
      noteUsed(used)
      const { agentId, kind, model, promptTokens, completionTokens, isEstimated } = used
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
