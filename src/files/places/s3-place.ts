import type { S3Address } from '../../lib/s3-address.ts'
import type { FilePart } from '../tables.ts'
import { BytesGone, type FilePlace, type PlacedFile, StoreFailed } from './file-place.ts'
import { inPieces } from './in-pieces.ts'
import type { S3Client } from './s3-client.ts'

/** The bytes of a part of an upload: the fewest that stores take, since each is in memory. */
const PART_BYTES = 5 * 1024 * 1024
const ALL_PARTS: readonly FilePart[] = ['sent', 'kept', 'preview']
/** The bytes that are read at once. */
const READ_BYTES = 1024 * 1024

/** Returns a folder of a bucket as a place for files: an object for each part of a file, which never changes. */
export function s3Place({ prefix }: Pick<S3Address, 'prefix'>, call: S3Client): FilePlace {
  const folderOf = ({ agent_id, id }: PlacedFile) => `${prefix}${agent_id}/${id}/`
  return {
    async write(file, part, bytes) {
      const object = folderOf(file) + part
      const pieces = inPieces(bytes, PART_BYTES)
      const { value: first = new Uint8Array() } = await pieces.next()
      // Only a file of several parts needs an upload with a beginning and an end.
      if (first.length === PART_BYTES) return writeParts(object, first, pieces)
      await call({ method: 'PUT', object, body: first })
      return first.length
    },
    async *read(file, part, from, to) {
      const object = folderOf(file) + part
      for (let at = from; at < to; ) {
        const end = Math.min(to, at + READ_BYTES)
        const headers = { range: `bytes=${at}-${end - 1}` }
        const { code, body } = await call({
          method: 'GET' as const,
          object,
          headers,
          expected: ['NoSuchKey', 'InvalidRange'],
        })
        if (code !== null || body.length !== end - at) throw new BytesGone()
        yield body
        at = end
      }
    },
    async remove(file, part) {
      const folder = folderOf(file)
      for (const name of part === undefined ? ALL_PARTS : [part])
        await call({ method: 'DELETE', object: folder + name, expected: ['NoSuchKey'] })
      if (part === undefined) await abortUploads(folder)
    },
  }

  async function writeParts(object: string, first: Uint8Array, rest: AsyncIterable<Uint8Array>) {
    const begun = await call({ method: 'POST', object, query: { uploads: '' } })
    const uploadId = textOf(begun.body, 'UploadId')
    if (uploadId === undefined) throw new StoreFailed('began an upload without an id')
    try {
      const tags: string[] = []
      let size = 0
      const send = async (body: Uint8Array) => {
        const query = { partNumber: String(tags.length + 1), uploadId }
        const { headers } = await call({ method: 'PUT', object, query, body })
        tags.push(String(headers.etag))
        size += body.length
      }
      await send(first)
      for await (const piece of rest) await send(piece)
      const parts = tags.map(
        (tag, at) => `<Part><PartNumber>${at + 1}</PartNumber><ETag>${tag}</ETag></Part>`,
      )
      const body = Buffer.from(`<CompleteMultipartUpload>${parts.join('')}</CompleteMultipartUpload>`)
      await call({ method: 'POST', object, query: { uploadId }, body })
      return size
    } catch (error) {
      // If this fails as well, the file's removal ends the upload.
      await abort(object, uploadId).catch(() => {})
      throw error
    }
  }

  /** Ends uploads of a file whose process has died, whose parts no other call would reach. */
  async function abortUploads(folder: string): Promise<void> {
    const query = { uploads: '', prefix: folder }
    const { code, body } = await call({ method: 'GET', object: '', query, expected: ['NotImplemented'] })
    // Such a store ends them by a rule of the bucket's own.
    if (code !== null) return
    for (const [upload] of body.toString().matchAll(/<Upload>.*?<\/Upload>/gs)) {
      const object = textOf(upload, 'Key')
      const uploadId = textOf(upload, 'UploadId')
      if (object?.startsWith(folder) && uploadId !== undefined) await abort(object, uploadId)
    }
  }

  async function abort(object: string, uploadId: string): Promise<void> {
    await call({ method: 'DELETE', object, query: { uploadId }, expected: ['NoSuchUpload'] })
  }
}

/** Returns the text of an element of XML. */
function textOf(xml: Buffer | string, name: string): string | undefined {
  return new RegExp(`<${name}>([^<]*)</${name}>`)
    .exec(String(xml))?.[1]
    ?.replace(/&(amp|lt|gt|quot|apos);/g, (_, sign: keyof typeof signs) => signs[sign])
}

const signs = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }
