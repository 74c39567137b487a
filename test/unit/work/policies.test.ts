import assert from 'node:assert/strict'
import { createECDH } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { sql } from 'kysely'
import pino from 'pino'
import { readAgents } from '../../../src/agents/agent.ts'
import { createAgent } from '../../../src/agents/create-agent.ts'
import { SUPPORT_RETRIES } from '../../../src/analytics/support/retry-store.ts'
import { runSupport } from '../../../src/analytics/support/run-support.ts'
import { runFetches } from '../../../src/channels/media/run-fetches.ts'
import { runAway } from '../../../src/desk/say-away.ts'
import { runSnoozes } from '../../../src/desk/snooze/run-snoozes.ts'
import { SNOOZES } from '../../../src/desk/snooze/store.ts'
import { runClocks } from '../../../src/desk/targets/run-clocks.ts'
import { runRecounts } from '../../../src/desk/targets/run-recounts.ts'
import { FETCHES, insertFetches } from '../../../src/files/fetches/store.ts'
import { runSilences } from '../../../src/inactivity/run-silences.ts'
import { runBulkActs } from '../../../src/inbox/bulk/run-bulk.ts'
import { runCalibration } from '../../../src/knowledge/calibration/run-calibration.ts'
import { runImports } from '../../../src/knowledge/imports/run-imports.ts'
import { runEmbedding } from '../../../src/knowledge/vectors/run-embedding.ts'
import { PROPOSALS } from '../../../src/learning/proposal-store.ts'
import { runProposals } from '../../../src/learning/run-proposals.ts'
import { timestamp } from '../../../src/lib/clock.ts'
import type { Mailer } from '../../../src/lib/mail.ts'
import type { Outbound } from '../../../src/lib/outbound/outbound.ts'
import { createSecretBox } from '../../../src/lib/secrets/secret-box.ts'
import { acceptItems } from '../../../src/mailboxes/accept.ts'
import { updateItems } from '../../../src/mailboxes/items.ts'
import { runMailboxes } from '../../../src/mailboxes/run-mailboxes.ts'
import { MAILBOXES } from '../../../src/mailboxes/topics.ts'
import { ModelError } from '../../../src/model/model.ts'
import { pushNotices } from '../../../src/notices/pushes/push-notices.ts'
import { NOTICE_PUSHES } from '../../../src/notices/pushes/store.ts'
import { sendMails } from '../../../src/operators/mails/send-mails.ts'
import { insertMail, MAILS, tokenPlace } from '../../../src/operators/mails/store.ts'
import { runAutomations } from '../../../src/rules/run-automations.ts'
import { runDeskAutomations } from '../../../src/rules/run-desk-automations.ts'
import { AUTOMATIONS } from '../../../src/rules/topics.ts'
import { runTests } from '../../../src/runs/run-tests.ts'
import type { Database } from '../../../src/storage/opened-database.ts'
import { CLOCKS, RECOUNTS } from '../../../src/targets/store.ts'
import { AWAY } from '../../../src/transcripts/conversations/away-store.ts'
import { openConversation } from '../../../src/transcripts/conversations/open-conversation.ts'
import { runSummaries } from '../../../src/turns/history/run-summaries.ts'
import { SUMMARIES } from '../../../src/turns/history/summary-store.ts'
import { MOST_ATTEMPTS, MOST_DEATHS } from '../../../src/work/retry.ts'
import type { RunningWork } from '../../../src/work/run-work.ts'
import { becomes } from '../../support/becomes.ts'
import { engines, type FreshDatabase, openFreshDatabase } from '../../support/databases.ts'
import { placesInDatabase } from '../../support/places-in-database.ts'

const NO_JSON = 'not JSON'
const COMPLETION = '01900000-0000-7000-8000-000000000001'
/** A conversation of nobody in particular. */
const WISH = {
  ...{ user: null, deviceId: null, sessionId: null, conversationId: null, externalId: null },
  ...{ channelId: null, widgetId: null, tags: null, language: null },
}
/** The dependencies of bulk acts that are not tried here. */
const forBulk = {} as Pick<Parameters<typeof runBulkActs>[0], 'box' | 'outbound' | 'lessons'>

const TOPICS = [
  'bulk acts',
  AWAY,
  SNOOZES,
  CLOCKS,
  RECOUNTS,
  SUPPORT_RETRIES,
  FETCHES,
  SUMMARIES,
  PROPOSALS,
  MAILS,
  NOTICE_PUSHES,
  MAILBOXES,
  AUTOMATIONS,
]

/** The state of a good piece, which begins as undefined, and how often the poisoned one has failed. */
interface Pieces {
  isGoodDone(): Promise<boolean>
  failures(): Promise<number>
  isParked(): Promise<boolean>
}

for (const engine of engines) {
  describe(`poisoned pieces of work on ${engine}`, () => {
    let database: Database & { fresh: FreshDatabase }
    /** It stands still but for the test, so that pauses and leases end only when the test has them end. */
    let nowMs = Date.now()
    const clock = () => nowMs
    const running: RunningWork[] = []
    const pieces: Record<string, Pieces> = {}

    /** Both rows wait in a table, and the poisoned one has the lower id. */
    function inTable(table: string, [bad, good]: readonly number[], done: string | null): Pieces {
      const rows = database.db.selectFrom(table as 'bulk_acts').selectAll()
      const read = (id = 0) => rows.where('id', '=', id).executeTakeFirst()
      return {
        async isGoodDone() {
          const row = (await read(good)) as Record<string, unknown> | undefined
          return done === null ? row === undefined : row?.due_at === null || row?.state === done
        },
        failures: async () => {
          const row = await read(bad)
          return row?.leased_until === null ? row.attempts : -1
        },
        isParked: async () => (await read(bad))?.parked_at !== null,
      }
    }

    before(async () => {
      database = await openFreshDatabase(engine)
      const { db } = database
      const now = timestamp(nowMs)
      const box = createSecretBox(Buffer.alloc(32).toString('base64'))
      // One after the other: the poisoned pieces have the lower ids.
      const agents: { agentId: number; teamId: number }[] = []
      for (const name of ['bad', 'good'])
        agents.push(await db.transaction().execute((db) => createAgent(db, { name, teamId: null, nowMs })))
      const [bad = 0, good = 0] = agents.map(({ agentId }) => agentId)
      const team_id = agents[0]?.teamId ?? 0
      const settings = JSON.stringify((await readAgents(db, [good])).get(good)?.settings)
      const both = [bad, good].map((agent_id) => ({ agent_id, isBad: agent_id === bad }))
      const ids = (rows: { id: number }[]) => rows.map(({ id }) => id)
      const dependencies = { database, clock, logger: pino({ level: 'silent' }) }

      const acts = await db
        .insertInto('bulk_acts')
        .values(
          both.map(({ agent_id, isBad }) => ({
            ...{ agent_id, team_id, filter: null, state: 'working' as const, matched: 0, created_at: now },
            ...{
              action: isBad ? NO_JSON : '{"type":"priority","priority":"high"}',
              actor: '{"kind":"system"}',
              leased_until: null,
            },
          })),
        )
        .returning('id')
        .execute()
      pieces['bulk acts'] = inTable('bulk_acts', ids(acts), 'done')
      running.push(runBulkActs({ ...dependencies, ...forBulk }))

      await db
        .insertInto('knowledge_calibrations')
        .values(both.map(({ agent_id }) => ({ agent_id, changes: 1, due_at: now })))
        .execute()
      const calibrations = await db
        .selectFrom('knowledge_calibrations')
        .select('id')
        .orderBy('agent_id')
        .execute()
      await refuse(database, 'knowledge_calibrations', 'measured_at', `old.agent_id = ${bad}`)
      pieces.calibrations = inTable('knowledge_calibrations', ids(calibrations), 'done')
      running.push(runCalibration(dependencies))

      await db
        .insertInto('knowledge_embeddings')
        .values(both.map(({ agent_id }) => ({ agent_id, changes: 1, due_at: now })))
        .execute()
      const embeddings = await db
        .selectFrom('knowledge_embeddings')
        .select('id')
        .orderBy('agent_id')
        .execute()
      pieces.embeddings = inTable('knowledge_embeddings', ids(embeddings), 'done')
      running.push(
        runEmbedding({
          ...dependencies,
          anyServerIsSet: async () => true,
          async embedderOf(agentId) {
            if (agentId === bad) throw new Error('poisoned')
            return null
          },
        }),
      )

      const known = await db
        .transaction()
        .execute((db) => openConversation(db, { agentId: good, teamId: team_id }, WISH, nowMs))
      const snoozes = await db
        .insertInto('snoozes')
        .values(
          both.map(({ agent_id, isBad }) => ({
            ...{ agent_id, due_at: now, leased_until: null },
            conversation_id: isBad ? 'unknown' : known.conversation.id,
          })),
        )
        .returning('id')
        .execute()
      pieces.snoozes = inTable('snoozes', ids(snoozes), null)
      running.push(runSnoozes(dependencies))

      const away = await db
        .insertInto('away_messages')
        .values(
          both.map(({ agent_id, isBad }) => ({
            ...{ agent_id, due_at: now, leased_until: null },
            conversation_id: isBad ? 'unknown' : known.conversation.id,
          })),
        )
        .returning('id')
        .execute()
      pieces['away messages'] = inTable('away_messages', ids(away), 'done')
      running.push(runAway(dependencies))

      const silences = await db
        .insertInto('silences')
        .values(
          both.map(({ agent_id, isBad }) => ({
            ...{ agent_id, due_at: now, leased_until: null },
            conversation_id: isBad ? 'unknown' : known.conversation.id,
          })),
        )
        .returning('id')
        .execute()
      pieces.silences = inTable('silences', ids(silences), null)
      running.push(
        runSilences({
          ...dependencies,
          isSpent: async () => false,
          modelFailed: () => {},
          modelFor: () => {
            throw new Error('no model is asked')
          },
        }),
      )

      const clocks = await db
        .insertInto('target_clocks')
        .values(
          both.map(({ agent_id, isBad }) => ({
            ...{ agent_id, target_id: 0, kind: 'resolution' as const, started_at: now, since: now },
            ...{ ends_at: now, due_at: now, leased_until: null },
            conversation_id: isBad ? 'unknown' : known.conversation.id,
          })),
        )
        .returning('id')
        .execute()
      pieces['clocks of targets'] = inTable('target_clocks', ids(clocks), null)
      running.push(runClocks(dependencies))

      const recounts = await db
        .insertInto('target_recounts')
        .values(both.map(({ agent_id }) => ({ agent_id, reason: 'hours', due_at: now, leased_until: null })))
        .returning('id')
        .execute()
      pieces['recounts of targets'] = inTable('target_recounts', ids(recounts), 'done')
      running.push(runRecounts(dependencies))

      // Both are of one agent, and are counted together at first.
      const [countless, countable] = [
        await db
          .transaction()
          .execute((db) => openConversation(db, { agentId: good, teamId: team_id }, WISH, nowMs)),
        known,
      ].map(({ conversation }) => conversation.id)
      await db
        .insertInto('happenings')
        .values({
          ...{ agent_id: good, conversation_id: countless ?? '', kind: 'waiting', at: now, after_message: 0 },
          ...{ actor_kind: 'system', actor_id: null, actor_name: null, completion_id: null, note_id: null },
          details: NO_JSON,
        })
        .execute()
      const retry = () =>
        db
          .selectFrom('support_retries')
          .selectAll()
          .where('conversation_id', '=', countless ?? '')
          .executeTakeFirst()
      pieces['figures of support'] = {
        isGoodDone: async () =>
          (await db
            .selectFrom('support_rows')
            .select('conversation_id')
            .where('conversation_id', '=', countable ?? '')
            .executeTakeFirst()) !== undefined,
        async failures() {
          const row = await retry()
          return row?.leased_until === null ? row.attempts : -1
        },
        isParked: async () => typeof (await retry())?.parked_at === 'string',
      }
      running.push(runSupport(dependencies))

      const files = both.map(({ agent_id }) => ({ id: String(agent_id), media: '{}', digest: null }))
      const ofMessage = { agent_id: bad, channel_id: bad, conversation_id: '', message_id: 0 }
      for (const [at, { agent_id }] of both.entries())
        await insertFetches(
          db,
          { ...ofMessage, agent_id, channel_id: agent_id },
          files.slice(at, at + 1),
          null,
          now,
        )
      const fetches = await db.selectFrom('file_fetches').select('id').orderBy('agent_id').execute()
      pieces.fetches = inTable('file_fetches', ids(fetches), 'done')
      running.push(
        runFetches({
          ...{ ...dependencies, places: placesInDatabase(db), fileLimit: 1 },
          outbound: {} as Outbound,
          channels: {
            async byId(id) {
              if (id === bad) throw new Error('poisoned')
              return null
            },
          },
        }),
      )

      const imports = await db
        .insertInto('knowledge_imports')
        .values(
          both.map(({ agent_id, isBad }) => ({
            ...{ agent_id, team_id, kind: 'site' as const, url: 'http://shop.example/', page_limit: 10 },
            ...{ include: isBad ? NO_JSON : '[]', exclude: '[]', every: null, created_at: now },
            state: isBad ? ('queued' as const) : ('removing' as const),
          })),
        )
        .returning('id')
        .execute()
      pieces.imports = inTable('knowledge_imports', ids(imports), null)
      running.push(runImports({ ...dependencies, outbound: { of: () => ({}) } as unknown as Outbound }))

      const runs = await db
        .insertInto('test_runs')
        .values(
          both.map(({ agent_id, isBad }) => ({
            ...{
              agent_id,
              dataset_id: 1,
              version: null,
              settings: isBad ? NO_JSON : settings,
              evaluators: '[]',
            },
            ...{ state: 'queued' as const, error: null, total: 0, created_at: now, leased_until: null },
          })),
        )
        .returning('id')
        .execute()
      pieces['test runs'] = inTable('test_runs', ids(runs), 'done')
      running.push(runTests({ ...dependencies } as unknown as Parameters<typeof runTests>[0]))

      await db
        .insertInto('conversation_summaries')
        .values(
          both.map(({ agent_id }) => ({ agent_id, conversation_id: `of agent ${agent_id}`, due_at: now })),
        )
        .execute()
      const summaries = await db
        .selectFrom('conversation_summaries')
        .select('id')
        .orderBy('agent_id')
        .execute()
      pieces.summaries = inTable('conversation_summaries', ids(summaries), 'done')
      running.push(
        runSummaries({
          ...dependencies,
          modelFailed: () => {},
          modelFor({ id }: { id: number }) {
            if (id === bad) throw new Error('poisoned')
            return { isBuiltIn: true }
          },
        } as unknown as Parameters<typeof runSummaries>[0]),
      )

      const { conversation } = await db
        .transaction()
        .execute((db) => openConversation(db, { agentId: bad, teamId: team_id }, WISH, nowMs))
      await db
        .insertInto('completions')
        .values({
          ...{ id: 'poisoned', agent_id: bad, conversation_id: conversation.id },
          ...{ created_at: now, model: 'm', tags: '[]' },
        })
        .execute()
      await db
        .insertInto('messages')
        .values({
          ...{ agent_id: bad, conversation_id: conversation.id, completion_id: 'poisoned', role: 'user' },
          ...{ content: NO_JSON, tool_calls: null, tool_call_id: null, author: null },
          ...{ created_at: now, redacted: null },
        })
        .execute()
      const proposals = await db
        .insertInto('knowledge_proposals')
        .values(
          both.map(({ agent_id, isBad }) => {
            const at = { created_at: now, updated_at: now, due_at: now, leased_until: null }
            const conversation_id = isBad ? conversation.id : 'gone'
            return { agent_id, conversation_id, completion_id: isBad ? 'poisoned' : 'gone', ...at }
          }),
        )
        .returning('id')
        .execute()
      pieces.proposals = inTable('knowledge_proposals', ids(proposals), null)
      running.push(runProposals({ ...dependencies } as unknown as Parameters<typeof runProposals>[0]))

      const [operator] = await db
        .insertInto('operators')
        .values({
          ...{ team_id, name: 'O', email: 'o@team.example' },
          right: 'read',
          created_at: now,
        } as never)
        .returning('id')
        .execute()
      await db
        .insertInto('operator_links')
        .values(
          both.map(({ isBad }) => ({
            ...{
              hash: String(isBad),
              operator_id: operator?.id ?? 0,
              expires_at: '2999-01-01T00:00:00.000Z',
            },
          })),
        )
        .execute()
      for (const isBad of [true, false])
        await insertMail(
          db,
          { link_hash: String(isBad), operator_id: operator?.id ?? 0, kind: 'reset', due_at: now },
          (id) => (isBad ? 'not sealed' : box.seal('of no link', tokenPlace(id))),
        )
      const mails = await db.selectFrom('operator_mails').select('id').orderBy('id').execute()
      pieces.mails = inTable('operator_mails', ids(mails), null)
      running.push(sendMails({ ...dependencies, box, mailer: {} as Mailer, publicUrl: () => '' }))

      for (const { agent_id, isBad } of both) {
        const operator_id = operator?.id ?? 0
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
      pieces.pushes = inTable('notice_pushes', ids(pushes), 'shown')
      const took = async () => ({ status: 201, headers: {} })
      running.push(
        pushNotices({
          ...{ ...dependencies, box, contact: () => 'mailto:a@b.example' },
          outbound: { of: () => ({ request: took }) } as unknown as Outbound,
        }),
      )

      await db
        .insertInto('automation_jobs')
        .values(
          both.map(({ agent_id, isBad }) => ({
            ...{
              agent_id,
              completion_id: String(agent_id),
              conversation_id: 'c',
              created_at: now,
              due_at: now,
            },
            ...{ facts: isBad ? NO_JSON : '{}', runs: '[]', state: 'waiting' as const, leased_until: null },
          })),
        )
        .execute()
      const jobs = await db.selectFrom('automation_jobs').select('id').orderBy('agent_id').execute()
      pieces.automations = inTable('automation_jobs', ids(jobs), 'done')
      const deskJobs = await db
        .insertInto('desk_jobs')
        .values(
          both.map(({ agent_id, isBad }) => ({
            ...{ agent_id, conversation_id: 'c', cause: 'c', on_event: 'opened' as const },
            ...{ happening_id: null, rule_id: null, runs: isBad ? NO_JSON : '[]' },
            ...{ state: 'waiting' as const, due_at: now, created_at: now, leased_until: null },
          })),
        )
        .returning('id')
        .execute()
      pieces['desk automations'] = inTable('desk_jobs', ids(deskJobs), 'done')
      const ofAutomations = {
        ...{
          ...dependencies,
          box,
          outbound: { of: () => ({}) } as unknown as Outbound,
          rulesOf: async () => null,
          lockAssignee: async () => null,
        },
        evaluators: {} as Parameters<typeof runAutomations>[0]['evaluators'],
      }
      running.push(runAutomations(ofAutomations), runDeskAutomations(ofAutomations))

      const accept = acceptItems(db, database.engine, clock)
      for (const { agent_id, isBad } of both)
        await accept({
          channel: { id: agent_id, agent_id },
          items: [
            { sourceId: String(isBad), thread: 't', kind: 'message', payload: {}, writableUntil: null },
          ],
          delayMs: 0,
        })
      const item = (source_id: string) =>
        db
          .selectFrom('mailbox_items')
          .selectAll()
          .where('source_id', '=', source_id)
          .executeTakeFirstOrThrow()
      pieces.mailboxes = {
        isGoodDone: async () => (await item('false')).state === 'done',
        async failures() {
          const { mailbox_id, attempts } = await item('true')
          const mailbox = await db
            .selectFrom('mailboxes')
            .select('leased_until')
            .where('id', '=', mailbox_id)
            .executeTakeFirstOrThrow()
          return mailbox.leased_until === null ? attempts : -1
        },
        isParked: async () => (await item('true')).state === 'parked',
      }
      running.push(
        runMailboxes({
          ...dependencies,
          work: {
            next: (_mailbox, items) => items.slice(0, 1),
            async run({ items, lease }) {
              if (items[0]?.source_id === 'true') throw new Error('poisoned')
              await db.transaction().execute(async (db) => {
                await lease.hold(db)
                await updateItems(db, ids(items), { state: 'done', finished_at: now, payload: null })
              })
            },
            parked: async () => {},
          },
        }),
      )

      for (const one of running) one.start()
      for (let attempt = 1; attempt <= MOST_ATTEMPTS; attempt++) {
        await becomes(failures, allOf(attempt))
        nowMs += 3_600_000
        for (const topic of TOPICS) database.wakeUps.send(topic)
      }
    })
    after(async () => {
      await Promise.all(running.map((one) => one.stop(0)))
      await database.close()
      await database.fresh.remove()
    })

    const failures = async () =>
      Object.fromEntries(
        await Promise.all(Object.entries(pieces).map(async ([name, of]) => [name, await of.failures()])),
      )
    const allOf = (attempt: number) => Object.fromEntries(Object.keys(pieces).map((name) => [name, attempt]))

    for (const name of [
      ...[
        'bulk acts',
        'snoozes',
        'silences',
        'away messages',
        'clocks of targets',
        'recounts of targets',
        'figures of support',
        'calibrations',
        'embeddings',
        'imports',
        'test runs',
        'summaries',
        'proposals',
        'mails',
        'pushes',
        'automations',
        'desk automations',
      ],
      'mailboxes',
    ])
      it(`${name}: the good one is done, the poisoned one is parked after five failures`, async () => {
        const of = pieces[name]
        assert.ok(of)
        await becomes(of.isGoodDone, true)
        await becomes(of.isParked, true)
        assert.equal(await of.failures(), MOST_ATTEMPTS, 'it is not tried again')
      })
  })
}

for (const engine of engines) {
  describe(`pieces of work that make progress on ${engine}`, () => {
    let database: Database & { fresh: FreshDatabase }
    let agent_id: number
    let team_id: number
    const running: RunningWork[] = []
    const failures: Record<string, () => Promise<object>> = {}
    /** It stands still, so that what has failed is not tried again. */
    const nowMs = Date.now()
    const clock = () => nowMs
    /** The state of a piece that failed often, and during which processes ended, right before the last allowed time. */
    const WORN = { attempts: MOST_ATTEMPTS - 2, deaths: MOST_DEATHS - 1 }

    /** The first step of the piece succeeds, its second one fails. */
    function inTable(name: string, table: string, { id }: { id: number }): void {
      failures[name] = () =>
        database.db
          .selectFrom(table as 'bulk_acts')
          .select(['attempts', 'deaths'])
          .where('id', '=', id)
          .executeTakeFirstOrThrow()
    }

    before(async () => {
      database = await openFreshDatabase(engine)
      const { db } = database
      const agent = await db
        .transaction()
        .execute((db) => createAgent(db, { name: 'A', teamId: null, nowMs: clock() }))
      agent_id = agent.agentId
      team_id = agent.teamId
      const now = timestamp(clock())
      const settings = JSON.stringify((await readAgents(db, [agent_id])).get(agent_id)?.settings)
      const dependencies = { database, clock, logger: pino({ level: 'silent' }) }

      const act = await db
        .insertInto('bulk_acts')
        .values({
          ...{ agent_id, team_id, filter: null, state: 'working', matched: 2, created_at: now, ...WORN },
          ...{ action: '{"type":"assign","operator_id":9}', actor: '{"kind":"system"}', leased_until: null },
        })
        .returning('id')
        .executeTakeFirstOrThrow()
      await db
        .insertInto('bulk_items')
        .values(['a', 'b'].map((conversation_id) => ({ bulk_id: act.id, conversation_id })))
        .execute()
      await refuse(database, 'bulk_acts', 'done', 'new.done = 2')
      inTable('bulk acts', 'bulk_acts', act)
      running.push(runBulkActs({ ...dependencies, ...forBulk }))

      const document = await db
        .insertInto('knowledge_documents')
        .values({
          ...{ agent_id, source: 's', title: 't', url: null, content_hash: '' },
          ...{ created_at: now, updated_at: now },
        })
        .returning('id')
        .executeTakeFirstOrThrow()
      const passage = { agent_id, document_id: document.id, heading: '', anchor: '', text: 'text', length: 1 }
      await db
        .insertInto('knowledge_passages')
        .values(Array.from({ length: 40 }, (_, position) => ({ ...passage, position })))
        .execute()
      const embeddings = await db
        .insertInto('knowledge_embeddings')
        .values({ agent_id, changes: 1, due_at: now, ...WORN })
        .returning('id')
        .executeTakeFirstOrThrow()
      inTable('embeddings', 'knowledge_embeddings', embeddings)
      running.push(
        runEmbedding({
          ...dependencies,
          anyServerIsSet: async () => true,
          embedderOf: async () => ({
            name: 'm',
            url: 'http://vectors.example',
            async embed(texts) {
              if (texts.length > 1 && texts.length < 32) throw new Error('poisoned')
              return { vectors: texts.map(() => Float32Array.of(1, 0)), dimension: 2, tokens: 1 }
            },
          }),
        }),
      )

      const site = {
        ...{ agent_id, team_id, kind: 'site' as const, url: 'http://shop.example/', page_limit: 10 },
        ...{ include: '[]', exclude: '[]', every: null, created_at: now, run: 1, is_seeded: 1, ...WORN },
      }
      for (const [name, state] of [
        ['crawls', 'running'],
        ['removals of imports', 'removing'],
      ] as const) {
        const row = await db
          .insertInto('knowledge_imports')
          .values({ ...site, state })
          .returning('id')
          .executeTakeFirstOrThrow()
        // Pages at which processes have ended are skipped.
        const page = { import_id: row.id, agent_id, depth: 1, run: 1, waiting: 1 }
        const of = { outcome: null, reason: null, content_hash: null, checked_at: null }
        await db
          .insertInto('knowledge_pages')
          .values(
            ['a', 'poison'].map((at, nth) => ({
              ...{ ...page, ...of, url: `http://shop.example/${at}`, tries: 3 + 2 * nth },
              document_id: state === 'removing' ? 1000 + nth : null,
            })),
          )
          .execute()
        inTable(name, 'knowledge_imports', row)
      }
      await refuse(database, 'knowledge_pages', 'document_id', "old.url like '%poison'")
      const request = async () => ({ status: 404, headers: {}, body: Buffer.alloc(0) })
      running.push(
        runImports({ ...dependencies, outbound: { of: () => ({ request }) } as unknown as Outbound }),
      )

      const model = {
        async complete(): Promise<never> {
          throw new ModelError('unreachable', 'not reached')
        },
      }
      const run = await db
        .insertInto('test_runs')
        .values({
          ...{ agent_id, dataset_id: 1, version: null, settings, evaluators: '[]', state: 'queued' },
          ...{ error: null, total: 2, created_at: now, leased_until: null, ...WORN },
        })
        .returning('id')
        .executeTakeFirstOrThrow()
      await db
        .insertInto('test_results')
        .values(
          ['{}', NO_JSON].map((tags) => ({
            ...{ agent_id, run_id: run.id, case_id: 1, tags, state: 'waiting' as const },
            ...{ model: null, said: null, ms: null },
          })),
        )
        .execute()
      inTable('test runs', 'test_runs', run)
      running.push(
        runTests({
          ...dependencies,
          modelFor: () => ({ model, name: 'm', isBuiltIn: false, takesTools: () => false }),
          rulesOf: async () => null,
          toolsOf: async () => null,
          retrieve: async () => null,
          modelFailed: () => {},
        } as unknown as Parameters<typeof runTests>[0]),
      )

      await db
        .insertInto('messages')
        .values(
          Array.from({ length: 30 }, (_, nth) => ({
            ...{ agent_id, conversation_id: 'long', completion_id: null },
            role: nth % 2 === 0 ? ('user' as const) : ('assistant' as const),
            ...{ content: JSON.stringify(`${nth} ${'word '.repeat(100)}`), tool_calls: null },
            ...{ tool_call_id: null, author: null, created_at: now, redacted: null },
          })),
        )
        .execute()
      const summary = await db
        .insertInto('conversation_summaries')
        .values({ agent_id, conversation_id: 'long', due_at: now, ...WORN })
        .returning('id')
        .executeTakeFirstOrThrow()
      inTable('summaries', 'conversation_summaries', summary)
      let asked = 0
      running.push(
        runSummaries({
          ...dependencies,
          rooms: { of: () => ({ tokens: 1500 }) },
          modelFailed: () => {},
          modelFor: () => ({
            name: 'm',
            isBuiltIn: false,
            model: {
              async complete() {
                if (++asked > 1) throw new Error('poisoned')
                return { content: 'notes' }
              },
            },
          }),
        } as unknown as Parameters<typeof runSummaries>[0]),
      )

      const { conversation } = await db
        .transaction()
        .execute((db) => openConversation(db, agent, WISH, clock()))
      const conversation_id = conversation.id
      await db
        .insertInto('completions')
        .values({ id: COMPLETION, agent_id, conversation_id, created_at: now, model: 'm', tags: '[]' })
        .execute()
      const job = await db
        .insertInto('automation_jobs')
        .values({
          ...{ agent_id, completion_id: COMPLETION, conversation_id, created_at: now, due_at: now },
          facts: '{}',
          ...{ state: 'waiting', leased_until: null, ...WORN },
          runs: JSON.stringify([{ id: 1, name: 'A', status: 'running', action: 0 }]),
        })
        .returning('id')
        .executeTakeFirstOrThrow()
      inTable('automations', 'automation_jobs', job)
      const actions = [{ type: 'call_webhook', url: 'http://crm.example/' }, { type: 'poisoned' }]
      running.push(
        runAutomations({
          ...dependencies,
          outbound: { of: () => ({ request }) },
          rulesOf: async () => ({ automations: [{ id: 1, name: 'A', condition: null, actions }] }),
        } as unknown as Parameters<typeof runAutomations>[0]),
      )

      const accept = acceptItems(db, database.engine, clock)
      await accept({
        channel: { id: 1, agent_id },
        items: ['a', 'b'].map((sourceId) => ({
          ...{ sourceId, thread: 't', kind: 'message', payload: {}, writableUntil: null },
        })),
        delayMs: 0,
      })
      await db.updateTable('mailboxes').set({ deaths: 1, attempts: WORN.attempts }).execute()
      // A mailbox itself does not fail with an item, so what is stored is read before its second one.
      let atSecond: object = {}
      failures.mailboxes = async () => ({ attempts: 1, deaths: 0, ...atSecond })
      running.push(
        runMailboxes({
          ...dependencies,
          work: {
            next: (_mailbox, items) => items.slice(0, 1),
            async run({ items, lease, mailbox }) {
              const { id } = mailbox
              const { attempts, deaths } = await db
                .selectFrom('mailboxes')
                .select(['attempts', 'deaths'])
                .where('id', '=', id)
                .executeTakeFirstOrThrow()
              if (items[0]?.source_id === 'b') atSecond = { attempts: attempts + 1, deaths }
              await db.transaction().execute(async (db) => {
                await lease.hold(db)
                const done = { state: 'done', finished_at: now, payload: null } as const
                await updateItems(
                  db,
                  items.map(({ id }) => id),
                  done,
                )
              })
            },
            parked: async () => {},
          },
        }),
      )
      for (const one of running) one.start()
    })
    after(async () => {
      await Promise.all(running.map((one) => one.stop(0)))
      await database.close()
      await database.fresh.remove()
    })

    for (const name of [
      ...['bulk acts', 'embeddings', 'crawls', 'removals of imports', 'test runs', 'summaries'],
      ...['automations', 'mailboxes'],
    ])
      it(`${name}: only failures and ends of processes since the last progress count`, async () => {
        await becomes(() => failures[name]?.(), { attempts: 1, deaths: 0 })
      })
  })
}

/** Has the database refuse to store a column of some rows of a table. */
async function refuse({ db, engine }: Database, table: string, column: string, when: string): Promise<void> {
  if (engine.kind === 'sqlite') {
    await sql
      .raw(
        `create trigger poison_${table} before update of ${column} on ${table} when ${when}
          begin select raise(abort, 'poisoned'); end`,
      )
      .execute(db)
    return
  }
  await sql
    .raw(
      `create or replace function poison() returns trigger language plpgsql as $$ begin raise 'poisoned'; end $$`,
    )
    .execute(db)
  await sql
    .raw(
      `create trigger poison_${table} before update of ${column} on ${table} for each row
        when (${when}) execute function poison()`,
    )
    .execute(db)
}
