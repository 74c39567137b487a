import { Button } from '@mantine/core'
import { Link, type LinkProps } from '@tanstack/react-router'
import { useAgent } from '../api/session.ts'
import { ArrowLeftIcon } from './icons.tsx'

/** Leads back to the list that a page belongs to. */
export function Back({ to, label }: { to: NonNullable<LinkProps['to']>; label: string }) {
  const { id } = useAgent()
  return (
    <Button
      variant="default"
      leftSection={<ArrowLeftIcon />}
      renderRoot={(props) => <Link to={to} params={{ agentId: String(id) }} {...props} />}
    >
      {label}
    </Button>
  )
}
