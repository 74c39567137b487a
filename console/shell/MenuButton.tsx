import { UnstyledButton } from '@mantine/core'
import { type ComponentType, type ReactNode, Suspense, useState } from 'react'
import './shell.css'

interface MenuButtonProps {
  /** The same button with its menu open. */
  menu: ComponentType<{ children: ReactNode }>
  children: ReactNode
}

/** A button whose menu is loaded when it is first opened. */
export function MenuButton({ menu: Shown, children }: MenuButtonProps) {
  const [isWanted, setWanted] = useState(false)
  const button = (
    <UnstyledButton className="shell-switch" aria-haspopup="menu" onClick={() => setWanted(true)}>
      {children}
    </UnstyledButton>
  )
  if (!isWanted) return button
  return (
    <Suspense fallback={button}>
      <Shown>{children}</Shown>
    </Suspense>
  )
}
