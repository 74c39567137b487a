import { useEffect } from 'react'
import { joined } from './isolated.ts'

/** Names the tab: first the page, then where it belongs. */
export function useTitle(...parts: readonly string[]): void {
  const title = joined([...parts, 'Parley'])
  useEffect(() => {
    document.title = title
  }, [title])
}
