import type { Kysely } from 'kysely'
import { isRight, type Right } from '../http/rights.ts'
import { timestamp } from '../lib/clock.ts'
import type { Tables } from '../storage/tables.ts'
import { selectValidKeys, selectValidTokens } from './store.ts'

interface Pair {
  keyId: number
  tokenId: number
}

/** Reads the present rights of pairs of key and token that were admitted before. Returns null for those that ended. */
export async function rightsOfPairs(
  db: Kysely<Tables>,
  pairs: readonly Pair[],
  nowMs: number,
): Promise<(pair: Pair) => Right | null> {
  const keyIds = [...new Set(pairs.map(({ keyId }) => keyId))]
  const tokenIds = [...new Set(pairs.map(({ tokenId }) => tokenId))]
  const keys = new Set(await selectValidKeys(db, keyIds))
  const tokens = await selectValidTokens(db, tokenIds, timestamp(nowMs))
  const rights = new Map(tokens.map(({ id, right }) => [id, right]))
  return ({ keyId, tokenId }) => {
    const right = rights.get(tokenId)
    return keys.has(keyId) && right !== undefined && isRight(right) ? right : null
  }
}
