import { EMBEDDING_SERVER, type Embedded, type Embedder } from '../../model/embedder.ts'
import { ModelError } from '../../model/model.ts'
import { serverFailures } from '../../model/server-failures.ts'

/** The time limit of a call. Servers that have to load the model first take long. */
const TIMEOUT_MS = 60_000
/** The length up to which a refused text is not cut further: something else is wrong with it. */
const SHORTEST = 400
/** Statuses with which servers refuse texts that are too long and batches that are too large. */
const REFUSED = new Set([400, 413, 422])

/**
 * Embeds texts, in smaller parts if the server refuses them together. If a text is too long for the server, its
 * beginning is embedded.
 * @returns a vector for each text; null: the server refuses even its beginning
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
    // This call tells whether the server refuses the text or everything.
    const { dimension, tokens } = await embedder.embed([PROBE], { timeoutMs: TIMEOUT_MS, signal })
    return { vectors: [null], dimension, tokens }
  }
}

/** Tells whether the server refused the texts themselves. */
export function isRefused(error: unknown): boolean {
  return error instanceof ModelError && REFUSED.has(error.status ?? 0)
}

const PROBE = 'Hello'

/** Asks for one vector, to learn its dimension. */
export async function dimensionOf(embedder: Embedder, signal: AbortSignal): Promise<number> {
  const { dimension } = await embedder.embed([PROBE], { timeoutMs: TIMEOUT_MS, signal })
  return dimension
}

/** @throws ModelError when a server has changed its model between two calls */
function joined(one: Embedded, other: Embedded): Embedded {
  if (one.dimension !== other.dimension)
    throw new ModelError(
      'protocol',
      serverFailures.say('mixed_dimensions', {
        server: EMBEDDING_SERVER,
        one: one.dimension,
        other: other.dimension,
      }),
    )
  return {
    vectors: [...one.vectors, ...other.vectors],
    dimension: one.dimension,
    tokens: one.tokens + other.tokens,
  }
}
