import { Readable } from 'node:stream'
import { invalidField } from '../errors.ts'
import { turnsByTeam } from '../lib/pacing/turns-by-team.ts'
import { copyPicture } from './copy-picture.ts'
import { isPicture, SAMPLE_BYTES, typeOfBytes } from './file-type.ts'
import type { FilePlace, PlacedFile } from './places/file-place.ts'

/** The bytes of a file as they are kept. */
interface KeptBytes {
  type: string
  bytes: number
  /** Pixels of a picture. */
  width: number | null
  height: number | null
  previewBytes: number | null
}

/** Pictures are made anew one at a time in a process. */
const pictures = turnsByTeam(1)

/**
 * Keeps the bytes of a file as they come. A picture is made anew.
 * @throws ApiError invalid_request for an empty file or a picture that cannot be read; what reading or writing throws
 */
export async function keepBytes(
  places: FilePlace,
  file: PlacedFile,
  teamId: number,
  bytes: AsyncIterable<Uint8Array>,
): Promise<KeptBytes> {
  const source = bytes[Symbol.asyncIterator]()
  await using reading = new AsyncDisposableStack()
  // If the bytes are not read to their end, the connection on which they come would be held.
  reading.defer(async () => void (await source.return?.()))
  const { sample, all } = await beginning(source)
  const type = await typeOfBytes(sample)
  if (type.startsWith('image/') && !isPicture(type))
    throw invalidField('file', 'is a picture of a kind that is not read: JPEG, PNG, GIF, WebP and AVIF are')
  if (!isPicture(type)) {
    const size = await places.write(file, 'kept', all)
    return { type, bytes: size, width: null, height: null, previewBytes: null }
  }
  // A picture that waits for its turn takes no memory.
  const size = await places.write(file, 'sent', all)
  using _turn = await pictures.take(teamId)
  const sent = Buffer.concat(await Array.fromAsync(places.read(file, 'sent', 0, size)))
  const picture = await copyPicture(sent, type)
  const keptBytes = await places.write(file, 'kept', Readable.from([picture.bytes]))
  const previewBytes = await places.write(file, 'preview', Readable.from([picture.preview]))
  await places.remove(file, 'sent')
  const { width, height } = picture
  return { type: picture.type, bytes: keptBytes, width, height, previewBytes }
}

/** Reads the first bytes of a file. Returns them, and all bytes including these, which are copied no more. */
async function beginning(source: AsyncIterator<Uint8Array>) {
  const chunks: Uint8Array[] = []
  let length = 0
  while (length < SAMPLE_BYTES) {
    const { value, done } = await source.next()
    if (done) break
    chunks.push(value)
    length += value.length
  }
  if (length === 0) throw invalidField('file', 'is empty')
  const all = async function* () {
    yield* chunks
    yield* { [Symbol.asyncIterator]: () => source }
  }
  return { sample: Buffer.concat(chunks).subarray(0, SAMPLE_BYTES), all: all() }
}
