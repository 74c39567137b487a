import { Box, Group, Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { useAgent } from '../api/session.ts'
import { useTitle } from './use-title.ts'

interface PageProps {
  title: string
  /** The page's purpose, in one sentence. */
  lead?: ReactNode
  actions?: ReactNode
  /** True for pages of text and forms, which are easier to read when they are not as wide as a table. */
  narrow?: boolean
  children: ReactNode
}

/** The layout of an agent's page: a title, which is also the tab's, and the page's main actions beside it. */
export function Page({ title, lead, actions, narrow = false, children }: PageProps) {
  useTitle(title, useAgent().name)
  return (
    <Box maw={narrow ? 760 : 1200} className="page" px={{ base: 'md', sm: 'lg' }} py="lg">
      <Stack gap="lg">
        <Group justify="space-between" align="flex-start" gap="sm">
          <Stack gap={4} flex="1 1 240px" miw={0}>
            <Title order={1} className="foreign">
              {title}
            </Title>
            {lead ? <Text c="dimmed">{lead}</Text> : null}
          </Stack>
          {actions ? <Group gap="xs">{actions}</Group> : null}
        </Group>
        {children}
      </Stack>
    </Box>
  )
}
