import { Anchor } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { FigureFilter } from '../../../src/analytics/support/figure-filter.ts'
import { useAgent } from '../../api/session.ts'
import { shownFigure } from '../inbox/shown-figure.ts'

interface FigureLinkProps {
  /** Null where no conversation stands behind the figure. */
  to: FigureFilter | null
  /** What the link says to screen readers. */
  label: string
  children: ReactNode
}

/** A figure that leads to its conversations. */
export function FigureLink({ to, label, children }: FigureLinkProps) {
  const { id } = useAgent()
  if (!to) return children
  return (
    <Anchor
      c="inherit"
      underline="always"
      className="support-link"
      renderRoot={(props) => (
        <Link
          to="/agents/$agentId/inbox"
          params={{ agentId: String(id) }}
          search={{ view: 'all', in: shownFigure(to) }}
          preload={false}
          aria-label={label}
          {...props}
        />
      )}
    >
      {children}
    </Anchor>
  )
}
