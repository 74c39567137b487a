import { after, before, describe, it } from 'node:test'
import pino from 'pino'
import { readAgents } from '../../../src/agents/agent.ts'
import { createAgent } from '../../../src/agents/create-agent.ts'
import { runBulkActs } from '../../../src/inbox/bulk/run-bulk.ts'
import { runImports } from '../../../src/knowledge/imports/run-imports.ts'
import { runEmbedding } from '../../../src/knowledge/vectors/run-embedding.ts'
import { timestamp } from '../../../src/lib/clock.ts'
import type { Outbound } from '../../../src/lib/outbound/outbound.ts'
import { acceptItems } from '../../../src/mailboxes/accept.ts'
import { updateItems } from '../../../src/mailboxes/items.ts'
import { runMailboxes } from '../../../src/mailboxes/run-mailboxes.ts'
import { ModelError } from '../../../src/model/model.ts'
import { runAutomations } from '../../../src/rules/run-automations.ts'
import { runTests } from '../../../src/runs/run-tests.ts'
import type { Database } from '../../../src/storage/opened-database.ts'
import { openConversation } from '../../../src/transcripts/conversations/open-conversation.ts'
import { runSummaries } from '../../../src/turns/history/run-summaries.ts'
import { MOST_ATTEMPTS, MOST_DEATHS } from '../../../src/work/retry.ts'
import type { RunningWork } from '../../../src/work/run-work.ts'
import { becomes } from '../../support/becomes.ts'
import { engines, type FreshDatabase, openFreshDatabase } from '../../support/databases.ts'
import { forBulk, NO_JSON, refuse, WISH } from '../../support/poisoned.ts'

const COMPLETION = '01900000-0000-7000-8000-000000000001'

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
      await refuse(database, 'bulk_acts', 'update of done', 'new.done = 2')
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
      await refuse(database, 'knowledge_pages', 'update of document_id', "old.url like '%poison'")
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
          isSpent: async () => false,
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
