import { type LimitNode, type SelectModifierNode, SqliteQueryCompiler } from 'kysely'

const ROW_LOCKS = new Set<string | undefined>([
  'ForUpdate',
  'ForNoKeyUpdate',
  'ForShare',
  'ForKeyShare',
  'SkipLocked',
  'NoWait',
])

/** Compiles queries for SQLite: SQLite can keep their plans, and row locks are left out. */
export class SqliteCompiler extends SqliteQueryCompiler {
  /**
   * SQLite reads a bare parameter of LIMIT when it plans, so it would plan again each time the statement gets
   * parameters, which costs several times what running it does.
   */
  protected override visitLimit({ limit }: LimitNode): void {
    this.append('limit cast(')
    this.visitNode(limit)
    this.append(' as integer)')
  }

  /** A transaction that writes excludes every other one, so there is no row to lock. */
  protected override visitSelectModifier(node: SelectModifierNode): void {
    if (!ROW_LOCKS.has(node.modifier)) super.visitSelectModifier(node)
  }
}
