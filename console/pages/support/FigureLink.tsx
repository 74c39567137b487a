import type { ReactNode } from 'react'
import type { FigureTarget } from './use-links.ts'
import './FigureLink.css'

interface FigureLinkProps {
  /** Null where no conversation stands behind the figure. */
  to: FigureTarget | null
  /** The text of the link for screen readers. */
  label: string
  children: ReactNode
}

/** A figure that leads to its conversations. */
export function FigureLink({ to, label, children }: FigureLinkProps) {
  if (!to) return children
  const { href: figureAddress, onClick } = to
  return (
    <a className="figure-link mantine-focus-auto" href={figureAddress} aria-label={label} onClick={onClick}>
      {children}
    </a>
  )
}
