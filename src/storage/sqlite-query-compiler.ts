import { type LimitNode, SqliteQueryCompiler } from 'kysely'

/** Compiles queries for SQLite so that their plans are kept. */
export class KeptPlansCompiler extends SqliteQueryCompiler {
  /**
   * SQLite looks into a bare parameter of LIMIT for its plan, and so makes the plan anew whenever the statement is
   * given parameters, which costs several times what running it does.
   */
  protected override visitLimit({ limit }: LimitNode): void {
    this.append('limit cast(')
    this.visitNode(limit)
    this.append(' as integer)')
  }
}
