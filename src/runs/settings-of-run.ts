import { type Agent, modelWithDefaults } from '../agents/agent.ts'
import { type AgentPatch, type AgentSettings, defaultSettings, SERVERS } from '../agents/settings.ts'
import { sealFallbacks } from '../agents/update-agent.ts'
import { invalidField } from '../errors.ts'
import type { SecretBox } from '../lib/secrets/secret-box.ts'

/** Applies a patch to an agent's settings, without keys: these stay with the agent. */
export function patchedSettings(settings: AgentSettings, patch: AgentPatch): AgentSettings {
  const { name: _, model, embedding, transcription, redaction, ...plain } = patch
  return withoutKeys({
    ...settings,
    ...defined(plain),
    model: { ...settings.model, ...defined(model), ...fallbacksOf(model) },
    embedding: { ...settings.embedding, ...defined(embedding) },
    transcription: { ...settings.transcription, ...defined(transcription) },
    redaction: { ...settings.redaction, ...defined(redaction) },
  } as AgentSettings)
}

function withoutKeys(settings: AgentSettings): AgentSettings {
  return {
    ...settings,
    model: {
      ...settings.model,
      api_key: null,
      fallbacks: settings.model.fallbacks.map((one) => ({ ...one, api_key: null })),
    },
    embedding: { ...settings.embedding, api_key: null },
    transcription: { ...settings.transcription, api_key: null },
    redaction: { ...settings.redaction, api_key: null },
  }
}

/** Returns an agent with the settings of a run, and with its own keys, which open only for their origins. */
export function agentOfRun(agent: Agent, settings: AgentSettings, box: SecretBox): Agent {
  const { model, embedding, transcription, redaction } = agent.settings
  const tested = modelWithDefaults(settings.model)
  const given = tested.fallbacks.map(({ kind, url, name }) => ({ kind, url, name }))
  const fallbacks = sealFallbacks(box, agent.id, given, model.fallbacks)
  return {
    ...agent,
    settings: {
      // A run may have begun before a setting was there.
      ...defaultSettings,
      ...settings,
      model: withKey({ ...tested, fallbacks }, model),
      embedding: withKey(settings.embedding, embedding),
      transcription: withKey(settings.transcription ?? defaultSettings.transcription, transcription),
      redaction: withKey(settings.redaction, redaction),
    },
  }
}

function withKey<T extends { api_key: string | null }>(
  server: T,
  { api_key }: { api_key: string | null },
): T {
  return { ...server, api_key }
}

/** @throws ApiError invalid_request when a patch has a key, which a run would have to keep */
export function refuseKeys(patch: AgentPatch): void {
  const servers = [
    ...SERVERS.map((name) => [name, patch[name]] as const),
    ...(patch.model?.fallbacks ?? []).map((one, at) => [`model.fallbacks.${at}`, one] as const),
  ]
  const [name] = servers.find(([, server]) => server?.api_key !== undefined) ?? []
  if (name)
    throw invalidField(`settings.${name}.api_key`, 'a run takes no key: it uses those that the agent has.')
}

function fallbacksOf(model: AgentPatch['model']) {
  if (!model?.fallbacks) return {}
  return { fallbacks: model.fallbacks.map(({ kind, url, name }) => ({ kind, url, name, api_key: null })) }
}

/** Removes fields that are undefined, because in a patch that means the same as absent. */
function defined<T extends object>(value: T | undefined): Partial<T> {
  return Object.fromEntries(
    Object.entries(value ?? {}).filter(([, field]) => field !== undefined),
  ) as Partial<T>
}
