import { createECDH } from 'node:crypto'
import type { Database } from '../../src/storage/opened-database.ts'
import { refuse } from './poisoned.ts'

type Rows = [name: string, table: string, ids: number[], done: string | null]

/**
 * Inserts work with notices, a piece for each agent. The piece of a bad agent cannot be done; the others have nothing
 * to tell.
 * @returns the rows, and the state in which they are done; null: they are gone
 */
export async function insertNoticeWork(
  database: Database,
  agents: { agent_id: number; isBad: boolean }[],
  { teamId, now }: { teamId: number; now: string },
): Promise<Rows[]> {
  const { db } = database
  const ids = (rows: { id: number }[]) => rows.map(({ id }) => id)
  const bad = agents.find(({ isBad }) => isBad)?.agent_id

  const causes = await db
    .insertInto('notice_causes')
    .values(
      agents.map(({ agent_id }) => ({
        ...{ agent_id, source: 'target' as const, source_id: 0, name: null, at: now },
        ...{ due_at: now, leased_until: null },
      })),
    )
    .returning('id')
    .execute()
  await refuse(database, 'notice_causes', 'delete', `old.agent_id = ${bad}`)

  const gone = { team_id: teamId, name: 'G', right: 'read', active: 0, created_at: now }
  const people = ids(
    await db
      .insertInto('operators')
      .values(agents.map(({ agent_id }) => ({ ...gone, email: `${agent_id}@gone.example` })) as never)
      .returning('id')
      .execute(),
  ).sort((a, b) => a - b)
  const each = agents.map(({ agent_id, isBad }, nth) => ({ agent_id, isBad, operator_id: people[nth] ?? 0 }))
  const sending = { due_at: now, sending_since: null, leased_until: null }
  const mails = await db
    .insertInto('notice_mails')
    .values(each.map(({ agent_id, operator_id }) => ({ agent_id, operator_id, ...sending })))
    .returning('id')
    .execute()
  await refuse(database, 'notice_mails', 'delete', `old.agent_id = ${bad}`)

  const digests = await db
    .insertInto('notice_settings')
    .values(
      each.map(({ operator_id, isBad }) => ({
        ...{ operator_id, choices: '{}', after_minutes: 10, details: 0 as const },
        ...{ digest_at: isBad ? now.slice(11, 16) : null, time_zone: 'UTC', ...sending },
      })),
    )
    .returning('id')
    .execute()
  const cannot = each.find(({ isBad }) => isBad)?.operator_id
  const begins = `old.operator_id = ${cannot} and new.sending_since is not null`
  await refuse(database, 'notice_settings', 'update of sending_since', begins)

  return [
    ['notices', 'notice_causes', ids(causes), null],
    ['mails with notices', 'notice_mails', ids(mails), null],
    ['digests of notices', 'notice_settings', ids(digests), 'done'],
  ]
}

/** Inserts a push for each agent, to a browser of a person. The browser of a bad one has no key. Returns their ids. */
export async function insertPushes(
  db: Database['db'],
  agents: { agent_id: number; isBad: boolean }[],
  operator_id: number,
  now: string,
): Promise<number[]> {
  for (const { agent_id, isBad } of agents) {
    const p256dh = isBad ? 'no key' : createECDH('prime256v1').generateKeys('base64url')
    const { id: browser_id } = await db
      .insertInto('push_browsers')
      .values({
        ...{ operator_id, session_id: 1, endpoint: `https://push.example/${isBad}`, p256dh },
        ...{ auth: 'A'.repeat(22), user_agent: null, created_at: now },
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    const { id: notice_id } = await db
      .insertInto('notices')
      .values({
        ...{ agent_id, operator_id, kind: 'mention' as const, about: String(isBad), at: now },
        ...{ conversation_id: null, source_id: null, name: null },
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await db
      .insertInto('notice_pushes')
      .values({
        ...{ agent_id, notice_id, browser_id, due_at: now },
        ...{ shown_at: null, sending_since: null, leased_until: null },
      })
      .execute()
  }
  const pushes = await db.selectFrom('notice_pushes').select('id').orderBy('id').execute()
  return pushes.map(({ id }) => id)
}
