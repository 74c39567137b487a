import { invalidField } from '../errors.ts'
import type { PictureType } from './file-type.ts'

/** The most pixels of a picture, in all its frames. Reading one takes up to four bytes for each. */
const MOST_PIXELS = 50_000_000
/** The longest side of the small picture. */
const PREVIEW_PIXELS = 640
const LIMIT_SECONDS = 30

/** A picture that was made anew: it has nothing but its pixels. */
export interface CopiedPicture {
  bytes: Buffer
  type: PictureType
  width: number
  height: number
  /** A WebP picture of at most 640 pixels on each side. */
  preview: Buffer
}

/**
 * Makes a picture anew from its pixels, upright, so that what a camera writes into it, such as a place, and what is hidden
 * behind it are left out. Threads outside of the event loop do the work.
 * @throws ApiError invalid_request for one that cannot be read or is too large
 */
export async function copyPicture(sent: Buffer, type: PictureType): Promise<CopiedPicture> {
  const { default: sharp } = await import('sharp')
  sharp.cache(false)
  const read = (bytes: Buffer, animated: boolean) =>
    sharp(bytes, { animated, limitInputPixels: MOST_PIXELS, failOn: 'error' }).timeout({
      seconds: LIMIT_SECONDS,
    })
  try {
    const isAnimated = type === 'image/gif' || type === 'image/webp'
    // Few servers and programs read AVIF.
    const format = type === 'image/avif' ? 'webp' : formats[type]
    const { data, info } = await read(sent, isAnimated)
      .autoOrient()
      .toFormat(format, { quality: 85 })
      .toBuffer({ resolveWithObject: true })
    const preview = await read(data, false)
      .resize({ width: PREVIEW_PIXELS, height: PREVIEW_PIXELS, fit: 'inside', withoutEnlargement: true })
      .webp()
      .toBuffer()
    const { width, pageHeight: height = info.height } = info
    return { bytes: data, type: `image/${format}`, width, height, preview }
  } catch (error) {
    const isTooLarge = /pixel limit/i.test((error as Error).message)
    throw invalidField(
      'file',
      isTooLarge
        ? `has more than ${MOST_PIXELS / 1_000_000} million pixels`
        : 'is a picture that cannot be read',
    )
  }
}

const formats = {
  'image/jpeg': 'jpeg',
  'image/png': 'png',
  'image/webp': 'webp',
  'image/gif': 'gif',
} as const satisfies Partial<Record<PictureType, string>>
