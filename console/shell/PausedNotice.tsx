import { Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useAgent, useWho } from '../api/session.ts'
import './shell.css'

/** A notice above every page while the agent is paused. */
export function PausedNotice() {
  const { agents } = useWho()
  return agents.length > 0 ? <NoticeOfAgent /> : null
}

function NoticeOfAgent() {
  const { t } = useTranslation()
  const { isPaused, name } = useAgent()
  if (!isPaused) return null
  return (
    <Text className="paused-notice" role="status">
      {t('shell.pausedNotice', { name })}
    </Text>
  )
}
