/** A request for a page of a list: the page with this number, or the one after the page that gave the cursor. */
export interface PageRequest {
  page: number
  per_page: number
  cursor?: string | undefined
  /** The key of the row after which the page begins, instead of a page number. */
  afterKey?: readonly (string | number)[] | undefined
}

export interface Page<Row> {
  rows: Row[]
  /** The number of rows when the list's first page was read. */
  total: number
  /** True if there may be more than `total`. */
  isCapped: boolean
  page: number
  per_page: number
  /** The cursor of the next page; null on the last page. */
  nextCursor: string | null
}
