import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { PlusIcon } from './icons.tsx'

interface AddButtonProps {
  onClick: () => void
  children: ReactNode
}

/** A button that adds to the rows above it. */
export function AddButton({ onClick, children }: AddButtonProps) {
  return (
    <Button variant="default" w="fit-content" leftSection={<PlusIcon />} onClick={onClick}>
      {children}
    </Button>
  )
}
