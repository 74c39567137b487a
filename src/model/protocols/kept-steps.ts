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
 * process alone and for minutes, because thoughts are never stored. Once they are gone, the stored messages are sent
 * instead.
 */
export interface KeptSteps<Said> {
  keep(calls: readonly ToolCall[], said: Said): void
  /** Returns the answer that a call belongs to, by the server's id or the short one that messages have. */
  of(callId: string): KeptStep<Said> | null
}

/** The longest answer that is kept, as characters of JSON. */
export const LONGEST_STEP = 256 * 1024
const KEPT_MS = 10 * 60_000
/** The most characters that are kept of all model servers. */
const MOST_CHARACTERS = 32 * 1024 * 1024
/** The memory of an answer beside its characters, as characters. */
const BESIDE = 1000

interface Step extends KeptStep<unknown> {
  size: number
}

/** The answers of one model server. */
interface Place {
  /** In the order in which they were given. */
  steps: Set<Step>
  byCall: Map<string, Step>
  size: number
}

/** All places of the process that hold something, so that their memory is bounded however many models there are. */
const places = new Set<Place>()
let total = 0

/** Creates the place for the answers of one model server. */
export function keptSteps<Said>(): KeptSteps<Said> {
  const place: Place = { steps: new Set(), byCall: new Map(), size: 0 }
  return {
    keep(calls, said) {
      const { length } = JSON.stringify(said)
      if (calls.length === 0 || length > LONGEST_STEP) return
      const step = { calls, said, size: length + BESIDE }
      add(place, step)
      setTimeout(() => drop(place, step), KEPT_MS).unref()
      while (total > MOST_CHARACTERS) dropOldest()
    },
    of: (callId) => (place.byCall.get(shortId(callId)) as KeptStep<Said> | undefined) ?? null,
  }
}

function add(place: Place, step: Step): void {
  places.add(place)
  place.steps.add(step)
  for (const { id } of step.calls) place.byCall.set(shortId(id), step)
  place.size += step.size
  total += step.size
}

function drop(place: Place, step: Step): void {
  if (!place.steps.delete(step)) return
  for (const { id } of step.calls)
    if (place.byCall.get(shortId(id)) === step) place.byCall.delete(shortId(id))
  place.size -= step.size
  total -= step.size
  if (place.steps.size === 0) places.delete(place)
}

/** Drops the oldest answer of the server that has the most, so that none takes the room of all others. */
function dropOldest(): void {
  const [first, ...others] = places
  if (!first) return
  const largest = others.reduce((largest, place) => (place.size > largest.size ? place : largest), first)
  const [oldest] = largest.steps
  if (oldest) drop(largest, oldest)
}
