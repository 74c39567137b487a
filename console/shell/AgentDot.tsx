import { Box } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import './shell.css'

/** A dot that is green while the agent answers, amber while it is paused. */
export function AgentDot({ isPaused }: { isPaused: boolean }) {
  const { t } = useTranslation()
  return (
    <Box
      component="span"
      role="img"
      aria-label={isPaused ? t('shell.isPaused') : t('shell.isAnswering')}
      className="agent-dot"
      data-paused={isPaused || undefined}
    />
  )
}
