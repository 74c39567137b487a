import type { Step } from '../migration.ts'

/**
 * The keys from which the numbers of placeholders in conversations are made, and the tools that are sent placeholders
 * in place of personal data.
 */
export const steps: readonly Step[] = [
  async (db) =>
    db.schema
      .createTable('conversation_keys')
      .addColumn('conversation_id', 'text', (column) => column.primaryKey())
      .addColumn('agent_id', 'integer', (column) => column.notNull())
      .addColumn('key', 'text', (column) => column.notNull())
      .execute(),
  async (db) =>
    db.schema
      .alterTable('tools')
      .addColumn('restore', 'integer', (column) => column.notNull().defaultTo(1))
      .execute(),
]
