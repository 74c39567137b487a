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
   * Casts the parameter of LIMIT. SQLite reads a bare one while planning, and would therefore plan again whenever the
   * statement gets new parameters, which costs several times as much as running it.
   */
  protected override visitLimit({ limit }: LimitNode): void {
    this.append('limit cast(')
    this.visitNode(limit)
    this.append(' as integer)')
  }

  /** Leaves out row locks: a writing transaction excludes every other one. */
  protected override visitSelectModifier(node: SelectModifierNode): void {
    if (!ROW_LOCKS.has(node.modifier)) super.visitSelectModifier(node)
  }
}
