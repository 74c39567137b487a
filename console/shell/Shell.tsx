import { ActionIcon } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { Navigate, useRouter, useRouterState } from '@tanstack/react-router'
import { Suspense, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useWho } from '../api/session.ts'
import { AllowedOutlet } from '../ui/AllowedOutlet.tsx'
import { MenuIcon } from '../ui/icons.tsx'
import { Logo } from '../ui/Logo.tsx'
import { lazyPart } from '../ui/lazy-part.tsx'
import { Live } from './Live.tsx'
import { Navigation } from './Navigation.tsx'
import { PausedNotice } from './PausedNotice.tsx'
import { pages } from './pages.ts'
import { ShellKeys } from './ShellKeys.tsx'
import './shell.css'

/** Loads after the page, which does not need it. */
const Actions = lazyPart(() => import('./Actions.tsx'), 'Actions', 'in a notice')

const Notices = lazyPart(() => import('./Notices.tsx'), 'Notices', 'in a notice')

/** The frame of every page: the navigation, and whether the agent answers. */
export function Shell() {
  const { t } = useTranslation()
  const { agents, needs_two_factor } = useWho()
  const hasAgent = agents.length > 0
  const [isOpen, { toggle, close }] = useDisclosure(false)
  const help = useDisclosure(false)
  const pathname = useRouterState({ select: ({ location }) => location.pathname })
  // biome-ignore lint/correctness/useExhaustiveDependencies: the menu closes when another page is shown
  useEffect(close, [pathname])
  // The team has begun to require a second factor while the page was open.
  if (needs_two_factor) return <ToTwoFactor />
  return (
    <div className="shell">
      <a className="skip-link" href="#content">
        {t('shell.skip')}
      </a>
      <header className="shell-header">
        <Logo />
        <ActionIcon
          variant="subtle"
          color="gray"
          size={40}
          onClick={toggle}
          aria-expanded={isOpen}
          aria-controls="navigation"
          aria-label={t('shell.menu')}
        >
          <MenuIcon />
        </ActionIcon>
      </header>
      <nav
        id="navigation"
        className="shell-navigation"
        data-open={isOpen || undefined}
        aria-label={t('shell.navigation')}
      >
        <Navigation />
      </nav>
      <main id="content" tabIndex={-1} className="shell-main">
        {hasAgent ? <Live /> : null}
        <PausedNotice />
        <AllowedOutlet pages={pages} />
      </main>
      {hasAgent ? <ShellKeys onHelp={help[1].open} /> : null}
      <Suspense>
        <Actions help={help} />
        {hasAgent ? <Notices /> : null}
      </Suspense>
    </div>
  )
}

/** Redirects to the page that sets up the second factor, and from there back to the page that is open now. */
function ToTwoFactor() {
  const router = useRouter()
  const [search] = useState(() => ({ to: router.state.location.href }))
  return <Navigate to="/two-factor" search={search} replace />
}
