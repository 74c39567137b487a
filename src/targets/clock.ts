import { MINUTE_MS, timestamp } from '../lib/clock.ts'
import { type Hours, openAfter, openBetween } from '../lib/hours/hours.ts'
import type { ClockRow, TargetKind, TargetRow } from './tables.ts'

/** The part of the promised time after which people are warned. */
const WARNED_AFTER = 0.8

/** The time that a clock has counted, and when it is due. */
export type Count = Pick<ClockRow, 'spent_ms' | 'since' | 'ends_at'>

/** The measure of a clock: the minutes of a target, and the hours in which they pass; null: all. */
interface Counted {
  minutes: number
  hours: Hours | null
}

/** The states of a clock: `running` and `stopped` are open and in time. */
type ClockState = 'running' | 'stopped' | 'met' | 'missed'

/** The columns of a clock that are shown. */
export type ShownClock = Pick<ClockRow, 'kind' | 'ends_at' | 'missed_at' | 'ended_at'>

/** Returns where a clock stands. */
export function stateOf({ missed_at, ended_at, ends_at }: Omit<ShownClock, 'kind'>): ClockState {
  if (missed_at !== null) return 'missed'
  if (ended_at !== null) return 'met'
  return ends_at === null ? 'stopped' : 'running'
}

/**
 * Has a clock run. One that runs already is counted anew, as if the minutes and the hours had always been these.
 * @param at from when it runs, if it is stopped
 */
export function run(count: Pick<Count, 'spent_ms' | 'since'>, counted: Counted, at: string): Count {
  const since = count.since ?? at
  const from = Date.parse(since)
  const left = Math.max(0, counted.minutes * MINUTE_MS - count.spent_ms)
  const ends = counted.hours ? openAfter(counted.hours, from, left) : from + left
  // Nobody is ever there: it stands still.
  return { spent_ms: count.spent_ms, since, ends_at: ends === null ? null : timestamp(ends) }
}

/** Returns when a clock that runs is next to be looked at: when people are to be warned, then when it is due. */
export function nextLook(
  clock: Pick<ClockRow, 'spent_ms' | 'since' | 'warned_at'>,
  { minutes, hours }: Counted,
  at: string,
): string | null {
  const part = clock.warned_at === null ? WARNED_AFTER : 1
  return run(clock, { minutes: minutes * part, hours }, at).ends_at
}

/** Stops a clock. */
export function stop(
  { spent_ms, since }: Pick<Count, 'spent_ms' | 'since'>,
  hours: Hours | null,
  at: string,
): Count {
  const [from, to] = [Date.parse(since ?? at), Date.parse(at)]
  const passed = hours ? openBetween(hours, from, to) : Math.max(0, to - from)
  return { spent_ms: spent_ms + passed, since: null, ends_at: null }
}

/** Returns what counts towards a target; null: it promises nothing of the kind. */
export function countedBy(
  target: Pick<TargetRow, TargetKind | 'within_hours'> | undefined,
  kind: TargetKind,
  hours: Hours | null,
): Counted | null {
  const minutes = target?.[kind] ?? null
  return target && minutes !== null ? { minutes, hours: target.within_hours === 1 ? hours : null } : null
}
