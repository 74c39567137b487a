import assert from 'node:assert/strict'
import { it } from 'node:test'
import { columns } from '../../../src/texts/text-columns.ts'
import { onBothEngines } from '../../support/on-both-engines.ts'

/** A table with one of these columns tells of what was said somewhere. */
const TELLS_OF_CONVERSATIONS = ['conversation_id', 'completion_id', 'message_id', 'mailbox_id']

onBothEngines('columns and redaction', (service) => {
  const tablesOf = async () => {
    const tables = await service.app.app.foundation.database.db.introspection.getTables()
    return new Map(tables.map(({ name, columns }) => [name, columns.map((column) => column.name).sort()]))
  }

  it('each column of each table is kept, redacted in a way of its own, or forgotten', async () => {
    for (const [table, found] of await tablesOf()) {
      const declared = Object.entries(columns).find(([name]) => name === table)?.[1]
      if (table === 'schema_migrations') continue
      assert.ok(declared, `${table} is not declared`)
      if (typeof declared !== 'string') assert.deepEqual(Object.keys(declared).sort(), found, table)
    }
  })

  it('a table that tells of conversations declares each of its columns', async () => {
    for (const [table, found] of await tablesOf()) {
      if (!found.some((column) => TELLS_OF_CONVERSATIONS.includes(column))) continue
      const declared = Object.entries(columns).find(([name]) => name === table)?.[1]
      assert.notEqual(typeof declared, 'string', table)
    }
  })
})
