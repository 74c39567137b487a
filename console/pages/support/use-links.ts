import { useRouter } from '@tanstack/react-router'
import type { MouseEvent } from 'react'
import type { FigureName } from '../../../src/analytics/support/figures.ts'
import { useAgent } from '../../api/session.ts'
import { shownFigure } from '../../api/shown-figure.ts'
import type { SupportAnalytics } from '../../api/types.ts'

/** The properties of a link to the conversations of a figure. */
export interface FigureTarget {
  href: string
  onClick: (event: MouseEvent) => void
}

/** Returns where a figure leads, in total or of a row. Null while nothing was read. */
export type LinkTo = (figure: FigureName, value?: string) => FigureTarget | null

/**
 * Returns the function for the figures that were read. The row of a day leads to the conversations of that day. A year
 * has thousands of links, with which the router's own would be slow.
 */
export function useLinks(read: SupportAnalytics | undefined): LinkTo {
  const router = useRouter()
  const agentId = String(useAgent().id)
  if (!read) return () => null
  const { from, to, time_zone: timeZone, by } = read
  return (figure, value) => {
    const all = { figure, from, to, timeZone, by: null, value: '' }
    const part =
      value === undefined ? {} : by === 'day' ? { from: value, to: value } : ({ by, value } as const)
    const search = { view: 'all', in: shownFigure({ ...all, ...part }) } as const
    return {
      href: `${router.basepath}/agents/${agentId}/inbox?${new URLSearchParams(search)}`,
      onClick(event) {
        // Other clicks open a tab or a window.
        if (event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return
        event.preventDefault()
        void router.navigate({ to: '/agents/$agentId/inbox', params: { agentId }, search })
      },
    }
  }
}
