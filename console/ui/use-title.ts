import { useEffect } from 'react'
import { joined } from '../texts/isolated.ts'

/** Sets the tab's title: the page first, then the place that it belongs to. */
export function useTitle(...parts: readonly string[]): void {
  const title = joined([...parts, 'Parley'])
  useEffect(() => {
    document.title = title
  }, [title])
}
