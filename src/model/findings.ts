import type { Citation } from './model.ts'

/**
 * A best passage with less confidence is more often than not about something else (measured by the knowledge bench). An
 * agent with enough documents has a threshold that is measured on them: `Findings.threshold`.
 */
export const CONFIDENCE_NEEDED = 0.47

/**
 * Reasons for which an agent's passages are searched by words only, though they have vectors: these are of another
 * server; the server failed or was too slow; or the vectors could not be read in time.
 */
export const reasonsForWords = ['other_server', 'server_failed', 'vectors_not_read'] as const

export type ReasonForWords = (typeof reasonsForWords)[number]

/** The result of searching an agent's documents. */
export interface Findings {
  /**
   * The words of the question with their inverse document frequencies. `passages` is 0 for a word that no passage
   * contains.
   */
  words: { word: string; weight: number; passages: number }[]
  /** Best first. */
  passages: FoundPassage[]
  /** The confidence that the best passage needs to be an answer, as measured on the agent's documents. */
  threshold: number
  /** The reason for which only words were searched for; absent: vectors counted as well, or there are none. */
  onlyWords?: ReasonForWords
}

export interface FoundPassage {
  id: number
  /** Identifies its document. */
  source: string
  title: string
  url: string | null
  /** The headings above it, outermost first, separated by ` › `. */
  heading: string
  anchor: string
  /** Paragraphs, separated by blank lines; code stands between fences. */
  text: string
  score: number
  /** The share of the question that the passage covers, weighted by how much each word tells: 0 to 1. */
  coverage: number
  /**
   * Coverage times the square root of the score, where the score is relative to that of the rarest possible word.
   * Comparable for any number of passages. With vectors, the passage's similarity to the question sets a lower bound.
   */
  confidence: number
  /** The cosine of the angle between its vector and the question's; null: only its words were compared. */
  similarity: number | null
}

export interface Reply {
  text: string
  citations: Citation[]
}
