import type { UseInfiniteQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Loaded } from './Loaded.tsx'
import { NextPage } from './NextPage.tsx'
import { Rows } from './Rows.tsx'

interface ListRowsProps<Item> {
  label: string
  query: UseInfiniteQueryResult<{ items: Item[] }>
  /** Stands in place of the rows when there are none. */
  empty: ReactNode
  /** Returns the row of an item. */
  children: (item: Item) => ReactNode
}

/** The rows of a list that is read page by page. */
export function ListRows<Item>({ label, query, empty, children }: ListRowsProps<Item>) {
  return (
    <>
      <Loaded query={query}>
        {({ items }) =>
          items.length === 0 ? empty : <Rows label={label}>{items.map((item) => children(item))}</Rows>
        }
      </Loaded>
      <NextPage query={query} />
    </>
  )
}
