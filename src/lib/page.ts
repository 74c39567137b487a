/** Which page of a list is wanted: the one with this number, or the one after the page that gave the cursor. */
export interface PageRequest {
  page: number
  per_page: number
  cursor?: string | undefined
  /** The key of the row after which the page begins, in place of a page's number. */
  afterKey?: readonly (string | number)[] | undefined
}

export interface Page<Row> {
  rows: Row[]
  /** How many rows the list had when its first page was read. */
  total: number
  /** Whether there may be more than `total`. */
  isCapped: boolean
  page: number
  per_page: number
  /** Where the next page begins; null: this is the last one. */
  nextCursor: string | null
}
