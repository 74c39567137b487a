import { Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Dialog } from '../../ui/Dialog.tsx'
import { Form } from '../../ui/Form.tsx'
import { exactTime } from '../../ui/Time.tsx'
import { localTime, snoozeTimes } from './snooze-times.ts'

interface SnoozeDialogProps {
  /** The number of selected conversations; undefined if the dialog is about a single one. */
  count: number | undefined
  /** @param until an RFC 3339 time; null: back to the open ones */
  onSnooze: (until: string | null) => void
  /** True if it can be brought back. */
  isSnoozed: boolean
  onClose: () => void
}

/** Asks until when conversations are put aside. */
export function SnoozeDialog({ count, onSnooze, isSnoozed, onClose }: SnoozeDialogProps) {
  const { t, i18n } = useTranslation()
  const [now] = useState(() => new Date())
  const [own, setOwn] = useState('')
  const ownTime = own === '' ? null : new Date(own)
  const isPast = ownTime !== null && ownTime.getTime() <= now.getTime()
  const snooze = (until: Date | null) => {
    onSnooze(until?.toISOString() ?? null)
    onClose()
  }
  return (
    <Dialog onClose={onClose} title={count === undefined ? t('snooze.title') : t('snooze.many', { count })}>
      <Form
        onSubmit={() => {
          if (ownTime && !isPast) snooze(ownTime)
        }}
      >
        <Stack gap="md">
          <Stack gap={0} pt={4} role="group" aria-label={t('snooze.title')}>
            {snoozeTimes(now).map(({ name, at }, index) => (
              <Button
                key={name}
                variant="subtle"
                color="gray"
                c="inherit"
                fw={400}
                fullWidth
                styles={{ label: { justifyContent: 'space-between', width: '100%' } }}
                {...(index === 0 ? { 'data-autofocus': true } : {})}
                onClick={() => snooze(at)}
              >
                {t(`snooze.times.${name}`)}
                <Text component="span" c="dimmed" size="secondary">
                  {exactTime(at.toISOString(), i18n.language)}
                </Text>
              </Button>
            ))}
          </Stack>
          <Group align="flex-end" gap="xs">
            <TextInput
              type="datetime-local"
              flex={1}
              label={t('snooze.own')}
              min={localTime(now)}
              value={own}
              error={isPast ? t('snooze.past') : null}
              onChange={(event) => setOwn(event.currentTarget.value)}
            />
            <Button type="submit" disabled={ownTime === null || isPast}>
              {t('snooze.set')}
            </Button>
          </Group>
          {isSnoozed ? (
            <Button variant="default" onClick={() => snooze(null)}>
              {t('snooze.end')}
            </Button>
          ) : null}
          <Text size="secondary" c="dimmed">
            {t('snooze.hint')}
          </Text>
        </Stack>
      </Form>
    </Dialog>
  )
}
