import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'

/** A client that accepts nothing for this long is cut off. */
const STALLED_MS = 60_000

/**
 * Answers with a text of any length, piece by piece: the next one is made when the client has taken the one before. A
 * client that accepts nothing for a minute is cut off. When a piece fails, the answer is cut off too, and so lacks its
 * end.
 * @param type the content type
 * @param name of the file, as browsers store it
 */
export async function sendPieces(
  reply: FastifyReply,
  pieces: AsyncIterable<string>,
  { type, name, stalledMs = STALLED_MS }: { type: string; name: string; stalledMs?: number },
): Promise<void> {
  const { raw } = reply
  const stream = Readable.from(watched(pieces, raw, stalledMs), { objectMode: false, highWaterMark: 1 })
  await reply
    .type(type)
    .header('content-disposition', `attachment; filename="${name}"`)
    .header('cache-control', 'no-store')
    .send(stream)
}

/** Ends the connection when the client is not ready for the next piece in time. */
async function* watched(
  pieces: AsyncIterable<string>,
  raw: FastifyReply['raw'],
  stalledMs: number,
): AsyncGenerator<Buffer> {
  for await (const piece of pieces) {
    const stalled = setTimeout(() => raw.destroy(), stalledMs)
    try {
      yield Buffer.from(piece)
    } finally {
      clearTimeout(stalled)
    }
  }
}
