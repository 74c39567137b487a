/**
 * The demo's texts in one language. `{order}`, `{bike}`, `{first}`, `{email}` and `{phone}` stand for values that
 * differ from one conversation to the next.
 */
export interface Texts {
  /** An ISO 639-1 code. */
  language: string
  /** The percentage of conversations in this language. */
  share: number
  /** The number of hours that the customers' clocks are ahead of UTC. */
  hoursAhead: number
  /** The name of the colleague who answers for the shop. */
  colleague: string
  /** The first part of this colleague's address. */
  account: string
  customers: readonly string[]
  documents: readonly ShopDocument[]
  /** Conversations that come to an end. */
  stories: readonly Story[]
  /** Conversations that nobody has taken care of yet. */
  waiting: readonly Story[]
  /** Comments that customers write below an answer. */
  feedback: { good: readonly string[]; bad: readonly string[] }
  /** Comments that customers write beside the stars at the end. */
  comments: { good: readonly string[]; bad: readonly string[] }
}

export interface ShopDocument {
  /** The last part of the document's address. */
  key: string
  title: string
  content: string
  /** Other questions that the document answers. */
  questions?: readonly string[]
}

export interface Story {
  topic: Topic
  /** The story's frequency relative to the others; 1 when absent. */
  weight?: number
  lines: readonly Line[]
}

export type Topic = 'delivery' | 'returns' | 'warranty' | 'workshop' | 'advice' | 'payment' | 'other'

type Line = Question | { person: string } | { note: string }

export interface Question {
  /** The customer asks one of these. */
  ask: readonly string[]
  /** The agent's answer. Absent where the model fails, or where a guardrail answers in its place. */
  reply?: string
  /** The key of the document that the answer comes from. An answer without one says that the agent does not know. */
  from?: string
  isSmallTalk?: true
  /** The reason for which the customer flags the answer. */
  flag?: string
  /** The reaction that customers show more often than usual to this answer. */
  mood?: 'good' | 'bad'
}
