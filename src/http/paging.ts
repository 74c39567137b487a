import { z } from 'zod'
import type { Page } from '../lib/page.ts'

const MAX_PER_PAGE = 100
const DEFAULT_PER_PAGE = 50

/** Any integer. One too large to be exact counts as the largest exact integer. */
const integer = z
  .string()
  .regex(/^[+-]?\d+$/, 'must be a whole number')
  .transform((digits) => Math.min(Number(digits), Number.MAX_SAFE_INTEGER))

// With a transform, zod puts a default into the document only through `_prefault`; it drops a plain `default`.
/** The query parameters of every list. A number below 1 counts as 1, a `per_page` over 100 as 100. */
export const pageQuery = z.object({
  page: integer
    .transform((page) => Math.max(1, page))
    .prefault('1')
    .meta({ description: 'Page number, from 1.', type: 'integer', _prefault: 1 }),
  per_page: integer
    .transform((size) => Math.min(MAX_PER_PAGE, Math.max(1, size)))
    .prefault(String(DEFAULT_PER_PAGE))
    .meta({
      description: `Items a page; clamped to ${MAX_PER_PAGE}.`,
      type: 'integer',
      _prefault: DEFAULT_PER_PAGE,
    }),
})

/** The query parameters of lists that also page by cursor. */
export const listQuery = pageQuery.extend({
  cursor: z
    .string()
    .max(500)
    .optional()
    .describe('`next_cursor` of the page before. Then `page` is ignored.'),
})

/** Creates the schema of a page of items. */
export function pageOf<Item extends z.ZodType>(item: Item) {
  return z.object({
    data: z.array(item).describe('Items of this page.'),
    total: z.int().describe('Total count.'),
    page: z.int().describe('Page number returned.'),
    per_page: z.int().describe('Page size used.'),
  })
}

/** Creates the schema of a page of a list that also pages by cursor. */
export function listOf<Item extends z.ZodType>(item: Item) {
  return pageOf(item).extend({
    total: z.int().describe('Total count, up to 10,000; as of the first page where a cursor was given.'),
    total_capped: z.literal(true).optional().describe('Present when there may be more than `total`.'),
    next_cursor: z.string().nullable().describe('`cursor` of the next page; null: there is none.'),
  })
}

/** Returns a page of a list as the API presents it. */
export function presentPage<Row, Item>(
  { rows, total, isCapped, page, per_page, nextCursor }: Page<Row>,
  present: (row: Row) => Item,
) {
  return {
    data: rows.map(present),
    total,
    ...(isCapped ? { total_capped: true as const } : {}),
    page,
    per_page,
    next_cursor: nextCursor,
  }
}
