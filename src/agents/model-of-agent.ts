import { memo } from '../lib/memo.ts'
import type { ModelKind } from '../lib/model-kinds.ts'
import type { Outbound } from '../lib/outbound/outbound.ts'
import type { SecretBox } from '../lib/secrets/secret-box.ts'
import type { ModelServer } from '../model/ask-model-server.ts'
import type { CallKind } from '../model/call-kinds.ts'
import type { Model, ModelError } from '../model/model.ts'
import { servedModel } from '../model/served-model.ts'
import { withFallbacks } from '../model/with-fallbacks.ts'
import { withRetries } from '../model/with-retries.ts'
import { withoutFiles } from '../model/without-files.ts'
import { withoutSystemRole } from '../model/without-system-role.ts'
import { withoutTools } from '../model/without-tools.ts'
import { type Agent, fallbackPlace, openKey } from './agent.ts'
import { serverOf } from './server-of-agent.ts'

/** The model that answers for an agent, with the name that requests and lists use for it. */
export interface NamedModel {
  model: Model
  name: string
  /** True for the knowledge answerer, which follows no instructions. */
  isBuiltIn: boolean
  /** The protocol of the server that is asked first; undefined for the knowledge answerer. */
  kind?: ModelKind
  /** Tells whether the model takes tools, as far as it is known. */
  takesTools: () => boolean
  /** Tells whether the model takes pictures, as far as it is known; absent: it does. */
  takesFiles?: () => boolean
}

export interface ModelChoice {
  /** The model that the operator configured for the whole installation. */
  installation: {
    readonly kind: ModelKind
    readonly url: string | null
    readonly apiKey: string | null
    readonly name: string | null
    /** The most times that a server is asked again after a failure that will pass. */
    readonly retries: number
  }
  outbound: Outbound
  box: SecretBox
  /** Creates the model for an agent when no model server is set. */
  knowledgeAnswerer: (agent: Agent) => Model
  /** Counts the usage of a model's calls. */
  metered: (model: Model, agentId: number, kind: CallKind) => Model
  /** Wraps the model of an agent that masks what is sent to model servers. */
  masked: (model: Model, agent: Agent) => Model
  /** Reports that a call of an agent's model failed and another server is asked in its place. */
  fellBack: (agentId: number, error: ModelError) => void
}

const BUILT_IN = 'parley-knowledge'
const UNNAMED = 'default'
const MODELS_KEPT = 2000

/**
 * Chooses the model of an agent: its own server, otherwise the installation's, otherwise the built-in knowledge
 * answerer. Only an address from the environment may be private, and only such an address gets the environment's key.
 */
export function chooseModels(choice: ModelChoice): (agent: Agent, kind: CallKind) => NamedModel {
  const { installation, outbound, box } = choice
  const cached = memo<string, NamedModel | null>(MODELS_KEPT)

  /** Returns null when no server is set. */
  function ofServer(agent: Agent, kind: CallKind): NamedModel | null {
    const server = modelServerOf(agent, installation, box)
    if (!server) return null
    const wait = agent.settings.model.timeout_ms
    const timeouts =
      wait === null ? {} : { timeouts: { firstByteMs: wait, idleMs: wait, totalMs: Math.max(wait, 600_000) } }
    const http = outbound.of(agent.teamId)
    const open = (server: ModelServer) => {
      const speaking = withoutSystemRole(servedModel({ ...server, http, ...timeouts }))
      const { model: toolTaker, takesTools } = withoutTools(speaking)
      const { model, takesFiles } =
        agent.settings.model.images === 'auto'
          ? withoutFiles(toolTaker)
          : { model: toolTaker, takesFiles: () => true }
      return { model: choice.metered(model, agent.id, kind), takesTools, takesFiles }
    }
    const servers = [server, ...fallbacksOf(agent, server.name, box)]
    const [first, ...others] = servers.map((server, at) => {
      const { model, ...takes } = open(server)
      // Only the last server is asked again after a pause: before it, the next server can answer at once.
      const isLast = at === servers.length - 1
      return {
        name: server.name,
        model: isLast ? withRetries(model, installation.retries) : model,
        ...takes,
      }
    })
    if (!first) return null
    const served = withFallbacks(first.model, others, (error) => choice.fellBack(agent.id, error))
    const model = choice.masked(served, agent)
    const { name, takesTools, takesFiles } = first
    return { name, isBuiltIn: false, kind: server.kind, takesTools, takesFiles, model }
  }

  return (agent, kind) =>
    cached(`${agent.id} ${kind}`, settingsOf(agent), () => ofServer(agent, kind)) ?? {
      name: BUILT_IN,
      isBuiltIn: true,
      takesTools: () => false,
      model: choice.knowledgeAnswerer(agent),
    }
}

/** Returns the settings on which an agent's model depends: all of them where it masks, as its patterns do. */
function settingsOf({ settings }: Agent): string {
  return JSON.stringify(settings.mask ? settings : settings.model)
}

/** Returns the server of an agent's model; null for the built-in knowledge answerer. */
export function modelServerOf(
  agent: Agent,
  installation: Omit<ModelChoice['installation'], 'retries'>,
  box: SecretBox,
): ModelServer | null {
  const server = serverOf(agent, 'model', installation, UNNAMED, box)
  return server && { ...server, kind: server.trusted ? installation.kind : agent.settings.model.kind }
}

/** Returns an agent without a model server of its own, so that it has that of the installation. */
export function withoutOwnModel(agent: Agent): Agent {
  const model = { ...agent.settings.model, url: null, api_key: null, name: null, fallbacks: [] }
  return { ...agent, settings: { ...agent.settings, model } }
}

/** Returns the servers that are asked when an agent's model fails, in order. */
export function fallbacksOf(
  { id, settings: { model } }: Agent,
  usualName: string,
  box: SecretBox,
): ModelServer[] {
  return model.fallbacks.map((server, index) => ({
    kind: server.kind,
    url: server.url,
    apiKey: openKey(server, fallbackPlace(id, index), box),
    name: server.name ?? usualName,
    trusted: false,
  }))
}
