import { loadSharp } from './load-sharp.ts'

/** The most bytes of a picture that is sent to a model as it is. */
const MOST_BYTES = 1024 * 1024
/** The longest side of a larger one. More than this, common models make smaller themselves. */
const MOST_SIDE = 2048
const LIMIT_SECONDS = 30

/** A picture as a model is sent it. */
interface SentPicture {
  bytes: Buffer
  media: string
}

/**
 * Returns a picture in a form that all model servers read: a JPEG or PNG file of moderate size. Of an animation, the
 * first picture is sent.
 * @throws Error for one that cannot be read
 */
export async function pictureForModel(bytes: Buffer, type: string): Promise<SentPicture> {
  if (bytes.length <= MOST_BYTES && (type === 'image/jpeg' || type === 'image/png'))
    return { bytes, media: type }
  const sharp = await loadSharp()
  const smaller = await sharp(bytes)
    .timeout({ seconds: LIMIT_SECONDS })
    .resize({ width: MOST_SIDE, height: MOST_SIDE, fit: 'inside', withoutEnlargement: true })
    .flatten({ background: '#ffffff' })
    .jpeg({ quality: 85 })
    .toBuffer()
  return { bytes: smaller, media: 'image/jpeg' }
}

/** Reads the size of a picture from its first bytes, upright; null if they do not tell it. */
export async function pictureSize(bytes: Buffer): Promise<{ width: number; height: number } | null> {
  const sharp = await loadSharp()
  return sharp(bytes)
    .metadata()
    .then(({ autoOrient }) => autoOrient)
    .catch(() => null)
}
