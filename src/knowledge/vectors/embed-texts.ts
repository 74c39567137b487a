import type { Embedded, Embedder } from '../../model/embedder.ts'
import { ModelError } from '../../model/model.ts'

/** Servers that have to load the model first take long. */
const TIMEOUT_MS = 60_000
/** A text that the server takes less than this of has something else that is wrong with it. */
const SHORTEST = 400
/** Statuses with which servers refuse a text that is too long, and batches that are too large. */
const REFUSED = new Set([400, 413, 422])

/**
 * Embeds texts, and those in smaller parts that the server does not take together. Of a text that is too long for it the
 * beginning is embedded.
 * @returns a vector a text; null: the server does not take even the beginning
 * @throws ModelError when the server gives no vectors at all
 */
export async function embedTexts(
  embedder: Embedder,
  texts: readonly string[],
  signal: AbortSignal,
): Promise<Embedded> {
  try {
    return await embedder.embed(texts, { timeoutMs: TIMEOUT_MS, signal })
  } catch (error) {
    if (!isRefused(error)) throw error
    const [first = ''] = texts
    if (texts.length > 1) {
      const half = Math.ceil(texts.length / 2)
      const head = await embedTexts(embedder, texts.slice(0, half), signal)
      return joined(head, await embedTexts(embedder, texts.slice(half), signal))
    }
    if (first.length > SHORTEST)
      return embedTexts(embedder, [first.slice(0, first.length / 2).toWellFormed()], signal)
    // Whether it is the text that the server refuses, or everything.
    const { dimension, tokens } = await embedder.embed([PROBE], { timeoutMs: TIMEOUT_MS, signal })
    return { vectors: [null], dimension, tokens }
  }
}

/** Whether the server does not take the texts, as it is. */
export function isRefused(error: unknown): boolean {
  return error instanceof ModelError && REFUSED.has(error.status ?? 0)
}

const PROBE = 'Hello'

/** Asks for one vector, to learn how many numbers it has. */
export async function dimensionOf(embedder: Embedder, signal: AbortSignal): Promise<number> {
  const { dimension } = await embedder.embed([PROBE], { timeoutMs: TIMEOUT_MS, signal })
  return dimension
}

function joined(one: Embedded, other: Embedded): Embedded {
  return {
    vectors: [...one.vectors, ...other.vectors],
    dimension: one.dimension === other.dimension ? one.dimension : 0,
    tokens: one.tokens + other.tokens,
  }
}
