import { readAgent } from '../agents/agent.ts'
import { chooseEmbedders } from '../agents/embedder-of-agent.ts'
import type { Foundation } from '../foundation.ts'
import { findsPassages } from '../knowledge/search/find-passages.ts'
import { reranksPassages } from '../knowledge/search/rerank-passages.ts'
import { describeFailure } from '../lib/describe-failure.ts'
import type { Outbound } from '../lib/outbound/outbound.ts'
import { describeModelError, ModelError } from '../model/model.ts'
import { openReranker, type Reranker } from '../model/reranker.ts'
import { maskedEmbedder, maskedReranker } from '../privacy/mask/masked-model.ts'
import type { MaskOf } from '../privacy/mask/masks.ts'
import { type Metering, meteredEmbedder } from '../usage/metered.ts'

interface Dependencies {
  outbound: Outbound
  metering: Metering
  maskOf: MaskOf
  /** Reports a part of a search that failed, with the reason: without any words of texts. */
  failed: (why: Record<string, unknown>, what: string) => void
  /** The longest time that a search waits for vectors to be read; by default, that of an answer. */
  readWithinMs?: number
}

/**
 * Creates the search for passages in agents' documents, with the servers that the installation and its agents have for
 * it.
 */
export function openSearch(
  { config, clock, database: { db }, box }: Foundation,
  { outbound, metering, maskOf, failed, ...limits }: Dependencies,
) {
  const embedderFor = chooseEmbedders({ installation: config.embedding, outbound, box })
  const embedderOf = async (agentId: number, name?: string) => {
    const agent = await readAgent(db, agentId)
    const mask = maskOf(agent)
    const embedder = embedderFor(agent, name)
    return embedder && meteredEmbedder(mask ? maskedEmbedder(embedder, mask) : embedder, agentId, metering)
  }
  const rerankerOf = (reranker: Reranker) => async (agentId: number) => {
    const mask = maskOf(await readAgent(db, agentId))
    return mask ? maskedReranker(reranker, mask) : reranker
  }
  const { reranking } = config
  const findPassages = findsPassages({
    db,
    clock,
    embedderOf,
    embeddingFailed: (error) => failed(describe(error), 'a question could not be embedded'),
    rerank:
      reranking.url === null
        ? null
        : reranksPassages(
            rerankerOf(openReranker({ ...reranking, url: reranking.url, trusted: true }, outbound)),
            (error) => {
              // The server's message may contain a piece of a passage.
              const { said: _, ...told } = describe(error)
              failed(told, 'passages could not be reranked')
            },
          ),
    ...limits,
  })
  return { embedderOf, findPassages }
}

function describe(error: unknown): Record<string, unknown> {
  return error instanceof ModelError ? describeModelError(error) : { error: describeFailure(error) }
}
