import { setTimeout as pause } from 'node:timers/promises'
import { OutboundError, type OutboundResponse, type TeamHttp } from '../../lib/outbound/outbound.ts'
import type { S3Address } from '../../lib/s3-address.ts'
import { StoreFailed } from './file-place.ts'

/** The credentials of a store. */
interface StoreKeys {
  key: string
  secret: string
}

interface Call {
  method: 'GET' | 'PUT' | 'POST' | 'DELETE'
  /** The object; empty for the bucket. */
  object: string
  query?: Record<string, string>
  headers?: Record<string, string>
  body?: Uint8Array
  /** The codes of errors that are returned in the answer and not thrown. */
  expected?: readonly string[]
}

/** An answer of a store. */
interface StoreAnswer {
  /** The code of an expected error; null: there was none. */
  code: string | null
  headers: OutboundResponse['headers']
  body: Buffer
}

const MOST_TRIES = 3
const FIRST_PAUSE_MS = 200
const TIMEOUT_MS = 30_000
/** No answer is larger than a range of a file and a page of a list. */
const LARGEST_ANSWER = 4 * 1024 * 1024

export type S3Client = ReturnType<typeof s3Client>

/**
 * Returns a function that calls a store, and tries again what fails for the moment: all calls may be repeated.
 * @throws StoreFailed
 */
export function s3Client(
  { endpoint, bucket, region }: S3Address,
  { key, secret }: StoreKeys,
  http: TeamHttp,
) {
  return async ({
    method,
    object,
    query = {},
    headers = {},
    body,
    expected = [],
  }: Call): Promise<StoreAnswer> => {
    const url = new URL(`${endpoint}/${bucket}/${object}`)
    url.search = String(new URLSearchParams(query))
    for (let tries = 1; ; tries++) {
      // A connection that the store is just closing is not used twice.
      const answer = await send(url, tries > 1).catch((error: unknown) => error as OutboundError)
      const isAnswer = !(answer instanceof Error)
      const code = isAnswer ? codeOf(answer) : null
      if (isAnswer && (code === null || expected.includes(code)))
        return { code, headers: answer.headers, body: answer.body }
      const mayPass = isAnswer
        ? answer.status >= 500 || answer.status === 429
        : answer instanceof OutboundError && answer.reason !== 'blocked' && answer.reason !== 'tls'
      if (!mayPass || tries === MOST_TRIES)
        throw isAnswer
          ? new StoreFailed(`answered ${answer.status} ${code}`)
          : new StoreFailed(`could not be reached: ${answer.message}`, answer)
      await pause(FIRST_PAUSE_MS * 4 ** (tries - 1))
    }

    async function send(url: URL, freshConnection: boolean): Promise<OutboundResponse> {
      const { AwsV4Signer } = await import('aws4fetch')
      const signed = await new AwsV4Signer({
        method,
        url: String(url),
        service: 's3',
        region,
        accessKeyId: key,
        secretAccessKey: secret,
        headers: { ...headers, 'x-amz-content-sha256': await hashOf(body) },
      }).sign()
      return http.request(signed.url, {
        method,
        headers: Object.fromEntries(signed.headers),
        trusted: true,
        freshConnection,
        timeoutMs: TIMEOUT_MS,
        maxResponseBytes: LARGEST_ANSWER,
        ...(body ? { body } : {}),
      })
    }
  }
}

/** Returns the code of an error; null for a success. The end of an upload may fail with a status of success. */
function codeOf({ status, body }: OutboundResponse): string | null {
  if (status < 300 && !(status === 200 && /^(<\?xml[^>]*>)?\s*<Error>/.test(body.toString('latin1', 0, 200))))
    return null
  return /<Code>(\w{1,64})<\/Code>/.exec(body.toString('latin1'))?.[1] ?? 'without a code'
}

/** Hashes in a thread, since a part of a file takes some time. */
async function hashOf(body: Uint8Array = new Uint8Array()): Promise<string> {
  return Buffer.from(await crypto.subtle.digest('SHA-256', body as Uint8Array<ArrayBuffer>)).toString('hex')
}
