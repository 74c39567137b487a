import assert from 'node:assert/strict'
import { it } from 'node:test'
import { openDatabase } from '../../../src/storage/database.ts'
import { freshDatabase } from '../../support/databases.ts'
import { startTransactionPooler } from '../../support/transaction-pooler.ts'

it('a pooler that shares sessions is refused at the start, in words that say what to set', async () => {
  const fresh = await freshDatabase('postgres')
  const pooler = await startTransactionPooler(fresh.databaseUrl ?? '')
  const database = await openDatabase({ databaseUrl: pooler.url, dataDir: fresh.dataDir })
  await assert.rejects(database.migrate(), /pool_mode = session/)
  await database.close()
  await pooler.close()
  await fresh.remove()
})
