import type { Kysely } from 'kysely'
import type { z } from 'zod'
import { agentNames } from '../agents/agent-names.ts'
import type { Tables } from '../storage/tables.ts'
import { readConversations } from '../transcripts/doors/read-changed.ts'
import { namesOfUsers } from '../users/known-users.ts'
import type { noticeSchema } from './schemas.ts'
import type { NoticeRow } from './tables.ts'

/** A notice as the API returns it. */
export type Notice = z.output<typeof noticeSchema>

/** Presents notices as the API returns them. */
export async function presentNotices(db: Kysely<Tables>, rows: readonly NoticeRow[]): Promise<Notice[]> {
  const userOf = await usersOf(db, rows)
  const agentOf = await namesOfAgents(db, rows)
  return rows.map((row) => {
    const { id, agent_id, kind, conversation_id, name, count, at } = row
    const isFailure = kind === 'failed'
    return {
      id,
      kind,
      agent: { id: agent_id, name: agentOf.get(agent_id) ?? '' },
      conversation_id,
      user: (conversation_id === null ? null : userOf.get(conversation_id)) ?? null,
      by: isFailure ? null : name,
      failed: isFailure ? failureOf(row) : null,
      count,
      at,
      unread: row.unread === 1,
    }
  })
}

function failureOf({ about, name }: NoticeRow): Notice['failed'] {
  const [what, id] = about.split(' ')
  return { what: what as 'budget' | 'webhook' | 'channel', id: what === 'budget' ? null : Number(id), name }
}

async function namesOfAgents(db: Kysely<Tables>, rows: readonly NoticeRow[]): Promise<Map<number, string>> {
  const ids = [...new Set(rows.map(({ agent_id }) => agent_id))]
  if (ids.length === 0) return new Map()
  const named = await db
    .selectFrom(agentNames(db))
    .select(['agent.id', 'agent.name'])
    .where('agent.id', 'in', ids)
    .execute()
  return new Map(named.map(({ id, name }) => [id, name]))
}

/** Reads the names of the users of conversations, by the ids of these. */
async function usersOf(db: Kysely<Tables>, rows: readonly NoticeRow[]): Promise<Map<string, string>> {
  const ids = [...new Set(rows.flatMap(({ conversation_id }) => conversation_id ?? []))]
  const conversations = [...(await readConversations(db, ids)).values()]
  const names = new Map<string, string>()
  for (const [agentId, theirs] of Map.groupBy(conversations, ({ agent_id }) => agent_id)) {
    const named = await namesOfUsers(
      db,
      agentId,
      theirs.flatMap(({ user_id }) => user_id ?? []),
    )
    for (const { id, user_id } of theirs) {
      const name = user_id === null ? undefined : named.get(user_id)
      if (name !== undefined) names.set(id, name)
    }
  }
  return names
}
