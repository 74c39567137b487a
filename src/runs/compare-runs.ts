import { completeRepeats, deviationOf, meanOf, type Outcome, rateOf, rounded } from './pass-rate.ts'
import type { Comparison } from './schemas.ts'

type Compared = Pick<Comparison, 'better' | 'worse' | 'difference' | 'beyond_spread'>

/** Compares two runs by the cases that are in both. */
export function compareRuns(here: readonly Outcome[], there: readonly Outcome[]): Compared {
  const cases = Map.groupBy(here, ({ case_id }) => case_id)
  const casesThere = Map.groupBy(there, ({ case_id }) => case_id)
  const changes = [...cases].flatMap(([id, outcomes]) => {
    const others = casesThere.get(id)
    return others ? [{ id, change: shareOf(outcomes) - shareOf(others) }] : []
  })
  const shared = new Set(changes.map(({ id }) => id))
  const rates = [here, there].map((run) => {
    const inBoth = run.filter(({ case_id }) => shared.has(case_id))
    return completeRepeats(inBoth).map(rateOf)
  })
  return {
    better: changes.filter(({ change }) => change > 0).map(({ id }) => id),
    worse: changes.filter(({ change }) => change < 0).map(({ id }) => id),
    ...compareRates(rates[0] ?? [], rates[1] ?? []),
  }
}

/** Returns the share of ended repeats of a case that passed; NaN if none has ended. */
function shareOf(outcomes: readonly Outcome[]): number {
  const ended = outcomes.filter(({ state }) => state !== 'waiting')
  return ended.filter(({ state }) => state === 'passed').length / ended.length
}

function compareRates(
  here: readonly number[],
  there: readonly number[],
): Pick<Comparison, 'difference' | 'beyond_spread'> {
  if (here.length === 0 || there.length === 0) return { difference: null, beyond_spread: null }
  const difference = rounded(meanOf(here) - meanOf(there))
  const error = Math.hypot(...[here, there].map((rates) => deviationOf(rates) / Math.sqrt(rates.length)))
  const isRepeated = here.length > 1 && there.length > 1
  return { difference, beyond_spread: isRepeated ? Math.abs(difference) > 2 * error : null }
}
