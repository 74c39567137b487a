import type { TestAgent } from './app.ts'
import { startPeer } from './peer.ts'

/** A service that judges texts and never answers: an answer that it is asked about is made, and not stored yet. */
export async function holdJudge() {
  const asked = Promise.withResolvers<void>()
  const peer = await startPeer(() => asked.resolve())
  return {
    /** Resolves when it is asked. */
    asked: asked.promise,
    /** Makes an evaluator of an agent that asks it, and returns its id. */
    async addTo(agent: TestAgent): Promise<number> {
      const evaluator = { name: 'Held', kind: 'webhook', settings: { url: peer.url } }
      const { status, text, body } = await agent.post('/evaluators', evaluator)
      if (status !== 201) throw new Error(text)
      return body.data.id
    },
    [Symbol.asyncDispose]: () => peer.close(),
  }
}
