import { MultiSelect, Stack, Switch } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { eventKeys } from '../../../src/events/keys.ts'

interface EventChoiceProps {
  value?: string[]
  error?: unknown
  onChange: (events: string[]) => void
}

/** The choice of all events, or some of them. */
export function EventChoice({ value = [], error, onChange, ...rest }: EventChoiceProps) {
  const { t } = useTranslation()
  const isAll = value[0] === '*'
  return (
    <Stack gap="xs">
      <Switch
        label={t('webhooks.allEvents')}
        checked={isAll}
        onChange={(event) => onChange(event.currentTarget.checked ? ['*'] : [])}
      />
      {isAll ? null : (
        <MultiSelect
          {...rest}
          label={t('webhooks.events')}
          data={Object.keys(eventKeys)}
          value={value}
          error={error as string}
          onChange={onChange}
          searchable
          clearable
          clearButtonProps={{ 'aria-label': t('webhooks.noEvents') }}
        />
      )}
    </Stack>
  )
}
