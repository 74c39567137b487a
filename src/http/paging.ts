import { z } from 'zod'

const MAX_PER_PAGE = 100
const DEFAULT_PER_PAGE = 50

/** Any integer; what no number can hold exactly counts as the last that one can. */
const integer = z
  .string()
  .regex(/^[+-]?\d+$/, 'must be a whole number')
  .transform((digits) => Math.min(Number(digits), Number.MAX_SAFE_INTEGER))

// `_prefault` is how zod is told of a default for the document beside a transform; a plain `default` is dropped.
/** Query parameters of every list: below 1 counts as 1, `per_page` over 100 as 100. */
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

/** The schema of a page of items. */
export function pageOf<Item extends z.ZodType>(item: Item) {
  return z.object({
    data: z.array(item).describe('Items of this page.'),
    total: z.int().describe('Total count.'),
    page: z.int().describe('Page number returned.'),
    per_page: z.int().describe('Page size used.'),
  })
}
