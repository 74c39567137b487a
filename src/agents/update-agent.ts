import type { Kysely } from 'kysely'
import { record, type TeamBy } from '../audit/record.ts'
import { changed } from '../events/changes.ts'
import { refuseOutdated } from '../http/version.ts'
import { timestamp } from '../lib/clock.ts'
import { originOf } from '../lib/outbound/http-address.ts'
import { counterparts } from '../lib/secrets/counterparts.ts'
import type { SentPlace } from '../lib/secrets/sealed-places.ts'
import type { SecretBox } from '../lib/secrets/secret-box.ts'
import type { Tables } from '../storage/tables.ts'
import { wake } from '../storage/waking-db.ts'
import { type Agent, agentVersion, fallbackPlace, openKey, secretPlace, toAgent } from './agent.ts'
import type { StoredFallback } from './settings/server-settings.ts'
import type { AgentPatch, AgentSettings } from './settings.ts'
import { lockAgent, updateAgent as writeAgent } from './store.ts'
import { keepVersion } from './versions/keep-version.ts'

/** The topic of wake-ups after the embedding server of an agent was changed. */
export const EMBEDDING_SETTINGS = 'embedding_settings'

export interface UpdateDependencies {
  db: Kysely<Tables>
  box: SecretBox
  /** Runs in the transaction of a change of `embedding`, before the agent is locked. */
  embeddingChanges: (db: Kysely<Tables>, agentId: number, nowMs: number) => Promise<void>
  /** Runs in the transaction of a change of `hours`, once the agent is stored. */
  hoursChange: (db: Kysely<Tables>, agentIds: readonly number[], now: string) => Promise<void>
}

/**
 * Merges a patch into an agent's settings; `model` and other servers are merged field by field. An address
 * of another origin without a key drops the stored key.
 * @param restored the version that the patch was made from
 * @throws ApiError version_outdated
 */
export async function updateAgent(
  { db, box, embeddingChanges, hoursChange }: UpdateDependencies,
  agentId: number,
  { version, ...patch }: AgentPatch & { version?: string | undefined },
  by: TeamBy,
  nowMs: number,
  restored?: number,
): Promise<Agent> {
  return db.transaction().execute(async (db) => {
    const at = timestamp(nowMs)
    if (patch.embedding) await embeddingChanges(db, agentId, nowMs)
    const agent = toAgent(await lockAgent(db, agentId))
    refuseOutdated(version, agentVersion(agent))
    const {
      name = agent.name,
      model,
      embedding,
      transcription,
      redaction,
      ...plain
    } = withoutUndefined(patch)
    const settings: AgentSettings = {
      ...agent.settings,
      ...plain,
      model: {
        ...agent.settings.model,
        ...sealKey(withoutFallbacks(model), agent.settings.model, secretPlace(agentId, 'model')),
        ...(model?.fallbacks && {
          fallbacks: sealFallbacks(box, agentId, model.fallbacks, agent.settings.model.fallbacks),
        }),
      },
      embedding: {
        ...agent.settings.embedding,
        ...sealKey(embedding, agent.settings.embedding, secretPlace(agentId, 'embedding')),
      },
      transcription: {
        ...agent.settings.transcription,
        ...sealKey(transcription, agent.settings.transcription, secretPlace(agentId, 'transcription')),
      },
      redaction: {
        ...agent.settings.redaction,
        ...sealKey(redaction, agent.settings.redaction, secretPlace(agentId, 'redaction')),
      },
    }
    await writeAgent(db, agentId, { name, settings: JSON.stringify(settings) })
    if (embedding) wake(db, EMBEDDING_SETTINGS)
    if (patch.hours !== undefined) await hoursChange(db, [agentId], at)
    changed(db, { type: 'agent', agent_id: agentId, conversation_id: null })
    await record(db, {
      ...by,
      agentId,
      at,
      action: 'agent.changed',
      target: `agent ${agentId}`,
      details: restored === undefined ? { changed: changedNames(patch) } : { restored },
    })
    const after = { ...agent, name, settings }
    await keepVersion(db, agent, after, by.actor, at)
    return after
  })

  function sealKey<T extends ServerPatch>(part: T | undefined, present: StoredServer, place: SentPlace) {
    const { api_key: given, ...rest } = withoutUndefined(part ?? ({} as T))
    const url = rest.url === undefined ? present.url : rest.url
    const key = given === undefined ? openKey({ ...present, url }, place, box) : given
    return { ...rest, api_key: sealed(box, { url, key }, present, place) }
  }
}

interface StoredServer {
  url: string | null
  api_key: string | null
}

interface ServerPatch {
  url?: string | null | undefined
  api_key?: string | null | undefined
}

/** Returns a key as it is stored. A stored key stays as it is: sealed again it would look like another one. */
function sealed(
  box: SecretBox,
  { url, key }: { url: string | null; key: string | null },
  present: StoredServer | undefined,
  place: SentPlace,
): string | null {
  if (key === null) return null
  const isStored = present && openKey({ ...present, url }, place, box) === key
  return isStored ? present.api_key : box.sealFor(url, key, place)
}

function withoutFallbacks(model: AgentPatch['model']) {
  const { fallbacks: _, ...server } = model ?? {}
  return server
}

/** Seals the keys of fallbacks. One without a key keeps that of the stored fallback that it continues. */
export function sealFallbacks(
  box: SecretBox,
  agentId: number,
  given: NonNullable<NonNullable<AgentPatch['model']>['fallbacks']>,
  present: readonly StoredFallback[],
): StoredFallback[] {
  const places = counterparts(
    given,
    present,
    (one, other) => one.kind === other.kind && one.url === other.url && one.name === other.name,
    (one, other) => one.url === other.url,
    (one, other) => originOf(one.url) === originOf(other.url),
  )
  return given.map(({ kind, url, name, api_key }, index) => {
    const key = api_key === undefined ? keyFor(url, places[index]) : api_key
    const place = fallbackPlace(agentId, index)
    return { kind, url, name, api_key: sealed(box, { url, key }, present[index], place) }
  })

  function keyFor(url: string, index = -1): string | null {
    const stored = present[index]
    return stored ? openKey({ ...stored, url }, fallbackPlace(agentId, index), box) : null
  }
}

/**
 * Returns the names of the settings that a patch changes; for `model` and other servers, the names of their
 * fields.
 */
function changedNames({ model, embedding, transcription, redaction, ...plain }: AgentPatch): string[] {
  const inside = (name: string, part: object = {}) =>
    Object.keys(withoutUndefined(part)).map((field) => `${name}.${field}`)
  return [
    ...Object.keys(withoutUndefined(plain)),
    ...inside('model', model),
    ...inside('embedding', embedding),
    ...inside('transcription', transcription),
    ...inside('redaction', redaction),
  ]
}

type Defined<T> = { [K in keyof T]: Exclude<T[K], undefined> }

/** Removes undefined fields. In a patch, undefined means the same as absent: the setting stays unchanged. */
function withoutUndefined<T extends object>(value: T): Defined<T> {
  return Object.fromEntries(Object.entries(value).filter(([, field]) => field !== undefined)) as Defined<T>
}
