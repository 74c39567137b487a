import { type LimitNode, type SelectModifierNode, SqliteQueryCompiler } from 'kysely'

const ROW_LOCKS = new Set<string | undefined>([
  'ForUpdate',
  'ForNoKeyUpdate',
  'ForShare',
  'ForKeyShare',
  'SkipLocked',
  'NoWait',
])

/** Compiles queries for SQLite, in a form whose plans SQLite can keep, and without row locks. */
export class SqliteCompiler extends SqliteQueryCompiler {
  /**
   * SQLite reads a bare parameter of LIMIT while planning. It would therefore plan again whenever the statement gets
   * new parameters, which costs several times what running it does.
   */
  protected override visitLimit({ limit }: LimitNode): void {
    this.append('limit cast(')
    this.visitNode(limit)
    this.append(' as integer)')
  }

  /** A writing transaction excludes every other one, so there is no row to lock. */
  protected override visitSelectModifier(node: SelectModifierNode): void {
    if (!ROW_LOCKS.has(node.modifier)) super.visitSelectModifier(node)
  }
}
