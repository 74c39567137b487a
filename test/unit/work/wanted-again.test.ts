import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { before, describe, it } from 'node:test'
import type { Kysely } from 'kysely'
import { createAgent } from '../../../src/agents/create-agent.ts'
import { countAlone } from '../../../src/analytics/support/retry-store.ts'
import { bySystem } from '../../../src/audit/record.ts'
import { scheduleReturn } from '../../../src/desk/snooze/store.ts'
import { fetchOnceMore, insertFetches } from '../../../src/files/fetches/store.ts'
import { calibrationChanges } from '../../../src/knowledge/calibration/calibration-store.ts'
import { crawlAgain } from '../../../src/knowledge/imports/save-import.ts'
import { insertImport } from '../../../src/knowledge/imports/store.ts'
import {
  lookAtAgent,
  lookAtAll,
  noteMismatch,
  passagesChange,
} from '../../../src/knowledge/vectors/embedding-store.ts'
import { insertProposal, makeAgain } from '../../../src/learning/proposal-store.ts'
import { timestamp } from '../../../src/lib/clock.ts'
import { acceptItems } from '../../../src/mailboxes/accept.ts'
import { postMessage } from '../../../src/mailboxes/post.ts'
import { askForMail } from '../../../src/notices/mails/store.ts'
import { upsertSettings } from '../../../src/notices/settings-store.ts'
import type { Tables } from '../../../src/storage/tables.ts'
import { insertClocks, recountClocks, writeClock } from '../../../src/targets/store.ts'
import { askForAway } from '../../../src/transcripts/conversations/away-store.ts'
import { expectSilence } from '../../../src/transcripts/conversations/silence-store.ts'
import { wantSummary } from '../../../src/turns/history/summary-store.ts'
import { MOST_ATTEMPTS } from '../../../src/work/retry.ts'
import { engines } from '../../support/databases.ts'
import { sharedDatabase } from '../../support/shared.ts'

const NOW_MS = Date.parse('2026-01-02T03:04:05.000Z')
const NOW = timestamp(NOW_MS)
const NEVER = '9999-12-31T23:59:59.999Z'
const CONVERSATION = 'conversation'
const INACTIVITY = { policy: 'resolve' as const, follow_up_after: null, resolve_after: 1 }
const AWAY = { away_message: 'Nobody is there.', texts: {} }
const COUNT = { spent_ms: 0, since: NOW, ends_at: NOW }
const CHOSEN = {
  ...{ choices: '{}', after_minutes: 10, details: 0 as const, digest_at: '08:00', time_zone: 'UTC' },
}
/** The tables of pieces that nothing wants a second time by itself. */
const ONCE = [
  ...['automation_jobs', 'desk_jobs', 'bulk_acts', 'test_runs'],
  ...['notice_causes', 'notice_pushes', 'operator_mails'],
]
/** These keep the time of a piece that waits. */
const KEEPS_TIME = new Set(['embeddings', 'calibrations', 'summaries', 'mails with notices'])

type Db = Kysely<Tables>

for (const engine of engines)
  describe(`parked work that is wanted again on ${engine}`, () => {
    const database = sharedDatabase(engine)
    let db: Db
    let agent_id: number
    let team_id: number
    let operator_id: number

    before(async () => {
      db = database().db
      const agent = await db
        .transaction()
        .execute((db) => createAgent(db, { name: 'A', teamId: null, nowMs: NOW_MS }))
      agent_id = agent.agentId
      team_id = agent.teamId
      const person = { team_id, name: 'O', email: 'o@team.example', right: 'read', created_at: NOW }
      operator_id = (
        await db
          .insertInto('operators')
          .values(person as never)
          .returning('id')
          .executeTakeFirstOrThrow()
      ).id
    })

    type Work = 'snoozes'
    const read = (table: string) =>
      db
        .selectFrom(table as Work)
        .select(['id', 'due_at', 'attempts', 'parked_at', 'failure'])
        .executeTakeFirstOrThrow()
    const mark = (table: string, values: object) =>
      db
        .updateTable(table as Work)
        .set(values)
        .execute()

    const conversation = () => ({ id: CONVERSATION, agent_id })
    const ofMessage = () => ({ agent_id, conversation_id: CONVERSATION, message_id: 1, channel_id: 1 })
    const insertFetch = () =>
      insertFetches(db, ofMessage(), [{ id: 'file', media: '{}', digest: null }], null, NOW)
    const startClock = () =>
      insertClocks(db, [
        {
          ...{ agent_id, conversation_id: CONVERSATION, target_id: 0, kind: 'resolution', started_at: NOW },
          ...{ ...COUNT, due_at: NOW },
        },
      ])
    const insertFailedImport = () =>
      insertImport(db, {
        ...{ agent_id, team_id, kind: 'site', url: 'http://shop.example/', page_limit: 10 },
        ...{ include: '[]', exclude: '[]', every: null, state: 'failed', created_at: NOW },
      })
    const crawl = async () =>
      crawlAgain(db, agent_id, String((await read('knowledge_imports')).id), NOW_MS, {
        ...bySystem,
        teamId: team_id,
      })
    let accepted = 0
    const accept = () =>
      acceptItems(
        db,
        database().engine,
        () => NOW_MS,
      )({
        channel: { id: 1, agent_id },
        items: [
          ...[
            {
              sourceId: String(accepted++),
              thread: 't',
              kind: 'message' as const,
              payload: {},
              writableUntil: null,
            },
          ],
        ],
        delayMs: 0,
      })

    /** The table of each kind, what wants a piece of it, and what creates it, if that is something else. */
    const wanted: [
      kind: string,
      table: string,
      want: () => Promise<unknown>,
      begin?: () => Promise<unknown>,
    ][] = [
      ['snoozes', 'snoozes', () => scheduleReturn(db, conversation(), NOW)],
      ['away messages', 'away_messages', () => askForAway(db, conversation(), AWAY, NOW)],
      ['silences', 'silences', () => expectSilence(db, CONVERSATION, agent_id, INACTIVITY, NOW)],
      [
        'recounts of targets',
        'target_recounts',
        () => recountClocks(db, [agent_id], 'hours', NOW),
        startClock,
      ],
      [
        'clocks of targets',
        'target_clocks',
        async () => writeClock(db, (await read('target_clocks')).id, COUNT, {}, NOW),
        async () => {},
      ],
      ['figures of support', 'support_retries', () => countAlone(db, agent_id, [CONVERSATION], NOW)],
      ['embeddings', 'knowledge_embeddings', () => passagesChange(db, agent_id)],
      ['embeddings whose server changes', 'knowledge_embeddings', () => lookAtAgent(db, agent_id, NOW_MS)],
      ['embeddings of all agents', 'knowledge_embeddings', () => lookAtAll(db, NOW_MS)],
      [
        'embeddings that do not fit',
        'knowledge_embeddings',
        () => noteMismatch(db, agent_id, 'E', NOW),
        () => mark('knowledge_embeddings', { error: null }),
      ],
      ['calibrations', 'knowledge_calibrations', () => calibrationChanges(db, agent_id)],
      ['summaries', 'conversation_summaries', () => wantSummary(db, agent_id, CONVERSATION, NOW)],
      ['mails with notices', 'notice_mails', () => askForMail(db, { agent_id, operator_id, due_at: NOW })],
      [
        'digests of notices',
        'notice_settings',
        () => upsertSettings(db, { ...CHOSEN, operator_id }, { due_at: NOW, digested_until: NOW }),
      ],
      ['fetches', 'file_fetches', () => fetchOnceMore(db, CONVERSATION, 'file', NOW), insertFetch],
      [
        'proposals',
        'knowledge_proposals',
        async () => makeAgain(db, (await read('knowledge_proposals')).id, NOW),
        () => insertProposal(db, { agent_id, conversation_id: CONVERSATION, completion_id: 'c' }, NOW),
      ],
      ['imports', 'knowledge_imports', crawl, insertFailedImport],
      ['chats', 'mailboxes', accept],
      [
        'chats in which somebody answers',
        'mailboxes',
        () => postMessage(db, CONVERSATION, 1, NOW),
        () => mark('mailboxes', { conversation_id: CONVERSATION }),
      ],
    ]

    it('each queue is asked, but for those whose pieces are wanted once or on request only', () => {
      const queues = globSync('src/**/*.ts').flatMap((file) =>
        [...readFileSync(file, 'utf8').matchAll(/\bqueueOf\('(\w+)'/g)].map(([, table]) => table ?? ''),
      )
      const asked = new Set([...wanted.map(([, table]) => table), ...ONCE])
      assert.deepEqual(queues.sort(), [...asked].sort())
    })

    for (const [kind, table, want, begin = want] of wanted)
      it(`${kind}: a parked piece is due again, with all its attempts`, async () => {
        await begin()
        await mark(table, { due_at: NEVER, attempts: MOST_ATTEMPTS, parked_at: NOW, failure: 'Error' })
        await want()
        const { id: _, due_at, ...state } = await read(table)
        assert.deepEqual(state, { attempts: 0, parked_at: null, failure: null })
        assert.notEqual(due_at, NEVER)
      })

    for (const [kind, table, want] of wanted.filter(([kind]) => KEEPS_TIME.has(kind)))
      it(`${kind}: a piece that is tried again later keeps its time`, async () => {
        const later = { due_at: '2026-01-02T05:00:00.000Z', attempts: 2, failure: 'Error', parked_at: null }
        await mark(table, later)
        await want()
        const { id: _, ...state } = await read(table)
        assert.deepEqual(state, later)
      })
  })
