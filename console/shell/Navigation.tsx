import { Box, NavLink, Stack, Text } from '@mantine/core'
import { Link, useRouterState } from '@tanstack/react-router'
import { Fragment, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { includes, useAgent, useWho } from '../api/session.ts'
import { lazyPart } from '../ui/lazy-part.tsx'
import { Account } from './Account.tsx'
import { AgentSwitch } from './AgentSwitch.tsx'
import { InboxViews } from './InboxViews.tsx'
import { PauseButton } from './PauseButton.tsx'
import { groups, type PageGroup } from './pages.ts'

const Personal = lazyPart(() => import('./Personal.tsx'), 'Personal')

/** The side bar; without an agent it holds only the person's own menu. */
export function Navigation() {
  const { agents } = useWho()
  return (
    <Stack h="100%" gap={0} p="xs">
      {agents.length > 0 ? <AgentNavigation /> : <Box flex={1} />}
      <Account />
    </Stack>
  )
}

function AgentNavigation() {
  const { operator } = useWho()
  const shown = groups
    .map(({ name, pages }) => ({ name, pages: pages.filter(({ right }) => includes(operator.right, right)) }))
    .filter(({ pages }) => pages.length > 0)
  return (
    <>
      <AgentSwitch />
      <Stack flex={1} mih={0} mt="xs" gap="xs" style={{ overflowY: 'auto' }}>
        {shown.slice(0, -1).map((group) => (
          <PagesOfGroup key={group.name} {...group} />
        ))}
      </Stack>
      {/* The settings stay in sight however long the list is. */}
      <Stack gap="xs" py="xs">
        {shown.slice(-1).map((group) => (
          <PagesOfGroup key={group.name} {...group} />
        ))}
      </Stack>
      <Suspense fallback={<div className="shell-personal" />}>
        <Personal />
      </Suspense>
      <PauseButton />
    </>
  )
}

function PagesOfGroup({ name: group, pages }: PageGroup) {
  const { t } = useTranslation()
  const agent = useAgent()
  const isInbox = useRouterState({ select: ({ location }) => location.pathname.includes('/inbox') })
  return (
    <Stack gap={2} role="group" aria-label={t(`shell.groups.${group}`)}>
      {/* A page with the name of its group needs no heading. */}
      {pages.some(({ name }) => name === group) ? null : (
        <Text c="dimmed" size="xs" px="xs" aria-hidden>
          {t(`shell.groups.${group}`)}
        </Text>
      )}
      {pages.map(({ name, to, icon: Drawn }) => (
        <Fragment key={name}>
          <NavLink
            label={t(`pages.${name}`)}
            leftSection={<Drawn />}
            renderRoot={(props) => (
              <Link
                to={to}
                params={{ agentId: String(agent.id) }}
                activeProps={{ 'data-active': true, 'aria-current': 'page' }}
                {...props}
              />
            )}
            className="shell-link"
            px="xs"
            color="gray"
            style={{ borderRadius: 8 }}
          />
          {name === 'inbox' && isInbox ? <InboxViews /> : null}
        </Fragment>
      ))}
    </Stack>
  )
}
