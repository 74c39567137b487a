import { createHash } from 'node:crypto'
import type { Kysely } from 'kysely'
import type { Tables } from '../../storage/tables.ts'
import { listHashes } from '../store.ts'

/** The documents of an agent at one time. */
export interface Documents {
  count: number
  /** A hash over the source and the content of each: the same for the same documents. */
  hash: string
}

const AT_ONCE = 1000

/** Reads which documents an agent has, without reading their texts. */
export async function fingerprintDocuments(db: Kysely<Tables>, agentId: number): Promise<Documents> {
  const hash = createHash('sha256')
  let count = 0
  let after = ''
  for (;;) {
    const rows = await listHashes(db, agentId, after, AT_ONCE)
    for (const { source, content_hash } of rows) hash.update(`${JSON.stringify(source)} ${content_hash}\n`)
    count += rows.length
    after = rows.at(-1)?.source ?? ''
    if (rows.length < AT_ONCE) return { count, hash: hash.digest('hex').slice(0, 16) }
  }
}
