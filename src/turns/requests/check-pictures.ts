import { invalidField } from '../../errors.ts'
import { isPicture, SAMPLE_BYTES, typeOfBytes } from '../../files/file-type.ts'
import { pictureSize } from '../../files/picture-for-model.ts'
import { isObject } from '../../lib/untrusted-json.ts'
import { dataOfPart } from '../../model/file-parts.ts'
import { MOST_FILES } from '../files/keep-parts.ts'

/**
 * Checks that the pictures of a request are pictures, the newest first, as many as a prompt may have.
 * @param field the field of the request that holds the messages or items
 * @throws ApiError invalid_request that names the first one that is none
 */
export async function checkPictures(field: string, messages: readonly object[]): Promise<void> {
  let checked = 0
  for (const [place, part] of [...partsOf(field, messages)].toReversed()) {
    const { type, image_url: image } = part
    if (type !== 'image_url' && type !== 'input_image') continue
    const data = dataOfPart({ type: 'image_url', image_url: image })
    if (!data) continue
    if (checked++ === MOST_FILES) return
    const found = await typeOfBytes(data.bytes.subarray(0, SAMPLE_BYTES))
    const isRead = isPicture(found) ? (await pictureSize(data.bytes)) !== null : found.startsWith('image/')
    if (isRead) continue
    const inside = isObject(image) ? '.url' : ''
    throw invalidField(`${place}.image_url${inside}`, 'holds no picture, or one that is damaged')
  }
}

/** Yields the parts of messages, with their places. */
function* partsOf(field: string, messages: readonly object[]): Generator<[string, Record<string, unknown>]> {
  for (const [at, message] of messages.entries())
    for (const [name, content] of Object.entries(message))
      if ((name === 'content' || name === 'output') && Array.isArray(content))
        for (const [part, one] of content.entries()) yield [`${field}.${at}.${name}.${part}`, one]
}
