import { BytesGone, type FilePlace, type FilePlaces, type PlacedFile } from './file-place.ts'

/** A finished use of a place. */
interface Used {
  operation: 'write' | 'read' | 'remove'
  place: 'database' | 'store'
  /** `left`: the sender or the reader left midway; `gone`: the bytes are no longer there. */
  outcome: 'ok' | 'left' | 'gone' | 'failed'
  /** The time that the place took, without waits for the sender or the reader. */
  seconds: number
  bytes: number
}

/** Called after each use of a place. */
export type PlaceUsed = (used: Used) => void

/** Wraps places so that what they do is counted. */
export function meteredPlaces(places: FilePlaces, used: PlaceUsed): FilePlaces {
  return {
    ...places,
    async write(file, part, bytes) {
      const timer = timed('write', file, used)
      const source = watched(bytes, timer)
      const written = await places.write(file, part, source.bytes).catch((error) => {
        timer.ended(source.hasFailed() ? 'left' : 'failed')
        throw error
      })
      timer.ended('ok', written)
      return written
    },
    async *read(file, part, from, to) {
      const timer = timed('read', file, used)
      let bytes = 0
      // Stands for a reader that leaves before the end.
      let outcome: Used['outcome'] = 'left'
      try {
        for await (const piece of places.read(file, part, from, to)) {
          bytes += piece.length
          timer.pause()
          yield piece
          timer.resume()
        }
        outcome = 'ok'
      } catch (error) {
        outcome = error instanceof BytesGone ? 'gone' : 'failed'
        throw error
      } finally {
        timer.ended(outcome, bytes)
      }
    },
    async remove(file, part) {
      const timer = timed('remove', file, used)
      await places.remove(file, part).catch((error) => {
        timer.ended('failed')
        throw error
      })
      timer.ended('ok')
    },
  }
}

/** Measures the time of a use, which can be paused. */
function timed(operation: Used['operation'], { place }: PlacedFile, used: PlaceUsed) {
  let seconds = 0
  let since: number | null = performance.now()
  const pause = () => {
    if (since !== null) seconds += (performance.now() - since) / 1000
    since = null
  }
  return {
    pause,
    resume() {
      since ??= performance.now()
    },
    ended(outcome: Used['outcome'], bytes = 0) {
      pause()
      used({ operation, place: place === null ? 'database' : 'store', outcome, seconds, bytes })
    },
  }
}

/** Passes bytes on, does not count the wait for them, and remembers whether they failed. */
function watched(bytes: Parameters<FilePlace['write']>[2], timer: { pause(): void; resume(): void }) {
  let hasFailed = false
  async function* passedOn() {
    timer.pause()
    try {
      for await (const chunk of bytes) {
        timer.resume()
        yield chunk
        timer.pause()
      }
    } catch (error) {
      hasFailed = true
      throw error
    } finally {
      timer.resume()
    }
  }
  return { bytes: passedOn(), hasFailed: () => hasFailed }
}
