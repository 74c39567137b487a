import type { FileKind } from './media.ts'
import type { PlatformHttp } from './platform-http.ts'

/** The megabyte of platforms. */
export const MEGABYTE = 1_000_000

/** A file that is sent to a chat. */
export interface OutboundFile {
  kind: FileKind
  name: string
  /** The media type that was found in its bytes. */
  type: string
  bytes: number
  /** Reads its bytes, from the beginning each time. */
  content(): AsyncIterable<Uint8Array>
  /** An address at which everybody can read it for ten minutes. */
  link: string
}

/** A file that goes with a text, in one call. */
export interface AttachedFile extends OutboundFile {
  /** The platform's way for it; null when it has none. */
  as: string | null
  /** The platform's id of it, if it was uploaded. */
  uploaded: string | null
}

/** One of the ways in which a platform shows files. */
interface FileWay {
  /** The platform's own name of the way. */
  as: string
  /** The types that it takes; absent: all. */
  types?: readonly string[]
  /** The most bytes. */
  bytes: number
}

/** The recipient of a file and its way, with what is particular to the attempt. */
interface FileMessage {
  thread: string
  file: OutboundFile
  as: string
  /** The platform's id of the file, if it was uploaded. */
  uploaded: string | null
  replyToken: string | null
  retryKey: string
  afterWindow?: boolean
  webhookUrl: string
}

/** The sending of files, for platforms that take some. */
export interface FileSending<Settings, Sent> {
  /** The ways of the platform. A file takes the first one that fits. */
  readonly ways: readonly FileWay[]
  /** True if the platform takes no bytes and reads files from their link. Files without a way go out as a text with it. */
  readonly byLink: boolean
  /**
   * Uploads a file, which sends nothing yet.
   * @returns the platform's id of it
   * @throws PlatformError
   */
  upload?(http: PlatformHttp, settings: Settings, file: OutboundFile, as: string): Promise<string>
  /** @throws PlatformError, ReplyTokenRefused */
  send(http: PlatformHttp, settings: Settings, message: FileMessage): Promise<Sent>
}

/** Returns the text in place of a file that a platform does not show. */
export function textWithLink({ name, link }: Pick<OutboundFile, 'name' | 'link'>): string {
  return `${name}\n${link}`
}

/** Returns the way for a file; undefined when the platform has none. */
export function wayOf(
  ways: readonly FileWay[],
  { type, bytes }: Pick<OutboundFile, 'type' | 'bytes'>,
): FileWay | undefined {
  return ways.find((way) => bytes <= way.bytes && (way.types === undefined || way.types.includes(type)))
}
