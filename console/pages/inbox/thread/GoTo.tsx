import { ActionIcon, Button, Popover, Stack, TextInput, Tooltip } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { HistoryIcon } from '../../../ui/icons.tsx'
import type { Spot } from './use-timeline.ts'

/** Jumps to another part of a long conversation; only that part is read. */
export function GoTo({ onJump }: { onJump: (spot: Spot) => void }) {
  const { t } = useTranslation()
  const [isOpen, setOpen] = useState(false)
  const go = (spot: Spot) => {
    onJump(spot)
    setOpen(false)
  }
  return (
    <Popover opened={isOpen} onChange={setOpen} position="bottom-end" trapFocus>
      <Popover.Target>
        <Tooltip label={t('inbox.goTo')} disabled={isOpen}>
          <ActionIcon
            variant="default"
            size={32}
            aria-label={t('inbox.goTo')}
            onClick={() => setOpen(!isOpen)}
          >
            <HistoryIcon />
          </ActionIcon>
        </Tooltip>
      </Popover.Target>
      <Popover.Dropdown aria-label={t('inbox.goTo')}>
        <Stack gap="xs">
          <Button variant="default" onClick={() => go('start')}>
            {t('inbox.toStart')}
          </Button>
          <TextInput
            type="date"
            label={t('inbox.toDay')}
            onChange={({ currentTarget: { value, valueAsNumber } }) => {
              if (Number.isNaN(valueAsNumber)) return
              // The day begins at midnight in the reader's time zone.
              go({ from: new Date(`${value}T00:00`).toISOString() })
            }}
          />
          <Button variant="default" onClick={() => go('end')}>
            {t('inbox.toEnd')}
          </Button>
        </Stack>
      </Popover.Dropdown>
    </Popover>
  )
}
