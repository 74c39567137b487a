import { Box, Group, NavLink } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { includes, useAgent, useWho } from '../../api/session.ts'
import { AllowedOutlet } from '../../ui/AllowedOutlet.tsx'
import { areas } from './areas.ts'
import './SettingsPage.css'

/** The settings: a list of areas, and the one that the address names. */
export function SettingsPage() {
  const { t } = useTranslation()
  const agent = useAgent()
  const { operator } = useWho()
  const shown = areas.filter(({ right }) => includes(operator.right, right))
  return (
    <Group align="flex-start" gap={0} wrap="wrap">
      <Box component="nav" aria-label={t('pages.settings')} className="settings-areas">
        {shown.map(({ name, to }) => (
          <NavLink
            key={name}
            label={t(`settings.areas.${name}`)}
            renderRoot={(props) => (
              <Link
                to={to}
                params={{ agentId: String(agent.id) }}
                activeProps={{ 'data-active': true, 'aria-current': 'page' }}
                {...props}
              />
            )}
            py={6}
            color="gray"
            w="auto"
            style={{ borderRadius: 8 }}
          />
        ))}
      </Box>
      <Box flex="1 1 320px" miw={0} className="settings-area">
        <AllowedOutlet pages={areas} />
      </Box>
    </Group>
  )
}
