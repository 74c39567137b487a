import { Box, NavLink, Stack } from '@mantine/core'
import { Link, useRouterState } from '@tanstack/react-router'
import { Fragment } from 'react'
import { useTranslation } from 'react-i18next'
import { includes, useAgent, useWho } from '../api/session.ts'
import { Account } from './Account.tsx'
import { AgentSwitch } from './AgentSwitch.tsx'
import { InboxViews } from './InboxViews.tsx'
import { PauseButton } from './PauseButton.tsx'
import { pages } from './pages.ts'

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
  const { t } = useTranslation()
  const { operator } = useWho()
  const agent = useAgent()
  const isInbox = useRouterState({ select: ({ location }) => location.pathname.includes('/inbox') })
  const shown = pages.filter(({ right }) => includes(operator.right, right))
  return (
    <>
      <AgentSwitch />
      <Box flex={1} mih={0} my="xs" style={{ overflowY: 'auto' }}>
        <Stack gap={2}>
          {shown.map(({ name, to, icon: Drawn }) => (
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
      </Box>
      <PauseButton />
    </>
  )
}
