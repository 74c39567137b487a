import { type Kysely, sql } from 'kysely'
import type { AgentScope } from '../lib/agent-scope.ts'
import type { Engine } from './engine.ts'
import { isKept } from './revision.ts'
import type { Tables } from './tables.ts'

/** The setting of a session that names the agent whose rows it reaches: 0 for none, empty or absent for all. */
const SETTING = 'parley.agent'
const POLICY = 'of_agent'
/** Raised with each change of a policy. */
const REVISION = 1

/**
 * The tables whose rows belong to an agent through those of another table. Items and aliases outlive their channel, so
 * it is a mailbox that says whose they are. `search_words` is not among them: a search reads ten thousand of its rows, and
 * looking up the block of each would take as long as reading them. Only ids of blocks lead to them, which are held.
 */
export const BELONGS_THROUGH = {
  bulk_items: { column: 'bulk_id', table: 'bulk_acts', refersTo: 'id' },
  cta_counts: { column: 'cta_id', table: 'rules', refersTo: 'id' },
  mailbox_items: { column: 'mailbox_id', table: 'mailboxes', refersTo: 'id' },
  rule_evaluators: { column: 'rule_id', table: 'rules', refersTo: 'id' },
  thread_aliases: { column: 'channel_id', table: 'mailboxes', refersTo: 'channel_id' },
} as const satisfies Partial<Record<keyof Tables, { column: string; table: keyof Tables; refersTo: string }>>

/** Returns the statement that has a session reach the rows of a scope. */
export function setScope(scope: AgentScope): string {
  return `set ${SETTING} = '${settingOf(scope)}'`
}

function settingOf(scope: AgentScope): number | '' {
  if (scope === 'all') return ''
  return scope === 'none' ? 0 : scope
}

/**
 * The agent of the session; null for all. Read for each row, which takes a tenth of a microsecond: to read it once, in a
 * query of its own, takes a statement on a few rows longer.
 */
const AGENT = `nullif(current_setting('${SETTING}', true), '')::bigint`

/** Returns the condition for the rows of a table that a session reaches: those without an agent only with all. */
function conditionOf(table: string): string {
  if (Object.hasOwn(BELONGS_THROUGH, table)) {
    const { column, table: owner, refersTo } = BELONGS_THROUGH[table as keyof typeof BELONGS_THROUGH]
    return `${AGENT} is null or exists (select from ${owner} where ${owner}.${refersTo} = ${table}.${column})`
  }
  const agent = table === 'agents' ? 'id' : table === 'audit' ? 'coalesce(agent_id, -1)' : 'agent_id'
  return `coalesce(${agent} = ${AGENT}, true)`
}

/**
 * Finds the tables whose rows belong to agents and that are not held to the scope of the session yet: `agents`, those of
 * `BELONGS_THROUGH`, and all with a column `agent_id`. SQLite has no such policies.
 * @returns for each the change that holds it, which locks the table for a moment
 */
export async function missingPolicies(
  db: Kysely<Tables>,
  { kind }: Pick<Engine, 'kind'>,
): Promise<((db: Kysely<Tables>) => Promise<void>)[]> {
  if (kind !== 'postgres') return []
  const { rows } = await sql<{ name: string; isOn: boolean; text: string | null }>`
    select relname as name, relrowsecurity and relforcerowsecurity as "isOn",
      obj_description(pg_policy.oid, 'pg_policy') as text
    from pg_class left join pg_policy on polrelid = pg_class.oid and polname = ${POLICY}
    where relkind = 'r' and relnamespace = current_schema()::regnamespace
      and (relname in (${sql.join(['agents', ...Object.keys(BELONGS_THROUGH)])}) or exists (
        select from pg_attribute where attrelid = pg_class.oid and attname = 'agent_id' and not attisdropped))
    order by relname`.execute(db)
  return rows.flatMap(({ name, isOn, text }) => {
    const condition = conditionOf(name)
    const wanted = `revision ${REVISION}: ${condition}`
    if (isOn && isKept(text, wanted, REVISION)) return []
    const hold = async (db: Kysely<Tables>) => {
      await sql
        .raw(
          `alter table ${name} enable row level security, force row level security;
          drop policy if exists ${POLICY} on ${name};
          create policy ${POLICY} on ${name} using (${condition});
          comment on policy ${POLICY} on ${name} is '${wanted.replaceAll("'", "''")}'`,
        )
        .execute(db)
    }
    return [hold]
  })
}

/** True if the role of the session is one to which PostgreSQL applies no policy. */
export async function bypassesPolicies(db: Kysely<Tables>): Promise<boolean> {
  const { rows } = await sql<{ bypasses: boolean }>`
    select rolsuper or rolbypassrls as bypasses from pg_roles where rolname = current_user`.execute(db)
  return rows[0]?.bypasses ?? false
}
