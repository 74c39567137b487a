import type { JsonObject } from '../lib/untrusted-json.ts'

/** Something that a model may call. */
export interface Tool {
  /** The name by which models call it. */
  name: string
  description: string
  /** JSON Schema of the arguments. */
  parameters: JsonObject
  /** True if a call that may have happened can be made again. */
  idempotent: boolean
  requires: Requirement
  /** False: arguments keep the placeholders that the model was given in place of personal data. */
  restore: boolean
  /** Calls the tool with arguments that fit `parameters`. @throws ToolError, or AbortError when the signal fires */
  call(args: JsonObject, context: CallContext): Promise<string>
}

/** The proofs of the end user that a tool may require before it is called. */
export const requirements = ['none', 'identified', 'verified'] as const

export type Requirement = (typeof requirements)[number]

/** An end user for whom tools are called. */
export interface ToolUser {
  source: string
  /** The user's id, proven or not. */
  id: string
  /** The user's id if it is proven; otherwise null. */
  provenId: string | null
}

/** The context of a call, beside its arguments. */
export interface CallContext {
  signal: AbortSignal
  timeoutMs: number
  /** The end user for whom the call is made; null: nobody in particular. */
  user: ToolUser | null
}

/** The tools of an agent. */
export interface Toolset {
  /** Returns the tools that the model is offered now. */
  list(): Promise<readonly Tool[]>
}

/** The failure of a call without a result, in words that the model may read: no secret, no address. */
export class ToolError extends Error {
  /** True if the call may have had its effect all the same. */
  readonly mayHaveHappened: boolean

  constructor(message: string, { mayHaveHappened = false } = {}) {
    super(message)
    this.name = 'ToolError'
    this.mayHaveHappened = mayHaveHappened
  }
}

/** The form of the names that models may use for tools. */
export const TOOL_NAME = /^[a-zA-Z0-9_-]{1,64}$/
