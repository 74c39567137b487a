import { ActionIcon } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { Outlet, useRouterState } from '@tanstack/react-router'
import { Suspense, useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { useWho } from '../api/session.ts'
import { MenuIcon } from '../ui/icons.tsx'
import { lazyPart } from '../ui/lazy-part.tsx'
import { Live } from './Live.tsx'
import { Logo } from './Logo.tsx'
import { Navigation } from './Navigation.tsx'
import { PausedNotice } from './PausedNotice.tsx'
import { ShellKeys } from './ShellKeys.tsx'
import './shell.css'

/** Not needed to see the page, so it comes after it. */
const Actions = lazyPart(() => import('./Actions.tsx'), 'Actions', 'in a notice')

const Notices = lazyPart(() => import('./Notices.tsx'), 'Notices', 'in a notice')

/** What stands around every page: where one can go, and whether the agent answers. */
export function Shell() {
  const { t } = useTranslation()
  const hasAgent = useWho().agents.length > 0
  const [isOpen, { toggle, close }] = useDisclosure(false)
  const help = useDisclosure(false)
  const pathname = useRouterState({ select: ({ location }) => location.pathname })
  // biome-ignore lint/correctness/useExhaustiveDependencies: the menu closes when another page is shown
  useEffect(close, [pathname])
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
        <Outlet />
      </main>
      {hasAgent ? <ShellKeys onHelp={help[1].open} /> : null}
      <Suspense>
        <Actions help={help} />
        {hasAgent ? <Notices /> : null}
      </Suspense>
    </div>
  )
}
