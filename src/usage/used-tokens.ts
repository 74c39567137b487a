import { AsyncLocalStorage } from 'node:async_hooks'
import type { CallKind } from '../model/call-kinds.ts'

/** The tokens that one model call used. */
export interface UsedTokens {
  agentId: number
  kind: CallKind
  model: string
  promptTokens: number
  completionTokens: number
  /** True if the server did not report the tokens, so that they were estimated. */
  isEstimated: boolean
}

const works = new AsyncLocalStorage<UsedTokens[]>()

/** Runs some work, and adds what each of its model calls used to a list. */
export function collectUsed<T>(into: UsedTokens[], work: () => Promise<T>): Promise<T> {
  return works.run(into, work)
}

/** Adds what a call used to the list of the work that made it, if anybody collects it. */
export function noteUsed(used: UsedTokens): void {
  works.getStore()?.push(used)
}
