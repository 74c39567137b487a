import type { FastifyReply } from 'fastify'

/** Sends an answer that is already JSON text. */
export async function sendJson(reply: FastifyReply, json: string): Promise<void> {
  await reply.type('application/json; charset=utf-8').send(json)
}
