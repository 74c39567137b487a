import {
  advance,
  includesTransaction,
  includeTransaction,
  type Transactions,
} from '../storage/commit-order.ts'

/** A reader's place in the log of changes. */
export interface Place {
  /** The transactions that were read completely. */
  readonly transactions: Transactions
  /**
   * The transaction that was read in part: all rows before `row`, and the first `changes` changes of that row. It is
   * one of `transactions.without` or the next after all of `transactions`.
   */
  readonly within: { readonly transaction: number; readonly row: number; readonly changes: number } | null
}

interface Row {
  id: number
  transaction: number
}

/** True if a change of a row was read. @param at the index of the change in its row, from 0 */
export function isRead({ transactions, within }: Place, row: Row, at: number): boolean {
  if (includesTransaction(transactions, row.transaction)) return true
  if (within?.transaction !== row.transaction) return false
  return row.id < within.row || (row.id === within.row && at < within.changes)
}

/**
 * Compares rows in the order in which a reader who resumes at a place reads them: by transactions, but first the rest
 * of the one that was read in part, so that there is never more than one of those.
 */
export function readingOrder({ within }: Place): (a: Row, b: Row) => number {
  const rank = ({ transaction }: Row) => (transaction === within?.transaction ? 0 : 1)
  return (a, b) => rank(a) - rank(b) || a.transaction - b.transaction || a.id - b.id
}

/**
 * Returns the place after some changes of a row, for a reader who began at `from` and reads the transactions in `seen`
 * in its order.
 * @param changes the number of the row's changes
 */
export function placeAfter(from: Place, seen: Transactions, row: Row, changes: number): Place {
  const within = { transaction: row.transaction, row: row.id, changes }
  if (from.within?.transaction === row.transaction) return { transactions: from.transactions, within }
  const read = from.within
    ? includeTransaction(from.transactions, from.within.transaction)
    : from.transactions
  return { transactions: advance(read, seen, row.transaction - 1), within }
}

/**
 * Writes a place and the time of its writing as text that fits into a header and an address.
 * @param mark of the epoch that the place is in
 */
export function writePlace(
  { transactions: { until, without }, within }: Place,
  mark: string,
  nowMs: number,
): string {
  const parts = [nowMs, until, ...without.map((id) => until - id)]
  const inner = within ? `-${[within.transaction, within.row, within.changes].map(digits).join('.')}` : ''
  return `${parts.map(digits).join('.')}${inner}${mark === '' ? '' : `_${mark}`}`
}

function digits(value: number): string {
  return value.toString(36)
}

const PLACE =
  /^[0-9a-z]{1,9}\.[0-9a-z]{1,10}(?:\.[0-9a-z]{1,10}){0,1000}(?:-[0-9a-z]{1,10}(?:\.[0-9a-z]{1,10}){2})?(?:_[0-9a-f]{1,20})?$/

/** A place as it was sent to a client. */
export interface ToldPlace {
  place: Place
  mark: string
  toldMs: number
}

/** Parses text that `writePlace` wrote; null for anything else. */
export function readPlace(text: string): ToldPlace | null {
  if (!PLACE.test(text)) return null
  const [numbers = '', mark = ''] = text.split('_')
  const [outer = [], inner] = numbers
    .split('-')
    .map((part) => part.split('.').map((value) => Number.parseInt(value, 36)))
  const [toldMs = 0, until = 0, ...deltas] = outer
  const without = deltas.map((delta) => until - delta).sort((a, b) => a - b)
  const [transaction = 0, row = 0, changes = 0] = inner ?? []
  if (transaction > until) return null
  return {
    toldMs,
    mark,
    place: { transactions: { until, without }, within: inner ? { transaction, row, changes } : null },
  }
}
