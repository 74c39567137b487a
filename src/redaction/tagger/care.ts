/** The certainty that the tagger needs. A lower one finds more, including harmless text. */
export type Care = 'strict' | 'usual' | 'thorough'

/** The least score of a name and of an address. */
export interface Threshold {
  PERSON: number
  LOCATION: number
}

/** Chosen by the parts of the bench's sets that tuning may look at. */
export const THRESHOLDS: Record<Care, Threshold> = {
  strict: { PERSON: 0.99, LOCATION: 0.99 },
  usual: { PERSON: 0.9, LOCATION: 0.97 },
  thorough: { PERSON: 0.4, LOCATION: 0.6 },
}
