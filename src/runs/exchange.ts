/** A message of a customer and the answer of the agent, each cut to a length. */
export interface Exchange {
  customer: string
  agent: string
  /** The names of the tools that the model called for this answer. */
  tools: string[]
  ms: number
}
