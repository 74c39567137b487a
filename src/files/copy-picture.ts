import { invalidField } from '../errors.ts'
import type { PictureType } from './file-type.ts'
import { loadSharp } from './load-sharp.ts'

/** The most pixels of a picture, in all its frames. Reading one takes up to four bytes for each. */
const MOST_PIXELS = 50_000_000
/** The longest side of the small picture. */
const PREVIEW_PIXELS = 640
const LIMIT_SECONDS = 30

/** A picture that was made anew from its pixels. */
interface CopiedPicture {
  bytes: Buffer
  type: PictureType
  width: number
  height: number
  /** A WebP picture of at most 640 pixels on each side. */
  preview: Buffer
}

/**
 * Makes a picture anew from its pixels, and turns it upright. That leaves out what a camera wrote into the file, such as
 * its place, and what somebody hid behind the picture. The work is done in threads.
 * @throws ApiError invalid_request for one that cannot be read or is too large
 */
export async function copyPicture(sent: Buffer, type: PictureType): Promise<CopiedPicture> {
  const sharp = await loadSharp()
  const read = (bytes: Buffer, animated: boolean) =>
    sharp(bytes, { animated, limitInputPixels: MOST_PIXELS, failOn: 'error' }).timeout({
      seconds: LIMIT_SECONDS,
    })
  try {
    const isAnimated = type === 'image/gif' || type === 'image/webp'
    // Few model servers and programs read AVIF.
    const format = type === 'image/avif' ? 'webp' : formats[type]
    const { data, info } = await read(sent, isAnimated)
      .autoOrient()
      .toFormat(format, options[format])
      .toBuffer({ resolveWithObject: true })
    // The preview is read from the copy. A JPEG or WebP picture is then decoded in a smaller size, which takes less time
    // than to keep its pixels for both; a PNG would take a tenth less, and twice its pixels in memory.
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

const lossy = { quality: 85 }
/** A PNG with a quality would have only 256 colours. */
const options = { jpeg: lossy, webp: lossy, png: {}, gif: {} }

const formats = {
  'image/jpeg': 'jpeg',
  'image/png': 'png',
  'image/webp': 'webp',
  'image/gif': 'gif',
} as const satisfies Partial<Record<PictureType, string>>
