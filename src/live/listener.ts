import type { ServerResponse } from 'node:http'
import { isRead, type Place } from '../events/place.ts'
import type { Admission } from '../http/member.ts'
import type { Scope } from '../http/scope.ts'
import { whenDrained } from '../http/when-drained.ts'
import { includesTransaction } from '../storage/commit-order.ts'
import type { LiveEvent } from './read-events.ts'

/** The view of a team, of a web site's own server, or of a visitor of a widget. */
export type View = (typeof views)[number]

export const views = ['team', 'site', 'visitor'] as const

/** The subject of a stream and its reader. */
export interface Subscription {
  agentId: number
  /** The conversation; null for the whole agent. */
  conversationId: string | null
  view: View
  /** The person who listens; null for a program. */
  operatorId: number | null
  admission: Admission
  /** The conversations that the person could see when the stream began; null or absent: all. */
  scope?: Scope | null
  /** The network address that a visitor's streams count against; absent for those of a team. */
  address?: string
}

/** The most unread bytes of a reader before its stream is cut off; it can resume at its place. */
const MOST_UNREAD = 1024 * 1024

/** An event as text, with its place in the log. */
export interface EncodedEvent extends Pick<LiveEvent, 'row' | 'at' | 'conversationId'> {
  text: string
}

/** One open stream. */
export class Listener {
  readonly subscription: Subscription
  readonly #raw: ServerResponse
  /** The conversations that the person may see at present; null: all. */
  scope: Scope | null
  /** True after a conversation was taken from the scope, until the client is told to read everything again. */
  hasLost = false
  /** Parts that came while the stream was being opened or caught up; null when it is in step. */
  #waiting: Buffer[] | null = null
  #waitingBytes = 0
  /** The place that the client reported, until the log followed here is past it. */
  #floor: Place | null

  constructor(raw: ServerResponse, subscription: Subscription, floor: Place | null) {
    this.#raw = raw
    this.subscription = subscription
    this.scope = subscription.scope ?? null
    this.#floor = floor
  }

  get isOfTeam(): boolean {
    return this.subscription.view === 'team'
  }

  /** Takes over a scope; returns true if it is another one. */
  takeScope(scope: Scope | null): boolean {
    if (JSON.stringify(scope) === JSON.stringify(this.scope)) return false
    this.scope = scope
    return true
  }

  /** True if the place of the log that is followed here holds for the client too. */
  get isInStep(): boolean {
    return this.#waiting === null && this.#floor === null
  }

  /** Holds events back until `release`. */
  hold(): void {
    this.#waiting = []
  }

  release(): void {
    const waiting = this.#waiting ?? []
    this.#waiting = null
    for (const part of waiting) this.write(part)
  }

  /** Sends events of the log. @param joined all of them */
  send(events: readonly EncodedEvent[], joined: Buffer): void {
    const floor = this.#floor
    const fresh = floor === null ? events : events.filter(({ row, at }) => !isRead(floor, row, at))
    if (fresh.length === events.length) this.pass(joined)
    else if (fresh.length > 0) this.pass(Buffer.from(fresh.map(({ text }) => text).join('')))
  }

  /** Notes that the log was read up to a place. */
  reached({ transactions }: Place): void {
    const floor = this.#floor
    if (floor === null || transactions.until < floor.transactions.until) return
    if (floor.within && !includesTransaction(transactions, floor.within.transaction)) return
    const { until, without } = floor.transactions
    if (transactions.without.some((id) => id < until && !without.includes(id))) return
    this.#floor = null
  }

  /** Sends a part, after those that wait. */
  pass(part: Buffer): void {
    if (this.#waiting === null) this.write(part)
    else {
      this.#waiting.push(part)
      this.#waitingBytes += part.length
      if (this.#waitingBytes > MOST_UNREAD) this.cut()
    }
  }

  /** Sends a part at once, unless the stream has ended. */
  write(part: Buffer | string): void {
    if (this.isClosed) return
    this.#raw.write(part)
    if (this.#raw.writableLength > MOST_UNREAD) this.cut()
  }

  /** Sends an event that was missed, and resolves when there is room for more or the stream is closed. */
  async feed(text: string): Promise<void> {
    if (this.isClosed) return
    this.#raw.write(text)
    await whenDrained(this.#raw, STALLED_MS)
  }

  get isClosed(): boolean {
    return this.#raw.destroyed || this.#raw.writableEnded
  }

  /** Ends the stream as a complete answer. A reader that does not take the rest of it soon is cut off. */
  end(): void {
    if (this.isClosed) return
    this.#raw.end()
    setTimeout(() => this.cut(), LONGEST_END_MS).unref()
  }

  /** Closes the connection in the middle of the stream. */
  cut(): void {
    this.#raw.destroy()
  }
}

/** A reader that accepts nothing for this long while it catches up is cut off. */
const STALLED_MS = 30_000
/** The time for the rest of an ended stream, which must be gone five seconds after its credential was revoked. */
const LONGEST_END_MS = 1000
