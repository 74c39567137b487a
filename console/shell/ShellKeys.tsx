import { useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'
import { includes, useAgent, useWho } from '../api/session.ts'
import { useKeys } from '../ui/keys.ts'
import { useOpenActions } from './open-actions.ts'
import { pages } from './pages.ts'

/** The keys that work on every page from the first moment. */
export function ShellKeys({ onHelp }: { onHelp: () => void }) {
  const { operator } = useWho()
  const { id } = useAgent()
  const navigate = useNavigate()
  const params = { agentId: String(id) }
  const shown = pages.filter(({ right }) => includes(operator.right, right))
  const openActions = useOpenActions()
  useEffect(() => {
    // Ctrl+K works in fields too.
    const listen = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== 'k') return
      event.preventDefault()
      openActions()
    }
    addEventListener('keydown', listen)
    return () => removeEventListener('keydown', listen)
  }, [openActions])
  useKeys({
    '?': onHelp,
    '/': () => void navigate({ to: '/agents/$agentId/search', params }),
    ...Object.fromEntries(
      shown.map(({ letter, to }) => [`g ${letter}`, () => void navigate({ to, params })]),
    ),
  })
  return null
}
