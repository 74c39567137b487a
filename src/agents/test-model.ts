import type { ModelKind } from '../lib/model-kinds.ts'
import type { Outbound } from '../lib/outbound/outbound.ts'
import type { SecretBox } from '../lib/secrets/secret-box.ts'
import { askModelServer, refusalOfTools } from '../model/ask-model-server.ts'
import { ModelError } from '../model/model.ts'
import { otherKindOf } from '../model/other-kind.ts'
import type { Agent } from './agent.ts'
import { type ModelChoice, modelServerOf } from './model-of-agent.ts'

export interface TestModelDependencies {
  installation: ModelChoice['installation']
  outbound: Outbound
  box: SecretBox
  /** Tells whether an agent offers its model tools. */
  offersTools: (agent: Agent) => Promise<boolean>
}

/** A model server to try before it is saved. */
interface TriedModel {
  kind?: ModelKind | undefined
  url?: string | undefined
  api_key?: string | undefined
  name?: string | undefined
}

/** The result of asking a model server the shortest possible question. */
interface ModelTest {
  ok: boolean
  /** The requested name; null when there is no model server and the built-in answerer answers. */
  model: string | null
  /** The server's status; null when it answered, or could not be asked. */
  status: number | null
  code: string | null
  /** The server's own message, without credentials, or ours when it gave none. */
  message: string
  /** The protocol that the server speaks if it is not the one that was tried; null: no other is known. */
  other_kind: ModelKind | null
  ms: number
}

/**
 * Asks the agent's model for a word, with the agent's settings or with others. The saved key goes only to the origin
 * that it was saved with. A server that refuses the tools that the agent offers is not ok.
 */
export async function testModel(
  { installation, outbound, box, offersTools }: TestModelDependencies,
  agent: Agent,
  tried: TriedModel,
): Promise<ModelTest> {
  const saved = modelServerOf(agent, installation, box)
  const found =
    tried.url === undefined || tried.url === saved?.url
      ? saved
      : modelServerOf(withModelAt(agent, tried.url), installation, box)
  const server = found && {
    ...found,
    kind: tried.kind ?? found.kind,
    apiKey: tried.api_key ?? found.apiKey,
    name: tried.name ?? found.name,
  }
  const said = { status: null, code: null, other_kind: null }
  if (!server) return { ...said, ok: true, model: null, message: 'The built-in answerer answers.', ms: 0 }
  const { name } = server
  const http = outbound.of(agent.teamId)
  const started = performance.now()
  const ended = () => Math.round(performance.now() - started)
  try {
    const refusal = (await offersTools(agent))
      ? await refusalOfTools(server, http)
      : await askModelServer(server, http)
    if (!refusal) return { ...said, ok: true, model: name, message: `${name} answers.`, ms: ended() }
    const told = toldBy(refusal)
    const message = `${name} answers, but refuses tools, which the agent offers: ${told.message}`
    return { ...told, ok: false, model: name, message, other_kind: null, ms: ended() }
  } catch (error) {
    if (!(error instanceof ModelError)) throw error
    const ms = ended()
    const other_kind = await otherKindOf(server, error, http)
    return { ...toldBy(error), ok: false, model: name, other_kind, ms }
  }
}

function toldBy({ status, said, message }: ModelError): Pick<ModelTest, 'status' | 'code' | 'message'> {
  return { status, code: said?.code ?? null, message: said?.message ?? message }
}

function withModelAt(agent: Agent, url: string): Agent {
  const { settings } = agent
  return { ...agent, settings: { ...settings, model: { ...settings.model, url } } }
}
