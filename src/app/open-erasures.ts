import type { Foundation } from '../foundation.ts'
import { openErasureKey } from '../receipts/erasure-key.ts'
import { type Erasures, keepErasures } from '../receipts/erasures.ts'

/** Opens the accounts of erasures with the installation's keys. */
export async function openErasures({ database, box, clock, credentials }: Foundation): Promise<Erasures> {
  const { db, engine } = database
  const key = await openErasureKey(db, box)
  return keepErasures({ db, engine, clock, key, subjects: credentials.deriveKey('subjects of erasures') })
}
