import type { Kysely } from 'kysely'
import { foundOr } from '../../errors.ts'
import { parsePart } from '../../http/schemas.ts'
import type { Tables } from '../../storage/tables.ts'
import type { Agent } from '../agent.ts'
import { type AgentPatch, agentPatch } from '../settings.ts'
import { selectVersion } from './store.ts'

/** Returns all settings of an agent as a patch would set them, without secrets: a version never holds one. */
export function settingsOf({ name, settings }: Agent): object {
  const { model, embedding, transcription, redaction, ...plain } = settings
  return {
    name,
    ...plain,
    model: { ...withoutKey(model), fallbacks: model.fallbacks.map(withoutKey) },
    embedding: withoutKey(embedding),
    transcription: withoutKey(transcription),
    redaction: withoutKey(redaction),
  }
}

function withoutKey<T extends { api_key: unknown }>({ api_key: _, ...server }: T): Omit<T, 'api_key'> {
  return server
}

/**
 * Returns the settings of a version as a patch, without secrets. Merged into those of the agent, they keep the keys
 * that are now stored for the same origins.
 * @throws ApiError version_not_found; invalid_request when it holds a value that is no longer permitted
 */
export async function settingsOfVersion(
  db: Kysely<Tables>,
  agentId: number,
  number: number,
): Promise<AgentPatch> {
  const row = foundOr(await selectVersion(db, agentId, number), 'version_not_found')
  const { model, ...settings } = JSON.parse(row.settings)
  // An earlier version of the service may have had settings that no longer exist, and knew one kind of servers.
  const all = { ...settings, ...(model ? { model: { kind: 'openai', ...model } } : {}) }
  const known = Object.entries(all).filter(([name]) => name in agentPatch.shape)
  return parsePart(agentPatch, Object.fromEntries(known))
}
