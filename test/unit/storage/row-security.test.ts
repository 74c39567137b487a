import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type Kysely, sql } from 'kysely'
import pg from 'pg'
import { agentRows } from '../../../src/app/agent-rows.ts'
import { acrossAgents, forAgent, forNoAgent } from '../../../src/lib/agent-scope.ts'
import { openDatabase } from '../../../src/storage/database.ts'
import type { Database } from '../../../src/storage/opened-database.ts'
import { BELONGS_THROUGH, missingPolicies } from '../../../src/storage/row-security.ts'
import type { Tables } from '../../../src/storage/tables.ts'
import { triggers } from '../../../src/triggers.ts'
import { fillEveryTable, tableNames } from '../../support/copying.ts'
import { engines, type FreshDatabase, freshDatabase } from '../../support/databases.ts'
import { exampleIn } from '../../support/guide.ts'
import { superuserOf } from '../../support/postgres.ts'
import { withDatabase } from '../../support/postgres-template.ts'

/** The tables that are not held to an agent, each with the reason. */
const OF_NO_AGENT: Partial<Record<keyof Tables, string>> = {
  backfills: 'of the installation',
  backups: 'of the installation',
  installation: 'of the installation',
  log_epochs: 'of the installation',
  processes: 'of the installation',
  recounts: 'of the installation: how far the counting anew of figures has come',
  search_words: 'only ids of search_blocks lead to its rows, and a search reads ten thousand of them',
  search_backfill: 'of the installation: how far the index of older texts has come',
  sign_in_failures: 'of addresses from which people sign in',
  write_probes: 'of the installation',
  bearer_tokens: 'of a team',
  operator_links: 'of a person of a team',
  operator_mails: 'of a person of a team',
  operator_sessions: 'of a person of a team',
  notice_settings: 'of a person of a team',
  push_browsers: 'of a person of a team',
  operators: 'of a team',
  groups: 'of a team',
  group_members: 'of a team',
  teams: 'of a team',
}
const IS_REFERRED_TO = '23503'
const held = tableNames.filter((table) => !Object.hasOwn(OF_NO_AGENT, table))

it('rows without an agent of their own belong to one in the same way when it is erased', () => {
  for (const { table, through } of agentRows.filter(({ table }) => !Object.hasOwn(OF_NO_AGENT, table)))
    assert.deepEqual(BELONGS_THROUGH[table as keyof typeof BELONGS_THROUGH], through, table)
})

if (engines.includes('postgres'))
  describe('row-level security on postgres', () => {
    let fresh: FreshDatabase
    let database: Database
    let db: Kysely<Tables>

    // Each table has a row of agent 1, 2 and 3, or one that refers to such a row.
    before(async () => {
      fresh = await freshDatabase('postgres')
      await fillEveryTable(fresh)
      database = await openDatabase(fresh)
      db = database.db
      // A row that a trigger writes takes no id that was given by hand.
      await acrossAgents('ids go on', () => database.engine.numberAboveRows(db, 'support_pending'))
      for (const agent_id of [1, 2, 3])
        await acrossAgents('a row of each', () =>
          db
            .insertInto('changes')
            .values({ agent_id, conversation_id: null, at: '', changes: '[]' })
            .execute(),
        )
    })
    after(async () => {
      await database.close()
      await fresh.remove()
    })

    async function count(table: string): Promise<number> {
      const { rows } = await sql<{ n: number }>`select count(*) as n from ${sql.table(table)}`.execute(db)
      return rows[0]?.n ?? -1
    }

    /** Runs a statement without conditions, undoes it, and returns the number of rows that it changed. */
    async function changedBy(statement: string): Promise<number> {
      let changed = -1
      const undone = new Error('undone')
      const transaction = db.transaction().execute(async (db) => {
        const { numAffectedRows } = await sql.raw(statement).execute(db)
        changed = Number(numAffectedRows)
        throw undone
      })
      await transaction.catch((error) => {
        if (error !== undone) throw error
      })
      return changed
    }

    it('each table either has a policy, which its owner is held to as well, or belongs to no agent', async () => {
      const { rows } = await sql<{ name: keyof Tables }>`
        select relname as name from pg_class join pg_policy on polrelid = pg_class.oid
        where relrowsecurity and relforcerowsecurity order by 1`.execute(db)
      assert.deepEqual(
        rows.map(({ name }) => name),
        held.toSorted(),
      )
      assert.deepEqual(await missingPolicies(db, database.engine), [])
      assert.equal(await database.engine.rowSecurityWarning(), null)
    })

    it('a query without any condition reaches the rows of its agent alone', async () => {
      for (const table of held) {
        for (const agent of [1, 2]) assert.equal(await forAgent(agent, () => count(table)), 1, table)
        assert.equal(await forAgent(9, () => count(table)), 0, table)
        assert.equal(await acrossAgents('all rows are counted', () => count(table)), 3, table)
      }
    })

    it('without an agent nothing is reached', async () => {
      for (const table of held) assert.equal(await forNoAgent(() => count(table)), 0, table)
    })

    it('an update or a delete without any condition changes the rows of its agent alone', async () => {
      for (const table of held) {
        const { rows } = await sql<{ name: string }>`
          select attname as name from pg_attribute where attrelid = ${table}::regclass and attnum > 0
            and attidentity <> 'a' and not attisdropped order by attnum desc limit 1`.execute(db)
        const column = `"${rows[0]?.name}"`
        const update = `update ${table} set ${column} = ${column}`
        assert.equal(await forAgent(2, () => changedBy(update)), 1, table)
        assert.equal(await forNoAgent(() => changedBy(update)), 0, table)
        const remove = () => changedBy(`delete from ${table}`)
        // Its own row is deleted, or refused because others refer to it.
        const removed = await forAgent(2, remove).catch(({ code }) => (code === IS_REFERRED_TO ? 1 : code))
        assert.equal(removed, 1, table)
        assert.equal(await forNoAgent(remove), 0, table)
      }
    })

    it('no row goes to another agent', async () => {
      for (const table of held) {
        if (table === 'agents' || Object.hasOwn(BELONGS_THROUGH, table)) continue
        const given = forAgent(1, () => changedBy(`update ${table} set agent_id = 2`))
        await assert.rejects(given, /new row violates row-level security policy/, table)
      }
    })

    it('a session keeps no agent of another transaction, also of one that was undone', async () => {
      const failing = forAgent(1, () =>
        db.transaction().execute(async (db) => {
          await db.selectFrom('conversations').select('id').execute()
          throw new Error('undone')
        }),
      )
      await assert.rejects(failing, { message: 'undone' })
      const agentOf = async () =>
        (await db.selectFrom('conversations').select('agent_id').execute()).map(({ agent_id }) => agent_id)
      assert.deepEqual(await forAgent(2, agentOf), [2])
      assert.deepEqual(await forAgent(1, () => db.transaction().execute(() => agentOf())), [1])
      assert.deepEqual(await forNoAgent(agentOf), [])
      const both = await Promise.all([1, 2, 1, 2, 1, 2].map((agent) => forAgent(agent, agentOf)))
      assert.deepEqual(both, [[1], [2], [1], [2], [1], [2]])
    })

    it('a session of an earlier version, or of psql, names no agent and reaches all', async () => {
      const client = new pg.Client({ connectionString: fresh.databaseUrl ?? '' })
      await client.connect()
      const { rows } = await client.query('select agent_id from conversations order by 1')
      await client.end()
      assert.deepEqual(
        rows.map(({ agent_id }) => agent_id),
        [1, 2, 3],
      )
    })

    it('a superuser is told so, and the guide makes an ordinary role and gives it everything', async (t) => {
      const [superuser, name] = [superuserOf(fresh.databaseUrl ?? ''), `parley_role_${process.pid}`]
      if (!superuser) return t.skip('the server that was given may have no superuser')
      const as = (role: string, password: string, database: string) => {
        const address = new URL(withDatabase(superuser.href, database))
        return Object.assign(address, { username: role, password }).href
      }
      const onServer = (database: string, ...statements: string[]) =>
        onConnection(as(superuser.username, superuser.password, database), statements)
      const floorOf = async (databaseUrl: string) => {
        const opened = await openDatabase({ databaseUrl, dataDir: '' })
        await opened.migrate({ triggers })
        const floor = await opened.engine.rowSecurityWarning()
        await opened.close()
        return floor
      }
      const guide = (word: string) =>
        exampleIn('docs/operations.md', 'sql', word).replaceAll(/\bparley(?=_service|\b)/g, name)
      t.after(() =>
        onServer(
          'postgres',
          ...[`${name}_old`, name].map((database) => `drop database if exists ${database} with (force)`),
          ...[`${name}_service`, name].map((role) => `drop role if exists ${role}`),
        ),
      )

      await onServer('postgres', ...guide('create database').trim().split('\n'))
      assert.equal(await floorOf(as(name, 'a long password', name)), null)

      await onServer('postgres', `create database ${name}_old`)
      assert.match(
        (await floorOf(as(superuser.username, superuser.password, `${name}_old`))) ?? '',
        /bypasses row-level security: connect as an ordinary role/,
      )
      const given = guide('parley_service').replace(`alter database ${name} `, `alter database ${name}_old `)
      await onServer(`${name}_old`, given)
      assert.equal(await floorOf(as(`${name}_service`, 'a long password', `${name}_old`)), null)
    })
  })

async function onConnection(url: string, statements: readonly string[]): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  for (const statement of statements) await client.query(statement)
  await client.end()
}
