import { hash } from 'node:crypto'
import type { Bulk, BulkKind, BulkRow, BulkTable, BulkValue } from '../bulk.ts'
import { keyOf } from '../bulk.ts'

/** The number of rows of a table and a hash of all their values, the same on both engines. */
export interface Checksum {
  rows: number
  hash: string
}

/**
 * Reads a whole table. The hash is the sum of the hashes of its rows, so it does not depend on their order, which
 * engines see differently.
 * @param isCounted tells whether a row belongs to it
 */
export async function checksumOf(
  bulk: Bulk,
  table: BulkTable,
  isCounted: (row: BulkRow) => boolean = () => true,
): Promise<Checksum> {
  const kinds = table.columns.map(({ kind }) => kind)
  const sum = new Uint32Array(8)
  let count = 0
  let page = await bulk.read(table, null)
  while (page.length > 0) {
    const last = page.at(-1) as BulkRow
    for (const row of page.filter(isCounted)) {
      const digest = hash('sha256', canonical(row, kinds), 'buffer')
      for (let at = 0; at < sum.length; at++) sum[at] = (sum[at] ?? 0) + digest.readUInt32LE(at * 4)
      count++
    }
    page = await bulk.read(table, keyOf(table, last))
  }
  return { rows: count, hash: Buffer.from(sum.buffer).toString('hex') }
}

/** Returns a text that two rows share only if all their values are equal. */
function canonical(row: BulkRow, kinds: readonly BulkKind[]): string {
  let text = ''
  for (let at = 0; at < row.length; at++) {
    const value = written(row[at] ?? null, kinds[at])
    text += value === null ? '-' : `${value.length}:${value}`
  }
  return text
}

function written(value: BulkValue, kind: BulkKind | undefined): string | null {
  if (value === null || typeof value === 'string') return value
  if (value instanceof Uint8Array)
    return Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('hex')
  return String(kind === 'single' ? Math.fround(Number(value)) : kind === 'double' ? Number(value) : value)
}
