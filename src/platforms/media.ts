import type { MessageKind } from './message-kind.ts'
import type { PlatformHttp } from './platform-http.ts'

/** The kinds of files that messages have. */
export const fileKinds = ['image', 'voice', 'video', 'file', 'sticker'] as const

export type FileKind = (typeof fileKinds)[number]

/** A file of a person's message, as the platform names it. It is fetched after the message is stored. */
export interface Media {
  kind: FileKind
  name: string | null
  /** The id or the address by which the adapter's `media.find` finds it. */
  source: string
  /** Its size, where the platform tells it. */
  bytes?: number
  /** The SHA-256 of its bytes in Base64, where the platform tells it. */
  sha256?: string
  /** A hash of a file that belongs to the text, such as a logo: in each chat, only the first one with it is kept. */
  inText?: string
}

/** Returns a file as an adapter has read it; null if it is none, or the platform says no place. @param bytes its size */
export function toMedia(
  kind: MessageKind,
  source: string | null,
  name: string | null = null,
  bytes?: unknown,
): Media | null {
  const known = fileKinds.find((one) => one === kind)
  if (known === undefined || source === null) return null
  return { kind: known, name, source, ...(typeof bytes === 'number' ? { bytes } : {}) }
}

/** The place of a file's bytes. */
export interface MediaPlace {
  url: string
  /** Headers that hold the channel's token. They are sent only to `tokenHosts` and to the host of `api_base`. */
  headers?: Record<string, string>
  /** Hosts of the platform: each a name, or `.name` for all names below one. */
  tokenHosts?: readonly string[]
  /** Other hosts on which the platform keeps files; `any`: those of anybody, if their address is public. */
  otherHosts?: readonly string[] | 'any'
}

/** A file that the platform gives in another way than by an address. */
export interface OpenedMedia {
  /** The bytes as they come. @throws PlatformError */
  bytes: AsyncIterable<Uint8Array>
}

/** The way to the files of a platform's messages. */
export interface MediaSource<Settings = never> {
  /** True when a file that is not found may be there a moment later. */
  readonly comesLate?: boolean
  /** Returns null for a file of which the platform names no place. @throws PlatformError, MediaRefused */
  find(
    http: PlatformHttp,
    settings: Settings,
    source: string,
    signal: AbortSignal,
  ): MediaPlace | OpenedMedia | Promise<MediaPlace | OpenedMedia | null>
}

/** The reasons for which a file of a message is refused, however often it is asked for. */
export const refusals = [
  'too_large',
  'address_refused',
  'empty',
  'unreadable_picture',
  'outlook_only',
] as const

/** The reasons for which a file could not be fetched so far. */
const fetchFailures = ['unreachable', 'gone', 'unauthorized', 'damaged', 'channel_deleted'] as const

export type FetchReason = (typeof refusals)[number] | (typeof fetchFailures)[number]

/** Thrown for a file that is not taken. */
export class MediaRefused extends Error {
  readonly reason: (typeof refusals)[number]

  constructor(reason: (typeof refusals)[number]) {
    super(`the file is refused: ${reason}`)
    this.name = 'MediaRefused'
    this.reason = reason
  }
}
