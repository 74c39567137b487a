import { Box, Group, Paper, Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { LanguageChoice } from './LanguageChoice.tsx'
import { Logo } from './Logo.tsx'
import { useTitle } from './use-title.ts'

interface DoorwayProps {
  title: string
  lead: string
  children: ReactNode
}

/** The layout of the pages before the sign-in: one thing in the middle. */
export function Doorway({ title, lead, children }: DoorwayProps) {
  useTitle(title)
  return (
    <Box component="main" mih="100dvh" px="md" py={{ base: 'lg', sm: 64 }}>
      <Stack maw={400} mx="auto" gap="lg">
        <Group justify="space-between">
          <Logo />
          <LanguageChoice />
        </Group>
        <Paper withBorder p="lg" bg="var(--parley-raised)">
          <Stack gap="md">
            <Stack gap={4}>
              <Title order={1}>{title}</Title>
              <Text c="dimmed">{lead}</Text>
            </Stack>
            {children}
          </Stack>
        </Paper>
      </Stack>
    </Box>
  )
}
