import { Anchor, Group, Paper, Stack, Text } from '@mantine/core'
import { Link, type LinkProps } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import './Rows.css'

interface RowsProps {
  label: string
  children: ReactNode
}

/** A list of named things. */
export function Rows({ label, children }: RowsProps) {
  return (
    <Paper withBorder component="ul" aria-label={label} className="rows" bg="var(--parley-raised)">
      {children}
    </Paper>
  )
}

interface RowProps {
  title: string
  /** The address of its page. */
  link?: Pick<LinkProps, 'to' | 'params'>
  /** Further facts below the name, in small letters. */
  about?: ReactNode
  marks?: ReactNode
  actions?: ReactNode
  children?: ReactNode
}

export function Row({ title, link, about, marks, actions, children }: RowProps) {
  return (
    <li className="row">
      <Group justify="space-between" gap="sm" align="center">
        <Stack gap={2} flex="1 1 240px" miw={0}>
          <Group gap="xs">
            {link ? (
              <Anchor
                fw={600}
                className="foreign"
                c="inherit"
                renderRoot={(props) => <Link {...link} {...props} />}
              >
                {title}
              </Anchor>
            ) : (
              <Text fw={600} className="foreign">
                {title}
              </Text>
            )}
            {marks}
          </Group>
          {about ? (
            <Text component="div" c="dimmed" size="secondary" className="foreign">
              {about}
            </Text>
          ) : null}
        </Stack>
        {actions ? (
          <Group gap="xs" wrap="wrap">
            {actions}
          </Group>
        ) : null}
      </Group>
      <div className="row-more">{children}</div>
    </li>
  )
}
