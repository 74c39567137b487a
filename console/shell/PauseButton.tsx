import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useAgent, useRight } from '../api/session.ts'
import { PauseIcon, PlayIcon } from '../ui/icons.tsx'
import { usePause } from './use-pause.tsx'

/** A button on every page that pauses the agent; a second press ends the pause. */
export function PauseButton() {
  const { t } = useTranslation()
  const { isPaused } = useAgent()
  const pausing = usePause()
  if (!useRight('manage')) return null
  return (
    <>
      <Button
        variant="default"
        mb="xs"
        leftSection={isPaused ? <PlayIcon /> : <PauseIcon />}
        loading={pausing.isPending}
        onClick={() => pausing.press(!isPaused)}
      >
        {isPaused ? t('shell.resume') : t('shell.pause')}
      </Button>
      {pausing.question}
    </>
  )
}
