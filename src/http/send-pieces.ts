import { AsyncLocalStorage } from 'node:async_hooks'
import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'

/** A client that does not take `MOST_BYTES` for this long is cut off: one on a slow line takes some all the time. */
const STALLED_MS = 60_000
const MOST_BYTES = 64 * 1024

/**
 * Answers with a text or bytes of any length, piece by piece: the next one is made when the client has taken the one
 * before. A client that accepts next to nothing for a minute is cut off. When a piece fails, the answer is cut off too,
 * and so lacks its end.
 * @param type the content type
 * @param name of the file, as browsers store it
 * @param isShown true if browsers may show it in place
 */
export async function sendPieces(
  reply: FastifyReply,
  pieces: AsyncIterable<string | Uint8Array>,
  {
    type,
    name,
    isShown = false,
    stalledMs = STALLED_MS,
  }: { type: string; name: string; isShown?: boolean; stalledMs?: number },
): Promise<void> {
  const { raw } = reply
  const stream = Readable.from(inThisContext(watched(pieces, raw, stalledMs)), {
    objectMode: false,
    highWaterMark: 1,
  })
  await reply
    .type(type)
    .header('content-disposition', `${isShown ? 'inline' : 'attachment'}; ${fileName(name)}`)
    .header('cache-control', 'no-store')
    .send(stream)
}

/** Cuts large pieces, and ends the connection when the client is not ready for the next bytes in time. */
async function* watched(
  pieces: AsyncIterable<string | Uint8Array>,
  raw: FastifyReply['raw'],
  stalledMs: number,
): AsyncGenerator<Uint8Array> {
  for await (const piece of pieces) {
    const bytes = typeof piece === 'string' ? Buffer.from(piece) : piece
    for (let at = 0; at < bytes.length; at += MOST_BYTES) {
      const stalled = setTimeout(() => raw.destroy(), stalledMs)
      try {
        yield bytes.subarray(at, at + MOST_BYTES)
      } finally {
        clearTimeout(stalled)
      }
    }
  }
}

/**
 * Makes each piece in the asynchronous context of this call. The socket may ask for a piece in another context, such as
 * that of an earlier request on the same connection, which has another agent.
 */
function inThisContext<T>(pieces: AsyncGenerator<T>): AsyncIterable<T> {
  const next = AsyncLocalStorage.bind(() => pieces.next())
  const end = AsyncLocalStorage.bind(() => pieces.return(undefined))
  return { [Symbol.asyncIterator]: () => ({ next, return: end }) }
}

/** Writes the name of a file for the header, as RFC 6266 says: in ASCII, and whole if it has other characters. */
function fileName(name: string): string {
  const plain = name.replaceAll(/[^\x20-\x7e]/gu, '_').replaceAll(/["\\%]/g, '_')
  if (plain === name) return `filename="${name}"`
  const whole = encodeURIComponent(name.toWellFormed()).replaceAll(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `filename="${plain}"; filename*=UTF-8''${whole}`
}
