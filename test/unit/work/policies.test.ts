import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { after, before, describe, it } from 'node:test'
import type { Insertable } from 'kysely'
import pino from 'pino'
import { readAgents } from '../../../src/agents/agent.ts'
import { createAgent } from '../../../src/agents/create-agent.ts'
import { runSupport } from '../../../src/analytics/support/run-support.ts'
import { retriedKinds, retryWork } from '../../../src/app/count-work.ts'
import { bySystem } from '../../../src/audit/record.ts'
import { runFetches } from '../../../src/channels/media/run-fetches.ts'
import { runAway } from '../../../src/desk/say-away.ts'
import { runSnoozes } from '../../../src/desk/snooze/run-snoozes.ts'
import { runClocks } from '../../../src/desk/targets/run-clocks.ts'
import { runRecounts } from '../../../src/desk/targets/run-recounts.ts'
import { insertFetches } from '../../../src/files/fetches/store.ts'
import { runSilences } from '../../../src/inactivity/run-silences.ts'
import { runBulkActs } from '../../../src/inbox/bulk/run-bulk.ts'
import { runCalibration } from '../../../src/knowledge/calibration/run-calibration.ts'
import { runImports } from '../../../src/knowledge/imports/run-imports.ts'
import { runEmbedding } from '../../../src/knowledge/vectors/run-embedding.ts'
import { runProposals } from '../../../src/learning/run-proposals.ts'
import { timestamp } from '../../../src/lib/clock.ts'
import type { Mailer } from '../../../src/lib/mail.ts'
import type { Outbound } from '../../../src/lib/outbound/outbound.ts'
import { createSecretBox } from '../../../src/lib/secrets/secret-box.ts'
import { acceptItems } from '../../../src/mailboxes/accept.ts'
import { updateItems } from '../../../src/mailboxes/items.ts'
import { runMailboxes } from '../../../src/mailboxes/run-mailboxes.ts'
import { mailDigests } from '../../../src/notices/mails/mail-digests.ts'
import type { NoticeMailDependencies } from '../../../src/notices/mails/mail-letters.ts'
import { mailUnread } from '../../../src/notices/mails/mail-unread.ts'
import { pushNotices } from '../../../src/notices/pushes/push-notices.ts'
import { tellPeople } from '../../../src/notices/tell-people.ts'
import { sendMails } from '../../../src/operators/mails/send-mails.ts'
import { insertMail, tokenPlace } from '../../../src/operators/mails/store.ts'
import { runAutomations } from '../../../src/rules/run-automations.ts'
import { runDeskAutomations } from '../../../src/rules/run-desk-automations.ts'
import { runTests } from '../../../src/runs/run-tests.ts'
import type { Database } from '../../../src/storage/opened-database.ts'
import type { Tables } from '../../../src/storage/tables.ts'
import { openConversation } from '../../../src/transcripts/conversations/open-conversation.ts'
import { runSummaries } from '../../../src/turns/history/run-summaries.ts'
import { MOST_ATTEMPTS } from '../../../src/work/retry.ts'
import type { RunningWork } from '../../../src/work/run-work.ts'
import { becomes } from '../../support/becomes.ts'
import { engines, type FreshDatabase, openFreshDatabase } from '../../support/databases.ts'
import { placesInDatabase } from '../../support/places-in-database.ts'
import { forBulk, NO_JSON, refuse, WISH } from '../../support/poisoned.ts'
import { insertNoticeWork, insertPushes } from '../../support/poisoned-notices.ts'
import { TOPICS } from '../../support/topics-of-work.ts'

const PIECES = [
  ...['bulk acts', 'snoozes', 'silences', 'away messages', 'clocks of targets', 'recounts of targets'],
  ...['figures of support', 'fetches', 'calibrations', 'embeddings', 'imports', 'test runs', 'summaries'],
  ...['proposals', 'mails', 'pushes', 'notices', 'mails with notices', 'digests of notices', 'automations'],
  ...['desk automations', 'mailboxes'],
]

/** Bulk acts cannot be tried again, mails and digests belong to no agent, and items of mailboxes have their own way. */
const NOT_RETRIED = new Set(['bulk acts', 'mails', 'digests of notices', 'mailboxes'])

/** One of the two pieces of a kind. */
interface Piece {
  agent_id: number
  isBad: boolean
}

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
      const both = [bad, good].map((agent_id): Piece => ({ agent_id, isBad: agent_id === bad }))
      const ids = (rows: { id: number }[]) => rows.map(({ id }) => id)
      /** Stores a piece of each agent, the poisoned one first. */
      const add = async <Table extends keyof Tables>(
        name: string,
        table: Table,
        done: string | null,
        rowOf: (piece: Piece) => Insertable<Tables[Table]>,
      ) => {
        const rows = await db
          .insertInto(table as 'bulk_acts')
          .values(both.map(rowOf) as never)
          .returning('id')
          .execute()
        pieces[name] = inTable(table, ids(rows), done)
      }
      const dependencies = { database, clock, logger: pino({ level: 'silent' }) }

      await add('bulk acts', 'bulk_acts', 'done', ({ agent_id, isBad }) => ({
        ...{ agent_id, team_id, filter: null, state: 'working' as const, matched: 0, created_at: now },
        action: isBad ? NO_JSON : '{"type":"priority","priority":"high"}',
        ...{ actor: '{"kind":"system"}', leased_until: null },
      }))
      running.push(runBulkActs({ ...dependencies, ...forBulk }))

      const ofChanges = ({ agent_id }: Piece) => ({ agent_id, changes: 1, due_at: now })
      await add('calibrations', 'knowledge_calibrations', 'done', ofChanges)
      await refuse(database, 'knowledge_calibrations', 'update of measured_at', `old.agent_id = ${bad}`)
      running.push(runCalibration(dependencies))

      await add('embeddings', 'knowledge_embeddings', 'done', ofChanges)
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
      const inConversation = ({ agent_id, isBad }: Piece) => ({
        ...{ agent_id, due_at: now, leased_until: null },
        conversation_id: isBad ? 'unknown' : known.conversation.id,
      })
      await add('snoozes', 'snoozes', null, inConversation)
      running.push(runSnoozes(dependencies))

      await add('away messages', 'away_messages', 'done', inConversation)
      running.push(runAway(dependencies))

      await add('silences', 'silences', null, inConversation)
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

      await add('clocks of targets', 'target_clocks', null, ({ agent_id, isBad }) => ({
        ...{ agent_id, target_id: 0, kind: 'resolution' as const, started_at: now, since: now },
        ...{ ends_at: now, due_at: now, leased_until: null },
        conversation_id: isBad ? 'unknown' : known.conversation.id,
      }))
      running.push(runClocks(dependencies))

      await add('recounts of targets', 'target_recounts', 'done', ({ agent_id }) => ({
        agent_id,
        reason: 'hours' as const,
        due_at: now,
        leased_until: null,
      }))
      await refuse(database, 'target_recounts', 'update of after_id', `old.agent_id = ${bad}`)
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

      for (const { agent_id } of both) {
        const ofMessage = { agent_id, channel_id: agent_id, conversation_id: '', message_id: 0 }
        const file = { id: String(agent_id), media: '{}', digest: null }
        await insertFetches(db, ofMessage, [file], null, now)
      }
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

      await add('imports', 'knowledge_imports', null, ({ agent_id, isBad }) => ({
        ...{ agent_id, team_id, kind: 'site' as const, url: 'http://shop.example/', page_limit: 10 },
        ...{ include: isBad ? NO_JSON : '[]', exclude: '[]', every: null, created_at: now },
        state: isBad ? ('queued' as const) : ('removing' as const),
      }))
      running.push(runImports({ ...dependencies, outbound: { of: () => ({}) } as unknown as Outbound }))

      await add('test runs', 'test_runs', 'done', ({ agent_id, isBad }) => ({
        ...{ agent_id, dataset_id: 1, version: null, evaluators: '[]' },
        settings: isBad ? NO_JSON : settings,
        ...{ state: 'queued' as const, error: null, total: 0, created_at: now, leased_until: null },
      }))
      running.push(runTests({ ...dependencies } as unknown as Parameters<typeof runTests>[0]))

      await add('summaries', 'conversation_summaries', 'done', ({ agent_id }) => ({
        agent_id,
        conversation_id: `of agent ${agent_id}`,
        due_at: now,
      }))
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
      await add('proposals', 'knowledge_proposals', null, ({ agent_id, isBad }) => {
        const at = { created_at: now, updated_at: now, due_at: now, leased_until: null }
        const conversation_id = isBad ? conversation.id : 'gone'
        return { agent_id, conversation_id, completion_id: isBad ? 'poisoned' : 'gone', ...at }
      })
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

      const pushes = await insertPushes(db, both, operator?.id ?? 0, now)
      pieces.pushes = inTable('notice_pushes', pushes, 'shown')
      const took = async () => ({ status: 201, headers: {} })
      running.push(
        pushNotices({
          ...{ ...dependencies, box, contact: () => 'mailto:a@b.example' },
          outbound: { of: () => ({ request: took }) } as unknown as Outbound,
        }),
      )

      for (const [name, ...of] of await insertNoticeWork(database, both, { teamId: team_id, now }))
        pieces[name] = inTable(...of)
      running.push(tellPeople({ ...dependencies, isLooking: () => false, isMailing: false }))
      const ofNotices = {
        ...{ ...dependencies, mailer: {} as Mailer, publicUrl: () => '' },
        stopLinks: {} as NoticeMailDependencies['stopLinks'],
      }
      running.push(mailUnread(ofNotices), mailDigests(ofNotices))

      await add('automations', 'automation_jobs', 'done', ({ agent_id, isBad }) => ({
        ...{ agent_id, completion_id: String(agent_id), conversation_id: 'c' },
        ...{ created_at: now, due_at: now },
        ...{ facts: isBad ? NO_JSON : '{}', runs: '[]', state: 'waiting' as const, leased_until: null },
      }))
      await add('desk automations', 'desk_jobs', 'done', ({ agent_id, isBad }) => ({
        ...{ agent_id, conversation_id: 'c', cause: 'c', on_event: 'opened' as const },
        ...{ happening_id: null, rule_id: null, runs: isBad ? NO_JSON : '[]' },
        ...{ state: 'waiting' as const, due_at: now, created_at: now, leased_until: null },
      }))
      const ofAutomations = {
        ...{
          ...dependencies,
          box,
          outbound: { of: () => ({}) } as unknown as Outbound,
          rulesOf: async () => null,
          isSpent: async () => false,
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

    it('each policy of work has its pieces', () => {
      const own = readFileSync(import.meta.filename, 'utf8')
      const policies = globSync('src/**/*.ts').filter(
        (file) => file !== 'src/work/run-queue.ts' && /\brunQueue</.test(readFileSync(file, 'utf8')),
      )
      const names = policies.flatMap(
        (file) => /^export function (\w+)/m.exec(readFileSync(file, 'utf8'))?.[1] ?? file,
      )
      assert.ok(names.length > 20)
      assert.deepEqual(
        names.filter((name) => !own.includes(`${name}(`)),
        [],
      )
      assert.deepEqual(Object.keys(pieces).sort(), [...PIECES].sort())
    })

    for (const name of PIECES)
      it(`${name}: the good one is done, the poisoned one is parked after five failures`, async () => {
        const of = pieces[name]
        assert.ok(of)
        await becomes(of.isGoodDone, true)
        await becomes(of.isParked, true)
        assert.equal(await of.failures(), MOST_ATTEMPTS, 'it is not tried again')
      })

    it('a parked digest is tried once more at its next time', async () => {
      const { due_at } = await database.db
        .selectFrom('notice_settings')
        .select('due_at')
        .where('parked_at', 'is not', null)
        .executeTakeFirstOrThrow()
      const hours = (Date.parse(due_at ?? '') - nowMs) / 3_600_000
      assert.ok(hours > 0 && hours < 24, `it is due in ${hours} hours`)
    })

    it('of work with notices, that of an agent raises an event when it is parked', async () => {
      const events = await database.db
        .selectFrom('events')
        .select('data')
        .where('key', '=', 'error')
        .execute()
      const works = events.map(({ data }) => JSON.parse(data ?? '{}').work)
      assert.deepEqual(works.filter((work) => /mails|pushes|digests/.test(work)).sort(), [
        'notice_mails',
        'notice_pushes',
      ])
      assert.deepEqual(
        works.filter((work) => work !== undefined && work !== 'bulk_acts' && !retriedKinds.includes(work)),
        [],
        'what an event names can be tried again by this name',
      )
    })

    it('parked pieces that are tried again have all their attempts', async () => {
      const { db } = database
      const again = PIECES.filter((name) => !NOT_RETRIED.has(name))
      let retried = 0
      for (const { id, team_id } of await db.selectFrom('agents').select(['id', 'team_id']).execute())
        for (const kind of retriedKinds)
          retried += await retryWork(db, id, kind, timestamp(nowMs), { ...bySystem, teamId: team_id })
      assert.equal(retried, again.length)
      const failuresOf = async () =>
        Promise.all(again.map(async (name) => [name, await pieces[name]?.failures()]))
      await becomes(
        failuresOf,
        again.map((name) => [name, 1]),
      )
    })
  })
}
