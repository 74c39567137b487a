/**
 * What the demo says in one language. `{order}`, `{bike}`, `{first}`, `{email}` and `{phone}` stand for what differs from
 * one conversation to the next.
 */
export interface Texts {
  /** As ISO 639-1 names it. */
  language: string
  /** How many of a hundred conversations are in this language. */
  share: number
  /** By how many hours the customers' clocks are ahead of UTC. */
  hoursAhead: number
  /** Who answers for the shop. */
  colleague: string
  customers: readonly string[]
  documents: readonly ShopDocument[]
  /** Conversations that come to an end. */
  stories: readonly Story[]
  /** Conversations that nobody has taken care of yet. */
  waiting: readonly Story[]
  /** What customers write below an answer. */
  feedback: { good: readonly string[]; bad: readonly string[] }
  /** What customers write beside the stars at the end. */
  comments: { good: readonly string[]; bad: readonly string[] }
}

export interface ShopDocument {
  /** The last part of its address. */
  key: string
  title: string
  content: string
  /** Other ways to ask for it. */
  questions?: readonly string[]
}

export interface Story {
  topic: Topic
  /** How often it is told, beside the others; 1 when absent. */
  weight?: number
  lines: readonly Line[]
}

export type Topic = 'delivery' | 'returns' | 'warranty' | 'workshop' | 'advice' | 'payment' | 'other'

export type Line = Question | { person: string } | { note: string }

export interface Question {
  /** The customer asks one of these. */
  ask: readonly string[]
  /** What the agent answers. Absent where the model fails, or a guardrail answers in its place. */
  reply?: string
  /** The document from which the answer is. An answer without one says that the agent does not know. */
  from?: string
  isSmallTalk?: true
  /** The customer flags the answer, for this reason. */
  flag?: string
  /** What customers do more often than usual with this answer. */
  mood?: 'good' | 'bad'
}
