import { createHash } from 'node:crypto'
import { newest } from '../../lib/newest.ts'
import type { Embedder } from '../../model/embedder.ts'

/** An answer waits no longer for the server than this: words alone are searched for. */
const TIMEOUT_MS = 2000
/** How long a server that failed is not asked. */
const REST_MS = 5000
const QUESTIONS_KEPT = 500
const LONGEST_QUESTION = 4000

/** Gives the vector of a question; null: the server does not answer, or not soon enough. */
export type EmbedQuestion = (
  embedder: Embedder,
  model: string,
  question: string,
) => Promise<Float32Array | null>

/**
 * Embeds questions, each once while it is asked again and again. A server that fails is left alone for some seconds, so
 * that it delays few answers.
 */
export function embedQuestions(failed: (embedder: Embedder, error: unknown) => void): EmbedQuestion {
  const kept = newest<string, Promise<Float32Array | null>>(QUESTIONS_KEPT)
  const resting = new Map<string, number>()

  async function ask(embedder: Embedder, question: string): Promise<Float32Array | null> {
    if (performance.now() < (resting.get(embedder.url) ?? 0)) return null
    try {
      const { vectors } = await embedder.embed([question], { timeoutMs: TIMEOUT_MS })
      resting.delete(embedder.url)
      return vectors[0] ?? null
    } catch (error) {
      resting.set(embedder.url, performance.now() + REST_MS)
      failed(embedder, error)
      return null
    }
  }

  return async (embedder, model, question) => {
    const text = question.slice(0, LONGEST_QUESTION).toWellFormed()
    if (text.trim() === '') return null
    // Nobody's words are kept.
    const key = createHash('sha256').update(`${embedder.url}\0${model}\0${text}`).digest('base64url')
    const present = kept.get(key)
    if (present) return present
    const asked = ask(embedder, text)
    kept.set(key, asked)
    if ((await asked) === null) kept.delete(key)
    return asked
  }
}
