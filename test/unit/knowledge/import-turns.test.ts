import assert from 'node:assert/strict'
import { afterEach, before, describe, it } from 'node:test'
import { createAgent } from '../../../src/agents/create-agent.ts'
import {
  deleteImport,
  importQueue,
  insertImport,
  updateImport,
} from '../../../src/knowledge/imports/store.ts'
import type { ImportRow } from '../../../src/knowledge/imports/tables.ts'
import { timestamp } from '../../../src/lib/clock.ts'
import { type FairTurns, fairTurns, type Owner } from '../../../src/work/fair-turns.ts'
import { LEASE_MS } from '../../../src/work/lease.ts'
import { engines } from '../../support/databases.ts'
import { sharedDatabase } from '../../support/shared.ts'

const PLACES = 8
const NOW = Date.parse('2026-01-02T00:00:00.000Z')
const at = (minutes: number) => timestamp(NOW + minutes * 60_000)

for (const engine of engines) {
  describe(`turns of imports on ${engine}`, () => {
    const database = sharedDatabase(engine)
    let names: Map<number, string>
    let turns: FairTurns
    /** Three agents, each of a team of its own. */
    const owners: Owner[] = []
    const ownerOf = (name: string): Owner => owners[Number(name[0]) - 1] ?? { tenant: 0, team: 0 }

    before(async () => {
      for (const name of ['1', '2', '3']) {
        const { agentId: tenant, teamId: team } = await database()
          .db.transaction()
          .execute((db) => createAgent(db, { name, teamId: null, nowMs: NOW }))
        owners.push({ tenant, team })
      }
      names = new Map()
      turns = fairTurns(PLACES)
    })
    afterEach(async () => {
      await database().db.deleteFrom('knowledge_imports').execute()
      names.clear()
      turns = fairTurns(PLACES)
    })

    /** @param name begins with the number of its team */
    async function add(name: string, values: Partial<ImportRow> = {}): Promise<number> {
      const { tenant: agent_id, team: team_id } = ownerOf(name)
      const { id } = await insertImport(database().db, {
        ...{ agent_id, team_id, kind: 'site', url: 'http://shop.example/' },
        ...{
          include: '[]',
          exclude: '[]',
          page_limit: 10,
          every: null,
          state: 'queued',
          created_at: at(-60),
        },
        ...values,
      })
      names.set(id, name)
      return id
    }

    /** Claims imports and begins to work them. */
    async function claim(limit = 1, nowMs = NOW): Promise<string[]> {
      const claimed = await importQueue.claim(database().db, { holder: 'this process', nowMs, limit, turns })
      for (const row of claimed) turns.begin(row)
      for (const { id, state } of claimed)
        if (state !== 'removing')
          await updateImport(database().db, id, {
            ...{ state: 'running', started_at: timestamp(nowMs), next_at: null },
          })
      return claimed.map(({ id }) => names.get(id) ?? '').sort()
    }

    async function end(name: string): Promise<void> {
      for (const [id, known] of names)
        if (known === name) {
          turns.end(ownerOf(name))
          await updateImport(database().db, id, { state: 'done', leased_until: null, holder: null })
        }
    }

    it('a long queue of one team keeps no other team waiting', async () => {
      for (const name of ['1a', '1b', '1c', '1d', '2a', '2b']) await add(name)
      assert.deepEqual(await claim(2), ['1a', '2a'], 'one of each')
      await end('2a')
      assert.deepEqual(await claim(), ['2b'], 'whoever has fewer under way')
      await end('2b')
      assert.deepEqual(await claim(), ['1b'], 'a team alone has all places')
      await add('3a')
      await end('1a')
      assert.deepEqual(await claim(), ['3a'], 'and no more than that')
    })

    it('a team has no more than half of the places that others leave, removals included', async () => {
      turns = fairTurns(4)
      for (const name of ['1a', '1b', '1c']) await add(name)
      const removed = await add('1d', { state: 'removing' })
      assert.deepEqual(await claim(4), ['1a', '1d'])
      assert.deepEqual(await claim(2), [], 'two places are kept for others')
      await add('2a')
      await add('2b')
      assert.deepEqual(await claim(2), ['2a'], 'and one of these for one more')
      await deleteImport(database().db, removed)
      turns.end(ownerOf('1'))
      assert.deepEqual(await claim(), ['1b'])
    })

    it('of teams with as many under way it is the turn of the one that began last the longest ago', async () => {
      for (const name of ['1a', '1b', '1c', '2a', '2b', '3a']) await add(name)
      const order: string[] = []
      for (let minute = 0; minute < 6; minute++) {
        const [name = ''] = await claim(1, NOW + minute * 1000)
        order.push(name)
        await end(name)
      }
      assert.deepEqual(order, ['1a', '2a', '3a', '1b', '2b', '1c'])
    })

    it('repeated crawls take turns with new ones, and within a team who has waited longest is first', async () => {
      await add('1a')
      await add('1b')
      await add('2a', { state: 'done', started_at: at(-30), next_at: at(-1) })
      await add('2b', { state: 'done', started_at: at(-90), next_at: at(-1) })
      await add('2c', { state: 'done', started_at: at(-99), next_at: at(1) })
      assert.deepEqual(await claim(2), ['1a', '2b'])
      assert.deepEqual(await claim(3), ['1b', '2a'], 'what is not yet due waits')
    })

    it('removals come first, and what was broken off goes on before others of its team begin', async () => {
      await add('1a')
      await add('1b', { state: 'running', started_at: at(-1) })
      await add('2a')
      const id = await add('2b', { state: 'removing' })
      assert.deepEqual(await claim(), ['2b'])
      assert.deepEqual(await claim(), ['1b'], 'the other team has a removal under way')
      await deleteImport(database().db, id)
      turns.end(ownerOf('2'))
      assert.deepEqual(await claim(), ['2a'])
      assert.deepEqual(await claim(3), ['1a'])
      assert.deepEqual(await claim(3), [], 'all are held')
      assert.deepEqual(await claim(3, NOW + LEASE_MS + 1), ['1a', '1b', '2a'], 'until their leases run out')
    })
  })
}
