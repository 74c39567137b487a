import type { Attachment } from '../transcripts/attachments.ts'

/** The number of bytes at the beginning of a file from which its type is found. */
export const SAMPLE_BYTES = 16 * 1024

const UNKNOWN = 'application/octet-stream'
/** The beginning of a PNG file, by which one that is cut right behind it is still known as a damaged picture. */
const PNG = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')

/** The types of pictures that are made anew, and so shown without what a camera wrote into them. */
const pictures = ['image/jpeg', 'image/png', 'image/webp', 'image/gif', 'image/avif'] as const

export type PictureType = (typeof pictures)[number]

export function isPicture(type: string): type is PictureType {
  return pictures.some((picture) => picture === type)
}

/**
 * Returns the media type of a file by its first bytes; what its sender says does not count. Texts, and pages that a
 * browser would run, have no such bytes: they are `application/octet-stream`.
 */
export async function typeOfBytes(sample: Uint8Array): Promise<string> {
  const { fileTypeFromBuffer } = await import('file-type')
  const found = await fileTypeFromBuffer(sample).catch(() => undefined)
  // Nobody needs its parameters, such as codecs.
  return found?.mime.split(';')[0] ?? (PNG.equals(sample.subarray(0, PNG.length)) ? 'image/png' : UNKNOWN)
}

/** @param said the kind that a platform says it is; believed only where the type allows it */
export function kindOfType(type: string, said?: Attachment['kind']): Attachment['kind'] {
  if (isPicture(type)) return said === 'sticker' ? 'sticker' : 'image'
  // Some sounds are in the container of videos.
  if (said === 'voice' && /^(?:audio\/|video\/(?:mp4|webm)$|application\/ogg$)/.test(type)) return 'voice'
  return type.startsWith('video/') ? 'video' : 'file'
}

/** Returns true if browsers may show files of this type in place. They save others, which may be pages with scripts. */
export function isShownInPlace(type: string): boolean {
  return isPicture(type) || /^(?:audio|video)\/[\w.+-]+$/.test(type) || type === 'application/pdf'
}
