import type { Kysely } from 'kysely'
import type { TeamBy } from '../audit/record.ts'
import { setSnooze } from '../desk/snooze/snooze-conversation.ts'
import { createTarget } from '../desk/targets/save-target.ts'
import { newTarget } from '../desk/targets/target.ts'
import { hoursOfGroup } from '../groups/store.ts'
import { createView } from '../inbox/views/save-view.ts'
import { newView } from '../inbox/views/saved-view.ts'
import { DAY_MS, timestamp } from '../lib/clock.ts'
import type { Outbound } from '../lib/outbound/outbound.ts'
import type { SecretBox } from '../lib/secrets/secret-box.ts'
import { newMacro } from '../macros/macro.ts'
import { createMacro } from '../macros/save-macro.ts'
import { createRule } from '../rules/save-rule.ts'
import { ruleSchemas } from '../rules/schemas.ts'
import type { Tables } from '../storage/tables.ts'
import { countedBy, run } from '../targets/clock.ts'
import { insertClocks, openClocks, writeClock } from '../targets/store.ts'
import type { TargetRow } from '../targets/tables.ts'
import { moveClocks } from '../transcripts/conversations/clocks.ts'
import { lockConversation } from '../transcripts/conversations/store.ts'
import {
  conversationsAfter,
  readSupportRecords,
  type SupportRecord,
} from '../transcripts/doors/support-records.ts'
import type { People } from './people-and-groups.ts'
import * as shop from './shop.ts'

type Db = Kysely<Tables>

interface Saving {
  db: Db
  box: SecretBox
  outbound: Outbound
}

/** The number of open conversations that are put aside until tomorrow. */
const SNOOZED = 3
const AT_ONCE = 500

/**
 * Gives the demo's desk a macro, a shared view, an automation and a target, and puts some conversations aside. The
 * target counts what has already happened as if it had been there. Otherwise a service that runs at the same time would
 * note in the middle of the month that it is missed.
 */
export async function furnishDesk(
  saving: Saving,
  agentId: number,
  { groups, colleagueOf }: Pick<People, 'groups' | 'colleagueOf'>,
  nowMs: number,
  by: TeamBy,
): Promise<void> {
  const { db } = saving
  const now = timestamp(nowMs)
  const workshop = groups.find(({ name }) => name === shop.WORKSHOP)
  if (!workshop) throw new Error('the demo has no workshop')
  const keeper = { agentId, right: 'own', actor: by.actor } as const
  await createMacro(saving, keeper, newMacro.parse(shop.macro), now, by)
  await createView(db, keeper, newView.parse(shop.viewOf(workshop.id)), now, by)
  const automation = ruleSchemas.automation.parse(shop.automationOf(workshop.id))
  await createRule(saving, agentId, 'automation', automation, now, by)
  const target = await createTarget(db, agentId, newTarget.parse(shop.target), now, by)
  const open: SupportRecord[] = []
  for (let after = 0; ; ) {
    const batch = await conversationsAfter(db, agentId, after, AT_ONCE)
    const records = await readSupportRecords(
      db,
      agentId,
      batch.map(({ id }) => id),
    )
    for (const record of records) await countTarget(db, agentId, record, target, now)
    open.push(...records.filter(({ ended_at, answerer_id }) => ended_at === null && answerer_id !== null))
    after = batch.at(-1)?.sequence ?? after
    if (batch.length < AT_ONCE) break
  }
  const tomorrow = timestamp(nowMs + DAY_MS)
  for (const { id, answerer_id } of open.slice(-SNOOZED)) {
    const texts = shop.languages.find((texts) => colleagueOf(texts).id === answerer_id)
    if (!texts) continue
    await db.transaction().execute(async (db) => {
      await setSnooze(db, await lockConversation(db, id), tomorrow, now, { actor: colleagueOf(texts) })
    })
  }
}

/** Has the target count a conversation that waited for a person. */
async function countTarget(
  db: Db,
  agent_id: number,
  { id, wait, answered_at, ended_at, group_id }: SupportRecord,
  target: TargetRow,
  now: string,
): Promise<void> {
  // In a conversation that ended without an answer, none is due any more.
  if (!wait || (answered_at === null && ended_at !== null)) return
  const counted = countedBy(
    target,
    'first_response',
    group_id === null ? null : await hoursOfGroup(db, group_id),
  )
  if (!counted) return
  await db.transaction().execute(async (db) => {
    const conversation = await lockConversation(db, id)
    const count = run({ spent_ms: 0, since: null }, counted, wait.at)
    const begun = { agent_id, conversation_id: id, target_id: target.id, started_at: wait.at, due_at: null }
    await insertClocks(db, [{ ...begun, kind: 'first_response', ...count }])
    if (answered_at === null) return moveClocks(db, conversation, now)
    const isMissed = count.ends_at !== null && answered_at > count.ends_at
    for (const clock of await openClocks(db, id))
      await writeClock(db, clock.id, count, {
        ended_at: answered_at,
        ...(isMissed ? { missed_at: count.ends_at } : {}),
      })
  })
}
