import { tellingness } from '../../language/words/common-words.ts'
import { isFiller } from '../../language/words/words.ts'

/** The weight of a word of a question, in whole millionths, so that sums of weights are exact in any order. */
export interface WordWeights {
  /** The weight by which passages are ranked. */
  weight: number
  /** The evidence that a passage is about the question at all; 0 for stop words. */
  evidence: number
}

/**
 * The share of a stop word's weight that counts. Stop words only rank passages about the same subject: `who made you`
 * and `where were you made`.
 */
const FILLER_SHARE = 0.3

/**
 * Weighs a word by how few of the agent's passages contain it, and by how common it is in the language. How common it
 * is matters little for ranking but much more for evidence, since a common word that happens to be in few passages is
 * in many other questions as well.
 * @param total the number of passages
 * @param passages the number of them that contain the word
 */
export function weighWord(word: string, total: number, passages: number): WordWeights {
  const rarity = idf(total, passages)
  if (isFiller(word)) return { weight: inMillionths(rarity * FILLER_SHARE), evidence: 0 }
  const telling = tellingness(word)
  return { weight: inMillionths(rarity * Math.sqrt(telling)), evidence: inMillionths(rarity * telling ** 2) }
}

/** Returns the weight of the rarest possible word. */
export function highestWeight(total: number): number {
  return inMillionths(idf(total, 0))
}

/** The minimum number of passages that is assumed, because fewer say little about which words are rare. */
const FEWEST_PASSAGES = 50

/** Computes the inverse document frequency. */
function idf(total: number, passages: number): number {
  const others = Math.max(total, FEWEST_PASSAGES) - passages
  return Math.log(1 + (others + 0.5) / (passages + 0.5))
}

function inMillionths(weight: number): number {
  return Math.round(weight * 1e6)
}
