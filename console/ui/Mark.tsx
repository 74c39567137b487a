import { Badge } from '@mantine/core'
import type { ReactNode } from 'react'

/** Amber waits for a person, red failed, green is live or delivered, grey describes. */
export type MarkTone = 'amber' | 'red' | 'green' | 'grey'

export function Mark({ tone, children }: { tone: MarkTone; children: ReactNode }) {
  const [color, ground] =
    tone === 'grey'
      ? ['var(--mantine-color-dimmed)', 'var(--parley-hover)']
      : [`var(--parley-${tone})`, `var(--parley-${tone}-ground)`]
  return (
    <Badge variant="light" tt="none" fw={400} fz="xs" styles={{ root: { color, background: ground } }}>
      {children}
    </Badge>
  )
}
