import type { FastifyReply } from 'fastify'

/** Sends JSON text as it is, for an answer that was written as text. */
export async function sendJson(reply: FastifyReply, json: string): Promise<void> {
  await reply.type('application/json; charset=utf-8').send(json)
}
