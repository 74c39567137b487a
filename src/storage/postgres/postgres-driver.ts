import {
  AbortedTransactionError,
  type CompiledQuery,
  type Dialect,
  type Driver,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
  SelectQueryNode,
} from 'kysely'
import { agentScope } from '../../lib/agent-scope.ts'
import { errorCode } from '../../lib/error-code.ts'
import type { PipelinedConnection } from '../prepared.ts'
import { setScope } from '../row-security.ts'
import type { Borrowed, SharedPool } from './postgres-shared-pool.ts'

/** The most unanswered statements that nothing waits for, so that a long transaction does not fill the memory. */
const SENT_AT_ONCE = 64
/** The code with which every statement fails after the first failure of a transaction. */
const IN_FAILED_TRANSACTION = '25P02'
const WRITES = new Set(['INSERT', 'UPDATE', 'DELETE', 'MERGE'])

/** Kysely's dialect for PostgreSQL, with a driver of our own that saves round trips. */
export function postgresDialect(pool: SharedPool): Dialect {
  return {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new PostgresDriver(pool),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  }
}

class PostgresDriver implements Driver {
  readonly #pool: SharedPool

  constructor(pool: SharedPool) {
    this.#pool = pool
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<PostgresSession> {
    return new PostgresSession(await this.#pool.connect())
  }

  async beginTransaction(session: PostgresSession): Promise<void> {
    session.begin()
  }

  async commitTransaction(session: PostgresSession): Promise<void> {
    await session.commit()
  }

  async rollbackTransaction(session: PostgresSession): Promise<void> {
    await session.rollback()
  }

  async releaseConnection(session: PostgresSession): Promise<void> {
    session.release()
  }

  async destroy(): Promise<void> {
    await this.#pool.end()
  }
}

/**
 * A connection that one caller uses, for the agents of the caller's scope. Statements that return nothing are sent
 * without waiting for their answers, `begin` with the first read, and `commit` with the last writes: PostgreSQL answers
 * in order, and commits nothing once a statement has failed.
 */
class PostgresSession implements PipelinedConnection {
  readonly #client: Borrowed['client']
  readonly #release: Borrowed['release']
  readonly #scope = agentScope()
  /** The answer to `begin`, or to the change of the scope, until it has come. */
  #begun: Promise<unknown> | null = null
  /** True if only reads have been sent since `begin`. */
  #isReading = false
  /** Statements whose answers nothing waits for. */
  readonly #sent = new Set<Promise<void>>()
  /** The first failure of the transaction. */
  #failure: { error: unknown } | null = null
  #isOpen = false
  #isUnsound = false

  constructor({ client, release }: Borrowed) {
    this.#client = client
    this.#release = release
  }

  begin(): void {
    this.#sendFirst(this.#isInScope() ? 'begin' : `begin; ${setScope(this.#scope)}`)
    this.#isOpen = true
    this.#failure = null
  }

  /** Sends what the next statements need, and does not wait for it. */
  #sendFirst(statement: string): void {
    const begun = this.#client.query(statement).then(() => {
      this.#begun = null
      this.#client.scope = this.#scope
    })
    // The caller that awaits it gets its error.
    begun.catch(() => {
      this.#client.scope = null
    })
    this.#begun = begun
    this.#isReading = true
  }

  #isInScope(): boolean {
    return this.#client.scope === this.#scope
  }

  async executeQuery<Row>({ sql, parameters, query }: CompiledQuery): Promise<QueryResult<Row>> {
    const isRead = SelectQueryNode.is(query) && query.with === undefined
    if (!this.#isInScope() && !this.#begun) this.#sendFirst(setScope(this.#scope))
    try {
      // If `begin` fails, a read that was sent with it does no harm, but a write would be committed by itself.
      if (!(isRead && this.#isReading)) await this.#whenBegun()
      const answer = this.#client.query(sql, [...parameters])
      if (this.#begun) {
        answer.catch(() => {})
        await this.#begun
      }
      const { command, rowCount, rows } = await answer
      return WRITES.has(command) ? { rows, numAffectedRows: BigInt(rowCount ?? 0) } : { rows }
    } catch (error) {
      throw await this.#causeOf(error)
    }
  }

  async send(sql: string, parameters: unknown[]): Promise<void> {
    await this.#whenBegun()
    const answer = this.#client.query(sql, parameters).then(
      () => void this.#sent.delete(answer),
      (error) => {
        this.#failure ??= { error }
        this.#sent.delete(answer)
      },
    )
    this.#sent.add(answer)
    if (this.#sent.size >= SENT_AT_ONCE) await answer
  }

  /** @throws the first failure of the transaction, which is then undone */
  async commit(): Promise<void> {
    await this.#whenBegun()
    this.#assertSound()
    this.#isOpen = false
    const { command } = await this.#client.query('commit')
    await Promise.all(this.#sent)
    this.#assertSound()
    if (command === 'COMMIT') return
    this.#client.scope = null
    throw new AbortedTransactionError()
  }

  async rollback(): Promise<void> {
    this.#isOpen = false
    try {
      await this.#client.query('rollback')
    } catch (error) {
      this.#isUnsound = true
      throw error
    } finally {
      // A scope that was set in this transaction is undone with it.
      this.#client.scope = null
    }
  }

  release(): void {
    this.#release(this.#isUnsound)
  }

  // biome-ignore lint/correctness/useYield: nothing streams rows
  async *streamQuery<Row>(): AsyncIterableIterator<QueryResult<Row>> {
    throw new Error('rows are not streamed from PostgreSQL')
  }

  #assertSound(): void {
    if (this.#failure) throw this.#failure.error
  }

  async #whenBegun(): Promise<void> {
    this.#isReading = false
    await this.#begun
  }

  /** Returns the first failure of the transaction: that of a statement sent without waiting, or else this one. */
  async #causeOf(error: unknown): Promise<unknown> {
    if (!this.#isOpen) return error
    if (errorCode(error) === IN_FAILED_TRANSACTION) await Promise.all(this.#sent)
    this.#failure ??= { error }
    return this.#failure.error
  }
}
