import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { keepsConnections } from './keeps-connections.ts'

const KEY = 'AKIDPARLEY'
const SECRET = 'the secret/of+a store'
const REGION = 'eu-central-1'
const BUCKET = 'files-of-parley'

/** A store that speaks the protocol of Amazon S3, as far as files need it, and refuses what is not signed. */
interface S3Peer extends AsyncDisposable {
  url: string
  /** The settings of a service that keeps files in it. */
  settings: Record<string, string>
  objects: Map<string, Buffer>
  /** Uploads of several parts that were begun and not ended. */
  uploads: Map<string, { object: string; parts: Map<number, Buffer> }>
  /** The number of requests that it took. */
  readonly requests: number
  /** Tells which requests are done and never answered; null: none. */
  isUnanswered: ((request: IncomingMessage) => boolean) | null
  /** Answers a request in another way than usual; null: as usual. */
  inPlace: ((request: IncomingMessage, response: ServerResponse) => boolean) | null
}

export async function startS3Peer(): Promise<S3Peer> {
  const objects: S3Peer['objects'] = new Map()
  const uploads: S3Peer['uploads'] = new Map()
  let requests = 0
  const server = createServer(async (request, response) => {
    requests++
    if (peer.inPlace?.(request, response)) return
    const body = await buffer(request)
    if (peer.isUnanswered?.(request)) response.end = () => response
    const refused = refusalOf(request, body)
    if (refused) return fail(response, 403, refused)
    const url = new URL(request.url ?? '', 'http://peer')
    const [, bucket, object = ''] = /^\/([^/]+)\/?(.*)$/.exec(url.pathname) ?? []
    if (bucket !== BUCKET) return fail(response, 404, 'NoSuchBucket')
    answer(request, response, body, decodeURIComponent(object), url.searchParams)
  })
  keepsConnections(server)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const peer: S3Peer = {
    url,
    settings: {
      PARLEY_FILES_URL: `s3://${BUCKET}/of/messages?endpoint=${url}&region=${REGION}`,
      PARLEY_FILES_KEY: KEY,
      PARLEY_FILES_SECRET: SECRET,
    },
    objects,
    uploads,
    get requests() {
      return requests
    },
    isUnanswered: null,
    inPlace: null,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
    },
  }
  return peer

  function answer(
    { method, headers }: IncomingMessage,
    response: ServerResponse,
    body: Buffer,
    object: string,
    query: URLSearchParams,
  ): void {
    const uploadId = query.get('uploadId')
    const upload = uploadId === null ? undefined : uploads.get(uploadId)
    if (uploadId !== null && upload?.object !== object) fail(response, 404, 'NoSuchUpload')
    else if (method === 'GET' && query.has('uploads')) {
      const found = [...uploads].filter(([, { object }]) => object.startsWith(query.get('prefix') ?? ''))
      const listed = found.map(
        ([id, { object }]) => `<Upload><Key>${object}</Key><UploadId>${escaped(id)}</UploadId></Upload>`,
      )
      response.end(`${XML}<ListMultipartUploadsResult>${listed.join('\n')}</ListMultipartUploadsResult>`)
    } else if (method === 'POST' && query.has('uploads')) {
      const id = `up&load/${uploads.size + 1}-${requests}`
      uploads.set(id, { object, parts: new Map() })
      response.end(
        `${XML}<InitiateMultipartUploadResult>\n<UploadId>${escaped(id)}</UploadId></InitiateMultipartUploadResult>`,
      )
    } else if (upload && uploadId !== null) {
      if (method === 'PUT') {
        upload.parts.set(Number(query.get('partNumber')), body)
        response.setHeader('etag', tagOf(body)).end()
      } else if (method === 'DELETE') {
        uploads.delete(uploadId)
        response.writeHead(204).end()
      } else complete(response, uploadId, body)
    } else if (method === 'PUT') {
      objects.set(object, body)
      response.setHeader('etag', tagOf(body)).end()
    } else if (method === 'DELETE') {
      objects.delete(object)
      response.writeHead(204).end()
    } else get(response, objects.get(object), headers.range)
  }

  function complete(response: ServerResponse, uploadId: string, body: Buffer): void {
    const { object, parts } = uploads.get(uploadId) as { object: string; parts: Map<number, Buffer> }
    const named = [...String(body).matchAll(/<PartNumber>(\d+)<\/PartNumber><ETag>([^<]+)<\/ETag>/g)]
    const pieces = named.map(([, number]) => parts.get(Number(number)))
    // Stores say so with a status of success.
    if (pieces.some((piece, at) => !piece || tagOf(piece) !== named[at]?.[2]))
      fail(response, 200, 'InvalidPart')
    else if (pieces.slice(0, -1).some((piece) => (piece?.length ?? 0) < 5 * 1024 * 1024))
      fail(response, 200, 'EntityTooSmall')
    else {
      objects.set(object, Buffer.concat(pieces as Buffer[]))
      uploads.delete(uploadId)
      response.end(`${XML}<CompleteMultipartUploadResult/>`)
    }
  }
}

function get(response: ServerResponse, object: Buffer | undefined, range = ''): void {
  if (!object) {
    fail(response, 404, 'NoSuchKey')
    return
  }
  const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(range) ?? []
  if (from === undefined) response.end(object)
  else if (Number(from) >= object.length) fail(response, 416, 'InvalidRange')
  else response.writeHead(206).end(object.subarray(Number(from), Number(to) + 1))
}

const XML = '<?xml version="1.0" encoding="UTF-8"?>\n'
const escaped = (text: string) => text.replaceAll('&', '&amp;')
const tagOf = (bytes: Buffer) => `"${createHash('md5').update(bytes).digest('hex')}"`

function fail(response: ServerResponse, status: number, code: string): void {
  response.writeHead(status).end(`${XML}<Error><Code>${code}</Code></Error>`)
}

/** Checks a signature as Amazon's documents on version 4 say; returns the code of what is wrong. */
function refusalOf({ method, url = '', headers }: IncomingMessage, body: Buffer): string | null {
  const [, key, day, region, names, given = ''] =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/.exec(
      headers.authorization ?? '',
    ) ?? []
  if (key !== KEY || region !== REGION || names === undefined) return 'InvalidAccessKeyId'
  const time = String(headers['x-amz-date'])
  if (!time.startsWith(String(day))) return 'RequestTimeTooSkewed'
  const hash = createHash('sha256').update(body).digest('hex')
  if (headers['x-amz-content-sha256'] !== hash) return 'XAmzContentSHA256Mismatch'
  const signed = names.split(';')
  if (!['host', 'x-amz-content-sha256', 'x-amz-date'].every((name) => signed.includes(name)))
    return 'AccessDenied'
  const [path = '', search = ''] = url.split('?')
  const canonical = [
    method,
    path,
    search
      .split('&')
      .filter(Boolean)
      .map((pair) => (pair.includes('=') ? pair : `${pair}=`))
      .sort()
      .join('&'),
    ...signed.map((name) => `${name}:${String(headers[name]).trim()}`),
    '',
    names,
    hash,
  ].join('\n')
  const scope = `${day}/${region}/s3/aws4_request`
  const toSign = ['AWS4-HMAC-SHA256', time, scope, createHash('sha256').update(canonical).digest('hex')].join(
    '\n',
  )
  const signingKey = [day, region, 's3', 'aws4_request'].reduce<string | Buffer>(
    (key, part) => createHmac('sha256', key).update(String(part)).digest(),
    `AWS4${SECRET}`,
  )
  const expected = createHmac('sha256', signingKey).update(toSign).digest()
  return timingSafeEqual(expected, Buffer.from(given, 'hex')) ? null : 'SignatureDoesNotMatch'
}
