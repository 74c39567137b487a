import { newest } from '../../lib/newest.ts'
import { shortId } from '../in-roles.ts'
import type { ToolCall } from '../model.ts'

/** The calls of one answer, under the server's own ids, and the answer as the server gave it. */
export interface KeptStep<Said> {
  calls: readonly ToolCall[]
  said: Said
}

/**
 * The answers with calls of tools that a model gave lately. Some servers want to read their own words again unchanged
 * when they get the results: signed thoughts, and calls that were made together. They are kept in the memory of this
 * process alone and for minutes, because thoughts are never stored. Where they are gone, what is stored is sent.
 */
export interface KeptSteps<Said> {
  keep(calls: readonly ToolCall[], said: Said): void
  /** Returns the answer that a call belongs to, by the server's id or the short one that messages have. */
  of(callId: string): KeptStep<Said> | null
}

/** The longest answer that is kept, as characters of JSON. */
export const LONGEST_STEP = 256 * 1024
const KEPT_MS = 10 * 60_000
const MOST = 1000

/** All steps of the process, so that their memory is bounded however many models there are. */
const kept = newest<string, KeptStep<unknown>>(MOST)
let opened = 0

/** Creates the place for the answers of one model server. */
export function keptSteps<Said>(): KeptSteps<Said> {
  const place = ++opened
  const keyOf = (id: string) => `${place} ${shortId(id)}`
  return {
    keep(calls, said) {
      if (calls.length === 0 || JSON.stringify(said).length > LONGEST_STEP) return
      const step = { calls, said }
      const keys = calls.map(({ id }) => keyOf(id))
      for (const key of keys) kept.set(key, step)
      setTimeout(() => {
        for (const key of keys) if (kept.get(key) === step) kept.delete(key)
      }, KEPT_MS).unref()
    },
    of: (callId) => (kept.get(keyOf(callId)) as KeptStep<Said> | undefined) ?? null,
  }
}
