import { createHash } from 'node:crypto'
import type { CompiledQuery, DatabaseConnection, Kysely, QueryResult, RootOperationNode } from 'kysely'
import type { Tables } from './tables.ts'
import { connectionOf } from './waking-db.ts'

class Placeholder {
  readonly name: PropertyKey

  constructor(name: PropertyKey) {
    this.name = name
  }
}

/** A query that is built and compiled once per engine; each call only supplies its parameters. */
export type Prepared<Parameters, Row> = (db: Kysely<Tables>, parameters: Parameters) => Promise<Row[]>

/** Stands for a parameter, by its name or its number, and has the parameter's type. */
export type ParamOf<Parameters> = <Name extends keyof Parameters>(name: Name) => Parameters[Name]

/** Names of the prepared queries by their text, for a database that stores plans by name. */
const names = new Map<string, string>()

/** Returns the name of a prepared query; undefined for a query that is built each time. */
export function nameOfPrepared(text: string): string | undefined {
  return names.get(text)
}

/**
 * Prepares a query of a hot path: on SQLite, building a query with Kysely costs several times as much as running it.
 * @param build makes the query; `param('name')` stands for the value of that parameter
 */
export function prepared<Parameters extends object, Row>(
  build: (db: Kysely<Tables>, param: ParamOf<Parameters>) => { compile(): CompiledQuery<Row> },
): Prepared<Parameters, Row> {
  const compiledFor = new Map<unknown, CompiledQuery<Row>>()
  return async (db, parameters) => {
    const executor = db.getExecutor()
    const dialect = executor.adapter.constructor
    let compiled = compiledFor.get(dialect)
    if (!compiled) {
      compiled = build(db, (name) => new Placeholder(name) as never).compile()
      compiledFor.set(dialect, compiled)
      names.set(compiled.sql, createHash('sha256').update(compiled.sql).digest('base64url').slice(0, 22))
    }
    const values: unknown[] = []
    for (const value of compiled.parameters)
      values.push(value instanceof Placeholder ? parameters[value.name as keyof Parameters] : value)
    // The query goes straight to its connection: Kysely's own path costs more than a small query.
    const connection = connectionOf(db)
    if (isImmediate(connection)) return connection.runNow<Row>(compiled.sql, values).rows
    if (isPipelined(connection) && !returnsRows(compiled.query)) {
      await connection.send(compiled.sql, values)
      return []
    }
    const { rows } = await (connection ?? executor).executeQuery<Row>({ ...compiled, parameters: values })
    return rows
  }
}

/** A connection that answers queries of its open transaction synchronously. */
export interface ImmediateConnection extends DatabaseConnection {
  readonly inUnit: boolean
  runNow<Row>(sql: string, parameters: readonly unknown[]): QueryResult<Row>
}

function isImmediate(connection: DatabaseConnection | null): connection is ImmediateConnection {
  return connection !== null && 'inUnit' in connection && connection.inUnit === true
}

/** A connection of a transaction to which statements can be sent without waiting for their answers. */
export interface PipelinedConnection extends DatabaseConnection {
  /** Sends a statement that returns nothing. If it fails, so does the commit. */
  send(sql: string, parameters: unknown[]): Promise<void>
}

function isPipelined(connection: DatabaseConnection | null): connection is PipelinedConnection {
  return connection !== null && 'send' in connection
}

function returnsRows(query: RootOperationNode): boolean {
  const isWrite =
    query.kind === 'InsertQueryNode' || query.kind === 'UpdateQueryNode' || query.kind === 'DeleteQueryNode'
  return !isWrite || query.returning !== undefined
}
