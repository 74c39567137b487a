import { type CompiledQuery, type Driver, type QueryResult, SelectQueryNode, SqliteAdapter } from 'kysely'
import type { ImmediateConnection } from '../prepared.ts'
import type { GroupCommit } from './group-commit.ts'
import type { SqliteConnection } from './sqlite-connection.ts'

/** Lets several sessions in. Kysely would admit one at a time; here the group commit orders the sessions that write. */
export class ManySessions extends SqliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true
  }
}

/** Kysely's driver. Units of work go through the group commit; reads outside a unit use a connection of their own. */
export class SqliteDriver implements Driver {
  readonly #writer: SqliteConnection
  readonly #reader: SqliteConnection
  readonly #group: GroupCommit
  readonly #files: { close(): void }[]

  constructor(
    writer: SqliteConnection,
    reader: SqliteConnection,
    group: GroupCommit,
    files: { close(): void }[],
  ) {
    this.#writer = writer
    this.#reader = reader
    this.#group = group
    this.#files = files
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<SqliteSession> {
    return new SqliteSession(this.#writer, this.#reader, this.#group)
  }

  async beginTransaction(session: SqliteSession): Promise<void> {
    await this.#group.begin()
    session.inUnit = true
  }

  async commitTransaction(session: SqliteSession): Promise<void> {
    session.inUnit = false
    await this.#group.commit()
  }

  async rollbackTransaction(session: SqliteSession): Promise<void> {
    // A failed commit has already ended the unit.
    if (session.inUnit) this.#group.rollback()
    session.inUnit = false
  }

  async releaseConnection(): Promise<void> {}

  async destroy(): Promise<void> {
    await this.#group.between(() => {
      this.#reader.database.close()
      this.#writer.database.close()
    })
    await this.#group.flushed()
    for (const file of this.#files) file.close()
  }
}

export class SqliteSession implements ImmediateConnection {
  inUnit = false
  readonly #writer: SqliteConnection
  readonly #reader: SqliteConnection
  readonly #group: GroupCommit

  constructor(writer: SqliteConnection, reader: SqliteConnection, group: GroupCommit) {
    this.#writer = writer
    this.#reader = reader
    this.#group = group
  }

  runNow<Row>(sql: string, parameters: readonly unknown[]): QueryResult<Row> {
    if (!this.inUnit) throw new Error('the query needs a transaction')
    // A failure such as a full disk ends the transaction. Each further statement would then be committed by itself.
    if (!this.#writer.isTransaction) throw new Error('the database ended the transaction')
    return this.#writer.run(sql, parameters)
  }

  async executeQuery<Row>({ sql, parameters, query }: CompiledQuery): Promise<QueryResult<Row>> {
    if (this.inUnit) return this.runNow(sql, parameters)
    // A read must not see what is not yet committed.
    if (SelectQueryNode.is(query)) {
      return (this.#writer.isTransaction ? this.#reader : this.#writer).run(sql, parameters)
    }
    await this.#group.begin()
    let result: QueryResult<Row>
    try {
      result = this.#writer.run(sql, parameters)
    } catch (error) {
      this.#group.rollback()
      throw error
    }
    await this.#group.commit()
    return result
  }

  // biome-ignore lint/correctness/useYield: nothing streams rows
  async *streamQuery<Row>(): AsyncIterableIterator<QueryResult<Row>> {
    throw new Error('rows are not streamed from SQLite')
  }
}
