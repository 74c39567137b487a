/** The end user whom an agent speaks with, as far as it may tell what it knows of them. */
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
  /** Null: nothing may be told. */
  customer: Customer | null
}
