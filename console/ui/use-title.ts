import { useEffect } from 'react'

/** Names the tab: first the page, then where it belongs. */
export function useTitle(...parts: readonly string[]): void {
  const title = [...parts, 'Parley'].join(' · ')
  useEffect(() => {
    document.title = title
  }, [title])
}
