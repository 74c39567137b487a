import { memo } from '../lib/memo.ts'
import type { Outbound } from '../lib/outbound/outbound.ts'
import type { SecretBox } from '../lib/secrets/secret-box.ts'
import { type Embedder, type EmbeddingServer, openEmbedder } from '../model/embedder.ts'
import { type Agent, openKey, secretPlace } from './agent.ts'

export interface EmbedderChoice {
  /** The server that the operator configured for the whole installation. */
  installation: { readonly url: string | null; readonly apiKey: string | null; readonly name: string | null }
  outbound: Outbound
  box: SecretBox
}

const UNNAMED = 'default'
const AGENTS_KEPT = 1000

/**
 * Chooses the server that embeds an agent's passages and the questions to it: its own, otherwise the installation's;
 * null when there is none. Only an address from the environment may be private, and only such an address gets the
 * environment's key.
 */
export function chooseEmbedders({
  installation,
  outbound,
  box,
}: EmbedderChoice): (agent: Agent, name?: string) => Embedder | null {
  const kept = memo<string, Embedder | null>(AGENTS_KEPT)

  function serverOf({ id, settings: { embedding } }: Agent): EmbeddingServer | null {
    const name = embedding.name ?? installation.name ?? UNNAMED
    if (embedding.url !== null) {
      const apiKey = openKey(embedding, secretPlace(id, 'embedding'), box)
      return { url: embedding.url, apiKey, name, trusted: false }
    }
    const { url, apiKey } = installation
    return url === null ? null : { url, apiKey, name, trusted: true }
  }

  function choose(agent: Agent, name: string | undefined): Embedder | null {
    const server = serverOf(agent)
    return server && openEmbedder({ ...server, name: name ?? server.name }, outbound.of(agent.teamId))
  }

  return (agent, name) =>
    kept(`${agent.id} ${name}`, JSON.stringify(agent.settings.embedding), () => choose(agent, name))
}
