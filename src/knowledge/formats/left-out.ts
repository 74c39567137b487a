import { because, type ReasonCode } from '../reasons.ts'

/** Kinds of content of a file that do not become text. */
type LeftOut = Extract<ReasonCode, `left_out_${string}`>

/** Notes that something was left out of a file. */
export type Leave = (what: LeftOut, count?: number) => void

/** Counts what is left out of a file. */
export function countLeftOut(): { leave: Leave; notes: () => string[] } {
  const counts = new Map<LeftOut, number>()
  return {
    leave: (what, count = 1) => {
      if (count > 0) counts.set(what, (counts.get(what) ?? 0) + count)
    },
    notes: () => Array.from(counts, ([what, count]) => because(what, { count })),
  }
}
