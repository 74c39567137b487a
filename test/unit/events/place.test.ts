import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import {
  isRead,
  type Place,
  placeAfter,
  readingOrder,
  readPlace,
  writePlace,
} from '../../../src/events/place.ts'
import {
  advance,
  includesTransaction,
  parseSeen,
  type Transactions,
} from '../../../src/storage/commit-order.ts'

/** Transactions that begin in the order of their numbers and commit in any, each with some rows of some changes. */
const histories = fc.array(
  fc.record({
    begins: fc.nat(30),
    lasts: fc.nat(30),
    rows: fc.array(fc.integer({ min: 1, max: 3 }), { maxLength: 3 }),
  }),
  { maxLength: 20 },
)

interface Row {
  id: number
  transaction: number
  changes: number
  committed: number
}

function play(history: { begins: number; lasts: number; rows: number[] }[]) {
  const begun = history.toSorted((a, b) => a.begins - b.begins)
  let id = 0
  const transactions = begun.map(({ begins, lasts }, number) => ({
    number,
    begins,
    ends: begins + lasts + 1,
  }))
  const rows: Row[] = begun.flatMap(({ rows, begins, lasts }, transaction) =>
    rows.map((changes) => ({ id: id++, transaction, changes, committed: begins + lasts + 1 })),
  )
  /** The transactions as a query at this time sees them. */
  const seenAt = (time: number): Transactions => ({
    until: transactions.filter(({ begins }) => begins <= time).length,
    without: transactions
      .filter(({ begins, ends }) => begins <= time && ends > time)
      .map(({ number }) => number),
  })
  const visibleAt = (time: number) => rows.filter(({ committed }) => committed <= time)
  return { seenAt, visibleAt, rows }
}

describe('places in the log of changes', () => {
  it('a reader who looks at any times and breaks off anywhere reads each change once', () => {
    fc.assert(
      fc.property(
        histories,
        fc.array(fc.tuple(fc.nat(70), fc.option(fc.nat(40))), { maxLength: 30 }),
        (history, looks) => {
          const { seenAt, visibleAt, rows } = play(history)
          const read: string[] = []
          let place: Place = { transactions: { until: 0, without: [] }, within: null }
          const times: [number, number | null][] = looks.toSorted(([a], [b]) => a - b)
          for (const [time, breaksAfter] of [...times, [1000, null] as [number, null]]) {
            const seen = seenAt(time)
            const sorted = visibleAt(time).toSorted(readingOrder(place))
            let left = breaksAfter ?? Number.POSITIVE_INFINITY
            let reached = place
            for (const row of sorted) {
              for (let at = 0; at < row.changes && left > 0; at++) {
                if (isRead(place, row, at)) continue
                read.push(`${row.id}.${at}`)
                left--
                reached = placeAfter(place, seen, row, at + 1)
              }
            }
            const next =
              left > 0 ? { transactions: advance(place.transactions, seen), within: null } : reached
            // Clients keep a place as text.
            const kept = readPlace(writePlace(next, 'c0ffee', 0))
            assert.deepEqual(kept, { place: next, mark: 'c0ffee', toldMs: 0 })
            place = next
          }
          const all = rows.flatMap(({ id, changes }) =>
            Array.from({ length: changes }, (_, at) => `${id}.${at}`),
          )
          assert.deepEqual(read.toSorted(), all.toSorted())
        },
      ),
    )
  })

  it('a row is never read before one that its transaction could see', () => {
    fc.assert(
      fc.property(histories, fc.array(fc.nat(70), { maxLength: 30 }), (history, looks) => {
        const { seenAt, visibleAt, rows } = play(history)
        const begins = history.map(({ begins }) => begins).toSorted((a, b) => a - b)
        const order: Row[] = []
        let before: Transactions = { until: 0, without: [] }
        for (const time of [...looks.toSorted((a, b) => a - b), 1000]) {
          const fresh = visibleAt(time).filter(({ transaction }) => !includesTransaction(before, transaction))
          order.push(...fresh.toSorted((a, b) => a.transaction - b.transaction || a.id - b.id))
          before = advance(before, seenAt(time))
        }
        assert.equal(order.length, rows.length)
        for (const [at, row] of order.entries())
          for (const later of order.slice(at + 1))
            assert.ok(later.committed > (begins[row.transaction] ?? 0), `${row.id} saw ${later.id}`)
      }),
    )
  })

  it('a snapshot of PostgreSQL is read as it means', () => {
    assert.deepEqual(parseSeen('10:20:10,14,15'), { until: 20, without: [10, 14, 15] })
    assert.deepEqual(parseSeen('20:20:'), { until: 20, without: [] })
  })

  it('a text that is no place is refused', () => {
    const texts = [
      '',
      '-',
      'a',
      'a.',
      'a.b-',
      'a.b-c',
      'a.b-c.d',
      'A.B',
      'a.b-c.d.e.f',
      ' a.b',
      'a.b\n',
      '😀.b',
    ]
    for (const text of texts) assert.equal(readPlace(text), null, JSON.stringify(text))
    fc.assert(
      fc.property(fc.string(), (text) => {
        const read = readPlace(text)
        assert.ok(read === null || Number.isSafeInteger(read.place.transactions.until))
      }),
    )
  })
})
