import { z } from 'zod'
import { boundedText, time } from '../../http/schemas.ts'
import { recordVersion, sentVersion, versionOf } from '../../http/version.ts'
import { type FilterName, inboxSorts } from '../inbox-query.ts'
import { bulkFilter, tagFilter } from '../schemas.ts'
import type { SavedViewRow } from '../tables.ts'

/** The filters that no view keeps: they name an end user or words of messages, which must not outlive a redaction. */
type Personal = 'user_id' | 'q'

/** The filter that a view keeps. */
export const keptFilter = bulkFilter.pick({
  view: true,
  channel_id: true,
  assignee: true,
  group: true,
  tag: true,
  language: true,
  priority: true,
  outcome: true,
  in: true,
  unread: true,
} satisfies Record<'view' | Exclude<FilterName, Personal>, true>)

/** The query that a view keeps, with the tag as text. */
const savedQuery = keptFilter.extend({
  tag: tagFilter.optional(),
  sort: z.enum(inboxSorts).optional(),
})

type SavedQuery = z.output<typeof savedQuery>

export const newView = z.strictObject({
  name: boundedText(100).min(1),
  query: savedQuery.describe('As in `GET /inbox`, without `user_id` and `q`.'),
  shared: z.boolean().default(false).describe('Whether everybody who sees the inbox has it.'),
})

export type NewView = z.output<typeof newView>

export const viewPatch = newView
  .extend({ shared: newView.shape.shared.unwrap(), version: sentVersion })
  .partial()

export const viewSchema = z
  .object({
    id: z.int(),
    name: z.string(),
    query: savedQuery,
    shared: z.boolean(),
    count: z
      .int()
      .nullable()
      .describe('How many conversations match; null where only a person can tell, such as with `unread`.'),
    count_capped: z.literal(true).optional().describe('Present when there may be more.'),
    version: recordVersion,
    created_at: time,
    updated_at: time,
  })
  .meta({ id: 'InboxView' })

export type ViewAnswer = z.output<typeof viewSchema>

export function viewVersion({ name, query, operator_id }: SavedViewRow): string {
  return versionOf(name, query, String(operator_id))
}

/** Presents a view as the API returns it. */
export function presentView(
  row: SavedViewRow,
  counted: Pick<ViewAnswer, 'count' | 'count_capped'>,
): ViewAnswer {
  const { id, name, query, operator_id, created_at, updated_at } = row
  return {
    id,
    name,
    query: queryOf(row),
    shared: operator_id === null,
    ...counted,
    version: viewVersion({ ...row, query }),
    created_at,
    updated_at,
  }
}

/** Returns the query of a view, as it was saved. */
export function queryOf({ query }: Pick<SavedViewRow, 'query'>): SavedQuery {
  return JSON.parse(query) as SavedQuery
}
