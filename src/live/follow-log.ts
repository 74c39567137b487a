import { endOfLog, type LogPage, RESUMABLE_MS, readLog } from '../events/change-log.ts'
import { type Epoch, markOf } from '../events/epochs.ts'
import { type Place, placeAfter, type ToldPlace, writePlace } from '../events/place.ts'
import { advance } from '../storage/commit-order.ts'
import type { Database } from '../storage/opened-database.ts'
import type { Listeners } from './listeners.ts'

interface Dependencies extends Pick<Database, 'db' | 'engine'> {
  listeners: Listeners
  /** Tells the listeners what a page holds that was read from a place. */
  publish(from: Place, page: LogPage): Promise<void>
}

const PAGE = 500

/** Reads the log of changes on and on, once for all listeners, who join between two of its pages. */
export function followLog({ db, engine, listeners, publish }: Dependencies) {
  /** The place up to which the log was read; null while nobody listens. */
  let place: Place | null = null
  /** The mark of the epoch of that place. */
  let mark = ''
  /** The epochs that have begun. */
  let epochs: readonly Epoch[] = []
  let isReading = false
  /** Listeners that wait for the end of the page that is being read. */
  const joining: (() => void)[] = []

  async function end(): Promise<Place> {
    const end = await endOfLog(db, engine.commitOrder)
    epochs = end.epochs
    return end.place
  }

  function reach(reached: Place): void {
    place = reached
    mark = markOf(epochs, reached.transactions)
  }

  function letJoin(): void {
    for (const join of joining.splice(0)) join()
  }

  /** Cuts all streams after the database was put back: clients that reconnect learn that their place is gone. */
  function beginAnew(): void {
    letJoin()
    for (const listener of listeners.all) listener.cut()
    place = null
  }

  /** Writes a place as text. */
  function write(place: Place, nowMs: number): string {
    return writePlace(place, markOf(epochs, place.transactions), nowMs)
  }

  return {
    write,
    /** Returns the end of the log at present. */
    end,
    /** Returns the place up to which the log was read; null while nobody listens. */
    place: () => place,
    /** Reads the log up to its end. */
    async readOn(stopping: AbortSignal): Promise<void> {
      for (let isCut = true; isCut && place !== null && !stopping.aborted; ) {
        isReading = true
        try {
          const page = await readLog(db, engine.commitOrder, place, PAGE)
          epochs = page.epochs
          if (markOf(epochs, place.transactions) !== mark) return beginAnew()
          await publish(place, page)
          reach(behind(place, page))
          isCut = page.isCut
          for (const listener of listeners.all) listener.reached(place)
        } finally {
          isReading = false
          letJoin()
          if (listeners.all.size === 0) place = null
        }
      }
    },
    /**
     * Adds a listener between two pages of the log: it gets all of the next one.
     * @returns the place after which it gets events
     */
    async join(add: () => void): Promise<Place> {
      while (place === null) {
        const now = await end()
        if (place === null) reach(now)
      }
      // Runs at once: an asynchronous function runs by itself up to its first `await`.
      const joined = async () => {
        add()
        return place as Place
      }
      return isReading ? new Promise((resolve) => joining.push(() => resolve(joined()))) : joined()
    },
    /** Returns the place to resume from; null when it is too old, or of another log than this. */
    async resumable(reported: ToldPlace, nowMs: number): Promise<Place | null> {
      if (reported.toldMs <= nowMs - RESUMABLE_MS) return null
      const { until } = reported.place.transactions
      // Another process may have sent a place beyond the part that was read here.
      const isKnown = place !== null && until <= place.transactions.until
      if (!isKnown && until > (await end()).transactions.until) return null
      return reported.mark === markOf(epochs, reported.place.transactions) ? reported.place : null
    },
  }
}

/** Returns the place after a page that was read from another place. */
function behind(from: Place, { rows, seen, isCut }: LogPage): Place {
  const last = rows.at(-1)
  if (isCut) return last ? placeAfter(from, seen, last, last.changes.length) : from
  return { transactions: advance(from.transactions, seen), within: null }
}
