import { HOUR_MS } from '../lib/clock.ts'
import type { Model, ModelRequest } from './model.ts'
import { tryingAgain } from './trying-again.ts'

/** A part of requests that a server may not take, and that a request can do without. */
interface Dispensable {
  /** Tells whether a request has the part, and can do without it. */
  isIn(request: ModelRequest): boolean
  leaveOut(request: ModelRequest): ModelRequest
  /** Tells whether a failure may be because of the part: for every request with such a part, or for this one only. */
  mayRefuse(error: unknown): 'all' | 'this' | false
  /** True if each request has another part, such as a picture: a server that takes one may refuse the next for what it shows. */
  differs: boolean
}

/** The time after which the part is tried again: a server may have learned to take it. */
const REFUSED_MS = HOUR_MS

/**
 * A model that is asked again without a part of the request when its server refuses that part. For the next hour,
 * requests go without it from the beginning.
 * @param now returns milliseconds from any fixed moment
 */
export function doingWithout(
  model: Model,
  { isIn, leaveOut, mayRefuse, differs }: Dispensable,
  now: () => number,
): { model: Model /** Tells whether the server takes the part, as far as it is known. */; takes(): boolean } {
  let refusedUntil = Number.NEGATIVE_INFINITY
  let takenAt = Number.NEGATIVE_INFINITY
  const takes = () => now() >= refusedUntil

  const asked = tryingAgain((request) => {
    const canDoWithout = isIn(request)
    let isRefused = false
    let isLeftOut = false
    let before = refusedUntil
    return {
      next() {
        isLeftOut = canDoWithout && (isRefused || !takes())
        return [model, isLeftOut ? leaveOut(request) : request]
      },
      failed(error) {
        if (!canDoWithout) throw error
        if (isLeftOut) {
          // The failure had another reason if the request fails without the part as well.
          refusedUntil = before
          throw error
        }
        const refused = mayRefuse(error)
        if (!refused) throw error
        isRefused = true
        before = refusedUntil
        const isForThis = refused === 'this' || (differs && now() < takenAt + REFUSED_MS)
        if (!isForThis) refusedUntil = now() + REFUSED_MS
      },
      answered() {
        if (canDoWithout && !isLeftOut) takenAt = now()
      },
    }
  })
  return { model: asked, takes }
}
