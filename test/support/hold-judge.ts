import type { TestAgent } from './app.ts'
import { startPeer } from './peer.ts'

/** Starts a service that judges texts and never answers, so that a judged answer exists and is not stored yet. */
export async function holdJudge() {
  const asked = Promise.withResolvers<void>()
  const peer = await startPeer(() => asked.resolve())
  return {
    /** Resolves when the service is asked. */
    asked: asked.promise,
    /** Creates an evaluator of an agent that asks this service, and returns its id. */
    async addTo(agent: TestAgent): Promise<number> {
      const evaluator = { name: 'Held', kind: 'webhook', settings: { url: peer.url } }
      const { status, text, body } = await agent.post('/evaluators', evaluator)
      if (status !== 201) throw new Error(text)
      return body.data.id
    },
    [Symbol.asyncDispose]: () => peer.close(),
  }
}
