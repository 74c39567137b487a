import { type Kysely, type SelectQueryBuilder, sql } from 'kysely'
import type { Page, PageRequest } from '../lib/page.ts'
import { selectPage } from './select-page.ts'
import type { Tables } from './tables.ts'

type Db = Kysely<Tables>

/** Selects rows of a table that have an id and an agent or a team. */
type Rows<Table extends keyof Tables, Row> = (db: Db) => SelectQueryBuilder<Tables, Table, Row>

interface Known {
  id: number
  agent_id: number
}

/** Makes the function that reads a page of an agent's rows, newest first. */
export function pageOfAgent<Table extends keyof Tables, Row extends Known>(rows: Rows<Table, Row>) {
  return (db: Db, agentId: number, request: PageRequest): Promise<Page<Row>> =>
    selectPage(db, { query: rows(db), of: { agent_id: agentId }, key: ['id'], order: 'desc' }, request)
}

/** Makes the function that reads a page of a team's rows, newest first. */
export function pageOfTeam<Table extends keyof Tables, Row extends { id: number; team_id: number }>(
  rows: Rows<Table, Row>,
) {
  return (db: Db, teamId: number, request: PageRequest): Promise<Page<Row>> =>
    selectPage(db, { query: rows(db), of: { team_id: teamId }, key: ['id'], order: 'desc' }, request)
}

/** Makes the function that reads a row of an agent. */
export function rowOfAgent<Table extends keyof Tables, Row extends Known>(rows: Rows<Table, Row>) {
  return (db: Db, agentId: number, id: number): Promise<Row | undefined> =>
    rows(db).where(isRow(agentId, id)).executeTakeFirst()
}

/** Makes the function that reads a row of an agent and keeps others from changing it until the transaction ends. */
export function lockedRowOfAgent<Table extends keyof Tables, Row extends Known>(rows: Rows<Table, Row>) {
  return (db: Db, agentId: number, id: number): Promise<Row | undefined> =>
    rows(db).where(isRow(agentId, id)).forNoKeyUpdate().executeTakeFirst()
}

function isRow(agentId: number, id: number) {
  return sql<boolean>`id = ${id} and agent_id = ${agentId}`
}
