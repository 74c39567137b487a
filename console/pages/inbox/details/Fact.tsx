import { Text } from '@mantine/core'
import type { ReactNode } from 'react'

/** A known fact, below its name. */
export function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <Text c="dimmed" size="xs">
        {name}
      </Text>
      <Text component="div">{children}</Text>
    </div>
  )
}
