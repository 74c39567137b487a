import type { Kysely } from 'kysely'
import { presentSecret, type StoredSecret } from '../http/stored-secret.ts'
import { versionOf } from '../http/version.ts'
import type { SentPlace } from '../lib/secrets/sealed-places.ts'
import type { SecretBox } from '../lib/secrets/secret-box.ts'
import type { Tables } from '../storage/tables.ts'
import { type AgentAnswer, type AgentSettings, defaultSettings } from './settings.ts'
import { listAgents, selectAgent, selectAgentsWithPrices } from './store.ts'
import type { AgentRow } from './tables.ts'

/** An agent as the features use it. */
export interface Agent {
  id: number
  teamId: number
  name: string
  isPaused: boolean
  pausedAt: string | null
  resumedAt: string | null
  /** Rises with every change of a rule; 0 before the first one. */
  rulesVersion: number
  createdAt: string
  settings: AgentSettings
}

/** Reads the agent of a caller. It exists, because the caller's key refers to it. */
export async function readAgent(db: Kysely<Tables>, id: number): Promise<Agent> {
  const [row] = await selectAgent(db, { id })
  if (!row) throw new Error('an API key names an agent that does not exist')
  return toAgent(row)
}

/** Reads the agents with some ids; those that were erased are absent. */
export async function readAgents(db: Kysely<Tables>, ids: readonly number[]): Promise<Map<number, Agent>> {
  const agents = new Map<number, Agent>()
  for (const id of new Set(ids)) {
    const [row] = await selectAgent(db, { id })
    if (row) agents.set(id, toAgent(row))
  }
  return agents
}

/** Reads every agent of the installation. */
export async function listAllAgents(db: Kysely<Tables>): Promise<Agent[]> {
  return (await listAgents(db)).map(toAgent)
}

/** Finds the first agent after another; null: there is none. */
export async function nextAgentId(db: Kysely<Tables>, after: number): Promise<number | null> {
  const { next } = await db
    .selectFrom('agents')
    .select(({ fn }) => fn.min('id').as('next'))
    .where('id', '>', after)
    .executeTakeFirstOrThrow()
  return next
}

/** Turns a row into an agent. Settings that are newer than the agent get their defaults. */
export function toAgent(row: AgentRow): Agent {
  return {
    id: row.id,
    teamId: row.team_id,
    name: row.name,
    isPaused: row.is_paused === 1,
    pausedAt: row.paused_at,
    resumedAt: row.resumed_at,
    rulesVersion: row.rules_version,
    createdAt: row.created_at,
    settings: withDefaults(JSON.parse(row.settings) as Partial<AgentSettings>),
  }
}

function withDefaults(stored: Partial<AgentSettings>): AgentSettings {
  return { ...defaultSettings, ...stored, model: modelWithDefaults(stored.model ?? {}) }
}

/** Completes settings of a model that were stored before some of them were there. */
export function modelWithDefaults(stored: Partial<AgentSettings['model']>): AgentSettings['model'] {
  const { fallbacks = [], ...model } = stored
  const { kind } = defaultSettings.model
  return {
    ...defaultSettings.model,
    ...model,
    fallbacks: fallbacks.map((one) => ({ ...one, kind: one.kind ?? kind })),
  }
}

/** Returns the place that a secret setting is sealed for. The secret cannot be opened for any other place. */
export function secretPlace(
  agentId: number,
  setting: 'model' | 'embedding' | 'transcription' | 'redaction',
): SentPlace {
  return `agents|${agentId}|settings.${setting}.api_key`
}

/** Returns the place that the key of one of the model's fallbacks is sealed for. */
export function fallbackPlace(agentId: number, index: number): SentPlace {
  return `agents|${agentId}|settings.model.fallbacks.${index}.api_key`
}

/**
 * Returns the agent as the API presents it. Of each secret it shows only whether it is set, and the last four
 * characters.
 */
export function presentAgent(agent: Agent, box: SecretBox): AgentAnswer {
  const { settings } = agent
  return {
    id: agent.id,
    team_id: agent.teamId,
    name: agent.name,
    version: agentVersion(agent),
    is_paused: agent.isPaused,
    paused_at: agent.pausedAt,
    resumed_at: agent.resumedAt,
    created_at: agent.createdAt,
    ...settings,
    model: {
      ...settings.model,
      api_key: presentKey(settings.model, secretPlace(agent.id, 'model'), box),
      fallbacks: settings.model.fallbacks.map((fallback, index) => ({
        ...fallback,
        api_key: presentKey(fallback, fallbackPlace(agent.id, index), box),
      })),
    },
    embedding: {
      ...settings.embedding,
      api_key: presentKey(settings.embedding, secretPlace(agent.id, 'embedding'), box),
    },
    transcription: {
      ...settings.transcription,
      api_key: presentKey(settings.transcription, secretPlace(agent.id, 'transcription'), box),
    },
    redaction: {
      ...settings.redaction,
      api_key: presentKey(settings.redaction, secretPlace(agent.id, 'redaction'), box),
    },
  }
}

export function agentVersion({ name, settings }: Agent): string {
  return versionOf(name, settings)
}

/** Opens the key of a server's settings, for that server; null when there is none. */
export function openKey(
  { url, api_key }: { url: string | null; api_key: string | null },
  place: SentPlace,
  box: SecretBox,
): string | null {
  return api_key === null ? null : box.openFor(url, api_key, place)
}

function presentKey(server: Parameters<typeof openKey>[0], place: SentPlace, box: SecretBox): StoredSecret {
  return presentSecret(openKey(server, place, box))
}

/** Reads the agents whose models have prices, at most a number of them. */
export async function agentsWithPrices(db: Kysely<Tables>, limit: number): Promise<Agent[]> {
  return (await selectAgentsWithPrices(db, limit)).map(toAgent)
}
