import { Menu, UnstyledButton } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useAgent, useWho } from '../api/session.ts'
import { CheckIcon } from '../ui/icons.tsx'
import { AgentDot } from './AgentDot.tsx'

/** The menu of the team's agents. */
export function AgentMenu({ children }: { children: ReactNode }) {
  const { t } = useTranslation()
  const { agents } = useWho()
  const agent = useAgent()
  const navigate = useNavigate()
  return (
    <Menu width={260} position="bottom-start" shadow="md" defaultOpened>
      <Menu.Target>
        <UnstyledButton className="shell-switch">{children}</UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{t('shell.agents')}</Menu.Label>
        {agents.map(({ id, name, is_paused }) => (
          <Menu.Item
            key={id}
            leftSection={<AgentDot isPaused={is_paused} />}
            rightSection={id === agent.id ? <CheckIcon /> : null}
            onClick={() => void navigate({ to: '/agents/$agentId', params: { agentId: String(id) } })}
          >
            {name}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
