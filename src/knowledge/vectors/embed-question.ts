import { createHash } from 'node:crypto'
import { newest } from '../../lib/newest.ts'
import type { Embedder } from '../../model/embedder.ts'
import { startOfQuestion } from '../start-of-question.ts'
import { isRefused } from './embed-texts.ts'

/** The maximum time that an answer waits for the server. After it, only words are searched for. */
const TIMEOUT_MS = 2000
/** The time for which a server that failed is not asked. */
const REST_MS = 5000
const QUESTIONS_KEPT = 500

/** Returns the vector of a question; null: the server does not answer, or not in time. */
type EmbedQuestion = (
  agentId: number,
  embedder: Embedder,
  model: string,
  question: string,
) => Promise<Float32Array | null>

/**
 * Embeds questions, and keeps the vectors of recent ones. After a failure an agent's server is left alone for some
 * seconds, so that it delays few answers; other agents may have other keys for it. A refused question says nothing
 * about the server.
 */
export function embedQuestions(failed: (embedder: Embedder, error: unknown) => void): EmbedQuestion {
  const kept = newest<string, Promise<Float32Array | null>>(QUESTIONS_KEPT)
  const resting = newest<string, number>()

  async function ask(agentId: number, embedder: Embedder, question: string): Promise<Float32Array | null> {
    const place = `${agentId} ${embedder.url}`
    if (performance.now() < (resting.get(place) ?? 0)) return null
    try {
      const { vectors } = await embedder.embed([question], { timeoutMs: TIMEOUT_MS })
      resting.delete(place)
      return vectors[0] ?? null
    } catch (error) {
      if (!isRefused(error)) resting.set(place, performance.now() + REST_MS)
      failed(embedder, error)
      return null
    }
  }

  return async (agentId, embedder, model, question) => {
    const text = startOfQuestion(question)
    if (text.trim() === '') return null
    // Only a hash of the question is kept.
    const key = createHash('sha256').update(`${embedder.url}\0${model}\0${text}`).digest('base64url')
    const present = kept.get(key)
    if (present) return present
    const asked = ask(agentId, embedder, text)
    kept.set(key, asked)
    if ((await asked) === null) kept.delete(key)
    return asked
  }
}
