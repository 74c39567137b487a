import type { Attachment } from '../transcripts/attachments.ts'

/** The bytes at the beginning of a file in which its type is looked for. */
export const SAMPLE_BYTES = 16 * 1024

const UNKNOWN = 'application/octet-stream'

/** The pictures that can be read, and so shown without what cameras write into them. */
const pictures = ['image/jpeg', 'image/png', 'image/webp', 'image/gif', 'image/avif'] as const

export type PictureType = (typeof pictures)[number]

export function isPicture(type: string): type is PictureType {
  return pictures.some((picture) => picture === type)
}

/**
 * Finds the type of a file in its first bytes, whatever its sender says; `application/octet-stream` if they tell none, as
 * those of a text, or of a page that a browser would run.
 */
export async function typeOfBytes(sample: Uint8Array): Promise<string> {
  const { fileTypeFromBuffer } = await import('file-type')
  const found = await fileTypeFromBuffer(sample).catch(() => undefined)
  // Parameters such as codecs tell nobody anything.
  return found?.mime.split(';')[0] ?? UNKNOWN
}

export function kindOfType(type: string): Attachment['kind'] {
  if (isPicture(type)) return 'image'
  return type.startsWith('video/') ? 'video' : 'file'
}

/** Tells whether browsers may show a file in place. They save any other one, since it might be a page with a program. */
export function isShownInPlace(type: string): boolean {
  return isPicture(type) || /^(?:audio|video)\/[\w.+-]+$/.test(type) || type === 'application/pdf'
}
