import { Box, Group, Text, VisuallyHidden } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useAgent, useWho } from '../api/session.ts'
import { SelectorIcon } from '../ui/icons.tsx'
import { lazyPart } from '../ui/lazy-part.tsx'
import { AgentDot } from './AgentDot.tsx'
import { MenuButton } from './MenuButton.tsx'

const AgentMenu = lazyPart(() => import('./AgentMenu.tsx'), 'AgentMenu')

/** The agent that all pages are about, and the way to another one. */
export function AgentSwitch() {
  const { t } = useTranslation()
  const { team } = useWho()
  const agent = useAgent()
  return (
    <MenuButton menu={AgentMenu}>
      <Group gap="xs" wrap="nowrap">
        <AgentDot isPaused={agent.isPaused} />
        <Box flex={1} miw={0}>
          <Text fw={600} truncate>
            {agent.name}
          </Text>
          <Text c="dimmed" size="xs" truncate>
            {team.name}
          </Text>
        </Box>
        <VisuallyHidden>{t('shell.switchAgent')}</VisuallyHidden>
        <SelectorIcon />
      </Group>
    </MenuButton>
  )
}
