import { Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import type { Icon } from './icons.tsx'

export interface EmptyProps {
  icon: Icon
  title: string
  /** True where it is the whole page, so that this is its heading. */
  isPage?: boolean
  /** The purpose of the list. */
  text: string
  /** The one thing to do next. */
  action?: ReactNode
}

/** The placeholder of an empty list. */
export function Empty({ icon: Drawn, title, isPage = false, text, action }: EmptyProps) {
  return (
    <Stack align="center" gap="xs" py={48} px="md" ta="center">
      <Text c="dimmed" component="span">
        <Drawn size={32} />
      </Text>
      <Title order={isPage ? 1 : 2} size="h2">
        {title}
      </Title>
      <Text c="dimmed" maw={480}>
        {text}
      </Text>
      {action}
    </Stack>
  )
}
