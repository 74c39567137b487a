import { memo } from '../lib/memo.ts'
import type { Outbound } from '../lib/outbound/outbound.ts'
import type { SecretBox } from '../lib/secrets/secret-box.ts'
import { type Embedder, openEmbedder } from '../model/embedder.ts'
import type { Agent } from './agent.ts'
import { type InstallationServer, serverOf } from './server-of-agent.ts'

interface EmbedderChoice {
  installation: InstallationServer
  outbound: Outbound
  box: SecretBox
}

const UNNAMED = 'default'

/** Chooses the server that embeds an agent's passages and the questions to it; null when there is none. */
export function chooseEmbedders({
  installation,
  outbound,
  box,
}: EmbedderChoice): (agent: Agent, name?: string) => Embedder | null {
  const cached = memo<string, Embedder | null>()

  function choose(agent: Agent, name: string | undefined): Embedder | null {
    const server = serverOf(agent, 'embedding', installation, UNNAMED, box)
    return server && openEmbedder({ ...server, name: name ?? server.name }, outbound.of(agent.teamId))
  }

  return (agent, name) =>
    cached(`${agent.id} ${name}`, JSON.stringify(agent.settings.embedding), () => choose(agent, name))
}
