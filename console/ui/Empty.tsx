import { Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import type { Icon } from './icons.tsx'

export interface EmptyProps {
  icon: Icon
  title: string
  /** The purpose of the list. */
  text: string
  /** The one thing to do next. */
  action?: ReactNode
}

/** The placeholder of an empty list. */
export function Empty({ icon: Drawn, title, text, action }: EmptyProps) {
  return (
    <Stack align="center" gap="xs" py={48} px="md" ta="center">
      <Text c="dimmed" component="span">
        <Drawn size={32} />
      </Text>
      <Title order={2}>{title}</Title>
      <Text c="dimmed" maw={480}>
        {text}
      </Text>
      {action}
    </Stack>
  )
}
