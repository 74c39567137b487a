/** The end user whom an agent speaks with, and what it may say about them. */
export interface Customer {
  name: string | null
  attributes: ReadonlyMap<string, string>
}

/** The time, the place and the person of what an agent says. */
export interface Occasion {
  /** Milliseconds since the epoch. */
  now: number
  /** The name of the channel, such as WhatsApp. */
  channel: string
  /** The language of the conversation; null: not known. */
  language: string | null
  /** Null: the agent may say nothing about its user. */
  customer: Customer | null
}
