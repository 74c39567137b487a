import { Paper, Stack, Text, Title } from '@mantine/core'
import { type ReactNode, useId } from 'react'

interface SectionProps {
  title: string
  lead?: ReactNode
  children: ReactNode
}

/** A part of a page with its own heading. */
export function Section({ title, lead, children }: SectionProps) {
  const id = useId()
  return (
    <Paper withBorder p="md" component="section" aria-labelledby={id} bg="var(--parley-raised)">
      <Stack gap="md">
        <Stack gap={2}>
          <Title order={2} id={id}>
            {title}
          </Title>
          {lead ? (
            <Text c="dimmed" size="secondary">
              {lead}
            </Text>
          ) : null}
        </Stack>
        {children}
      </Stack>
    </Paper>
  )
}
