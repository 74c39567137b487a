import { type Agent, fallbackPlace, openKey, readAgent, secretPlace } from '../agents/agent.ts'
import { checkAgentPatch } from '../agents/check-patch.ts'
import { agentPatch, defaultSettings, SERVERS } from '../agents/settings.ts'
import { updateAgent } from '../agents/update-agent.ts'
import { parsePart } from '../http/schemas.ts'
import { lookAtAgent } from '../knowledge/vectors/embedding-store.ts'
import type { SecretBox } from '../lib/secrets/secret-box.ts'
import { toObject } from '../lib/untrusted-json.ts'
import { valueAt } from '../lib/value-at.ts'
import { hoursChange } from '../targets/store.ts'
import { type Item, plain } from './item.ts'
import { differing } from './saving.ts'
import type { Context, SecretPlace } from './section.ts'

/** The settings of an agent as `PATCH /agent` takes them, in a file. */
export const agentItem = {
  title: 'agent',

  async read({ db, box, agentId }: Context): Promise<Item> {
    return wholeSettings(await readAgent(db, agentId), box)
  },

  /** Checks settings and completes them with the defaults. @throws ApiError */
  parse(item: Item): Item {
    const given = parsePart(agentPatch, item)
    const servers = SERVERS.map((name) => [
      name,
      withoutNullKey({ ...defaultSettings[name], ...given[name] }),
    ])
    const whole = { ...defaultSettings, ...given, ...Object.fromEntries(servers) }
    return plain({
      ...whole,
      model: { ...whole.model, fallbacks: whole.model.fallbacks.map(withoutNullKey) },
    })
  },

  secrets(item: Item): SecretPlace[] {
    const fallbacks = valueAt(item, ['model', 'fallbacks'])
    return [
      ...SERVERS.map((name) => ({ path: [name, 'api_key'], url: urlOf(valueAt(item, [name])) })),
      ...(Array.isArray(fallbacks) ? fallbacks : []).map((one, at) => ({
        path: ['model', 'fallbacks', at, 'api_key'],
        url: urlOf(one),
      })),
    ]
  },

  async change(context: Context, present: Item, item: Item): Promise<void> {
    const { agentId, by, nowMs, db, box } = context
    const fields = differing(present, item)
    const servers = SERVERS.filter((name) => name in fields).map((name) => {
      const [is, becomes] = [toObject(present[name]) ?? {}, toObject(item[name]) ?? {}]
      const isGone = 'api_key' in is && !('api_key' in becomes)
      const { fallbacks, ...server } = differing(is, becomes)
      // A change of the address drops the stored key, so the file's key is sent along even if it has not changed.
      const { api_key } = 'url' in server ? becomes : {}
      const key = isGone ? { api_key: null } : plain({ api_key })
      return [name, { ...key, ...server, ...withNullKeys(fallbacks) }]
    })
    const patch = parsePart(agentPatch, { ...fields, ...Object.fromEntries(servers) })
    await checkAgentPatch(patch, (await readAgent(db, agentId)).settings, context.outbound)
    await updateAgent({ db, box, embeddingChanges: lookAtAgent, hoursChange }, agentId, patch, by, nowMs)
  },
}

/** Returns the settings with the keys of servers; one that has none lacks the field. */
function wholeSettings(agent: Agent, box: SecretBox): Item {
  const { name, settings } = agent
  const servers = SERVERS.map((server) => {
    const key = openKey(settings[server], secretPlace(agent.id, server), box)
    return [server, { ...settings[server], ...keyField(key) }]
  })
  const whole = plain({ name, ...settings, ...Object.fromEntries(servers) })
  const fallbacks = settings.model.fallbacks.map((one, at) => ({
    ...one,
    ...keyField(openKey(one, fallbackPlace(agent.id, at), box)),
  }))
  return plain({ ...whole, model: { ...toObject(whole.model), fallbacks } })
}

function keyField(key: string | null): { api_key: string | undefined } {
  return { api_key: key ?? undefined }
}

function withoutNullKey<T extends { api_key?: string | null | undefined }>(server: T): T {
  return { ...server, api_key: server.api_key ?? undefined }
}

/** Sets a null key for fallbacks without one: if it were absent, they would keep the key stored for their origin. */
function withNullKeys(fallbacks: unknown): Item {
  return Array.isArray(fallbacks) ? { fallbacks: fallbacks.map((one) => ({ api_key: null, ...one })) } : {}
}

function urlOf(server: unknown): string | null {
  const url = valueAt(server, ['url'])
  return typeof url === 'string' ? url : null
}

/** Returns the settings that differ from the defaults, field by field for servers. */
export function withoutDefaults({ name, ...settings }: Item): Item {
  const usual = plain(defaultSettings)
  const fields = Object.entries(differing(usual, settings)).flatMap(([field, value]) => {
    if (!SERVERS.some((server) => server === field)) return [[field, value]]
    const server = differing(toObject(usual[field]) ?? {}, toObject(value) ?? {})
    return Object.keys(server).length > 0 ? [[field, server]] : []
  })
  return { name, ...Object.fromEntries(fields) }
}
