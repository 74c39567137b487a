import type { FoundPassage } from '../../model/findings.ts'
import type { Citation } from '../../model/model.ts'
import type { FindPassages, Searched } from './find-passages.ts'
import { citationOf, FOUND, fitting, fitWell, scoreOf, withinRoom } from './retrieve-context.ts'

/** The result of a search that a model asked for itself. */
export interface FurtherPassages {
  /** The best passages that the model was not given before. */
  passages: FoundPassage[]
  /** The passages as they are cited, in the same order. */
  citations: Citation[]
  /** The ids of those among the best that it was given before. */
  known: number[]
  /** True if a passage is likely to fit. */
  fits: boolean
  /** The fit of the best passage, from 0 to 1. */
  score: number
}

/** The most passages of one search that are new to the model. */
const MOST_NEW = 6
/** The number of best passages of which the model is told that it has them already. */
const BEST = 5
/** The share of the agent's context that the passages of one search may fill. */
const SHARE = 1 / 8

/**
 * Finds passages that fit the words of a model.
 * @param isGiven tells whether the model was given a passage before
 */
export async function searchFurther(
  findPassages: FindPassages,
  agent: Searched & { settings: { context_tokens: number } },
  queries: readonly string[],
  isGiven: (id: number) => boolean,
): Promise<FurtherPassages> {
  const { passages: all, threshold } = await findPassages(agent, queries, FOUND)
  const found = fitting(all)
  const others = found.filter(({ id }) => !isGiven(id)).slice(0, MOST_NEW)
  const passages = withinRoom(others, agent.settings.context_tokens * SHARE)
  const known = found.slice(0, BEST).flatMap(({ id }) => (isGiven(id) ? [id] : []))
  return {
    passages,
    citations: passages.map(citationOf),
    known,
    fits: fitWell(found, threshold),
    score: scoreOf(found),
  }
}
