import { randomUUID } from 'node:crypto'

/** A file as a part of a form. */
interface FormFile {
  field: string
  name: string
  type: string
  bytes: number
  content: AsyncIterable<Uint8Array>
}

/** The body of a request, with the headers that describe it. */
export interface FormBody {
  headers: { 'content-type': string; 'content-length': string }
  body: AsyncIterable<Uint8Array>
}

/** Makes a form of texts and a file (RFC 7578), whose bytes are read as they are sent. */
export function multipart(fields: Record<string, string>, file: FormFile): FormBody {
  const boundary = `parley-${randomUUID()}`
  const part = (name: string, more = '') =>
    `--${boundary}\r\ncontent-disposition: form-data; name="${name}"${more}\r\n`
  const texts = Object.entries(fields).map(([name, value]) => `${part(name)}\r\n${value}\r\n`)
  const about = `; filename="${escaped(file.name)}"\r\ncontent-type: ${file.type}\r\n`
  const head = Buffer.from(`${texts.join('')}${part(file.field, about)}`)
  const tail = Buffer.from(`\r\n--${boundary}--\r\n`)
  return {
    headers: {
      'content-type': `multipart/form-data; boundary=${boundary}`,
      'content-length': String(head.length + file.bytes + tail.length),
    },
    body: joined(head, file.content, tail),
  }
}

async function* joined(head: Uint8Array, content: AsyncIterable<Uint8Array>, tail: Uint8Array) {
  yield head
  yield* content
  yield tail
}

/** Escapes a file's name as browsers do. */
function escaped(name: string): string {
  return name.replace(/["\r\n]/g, (character) => encodeURIComponent(character))
}
