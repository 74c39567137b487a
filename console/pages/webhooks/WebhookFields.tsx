import { NativeSelect, Switch, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { useTranslation } from 'react-i18next'
import type { EventKey } from '../../../src/events/keys.ts'
import type { Notification } from '../../api/types.ts'
import { EventChoice } from './EventChoice.tsx'

export type WebhookValues = {
  name: string
  url: string
  security: Notification['security']
  /** Event keys, or only `*`. */
  events: EventKey[] | ['*']
  active: boolean
}

/** The settings of a webhook, for a new one and for changes. */
export function WebhookFields({ form }: { form: UseFormReturnType<WebhookValues> }) {
  const { t } = useTranslation()
  return (
    <>
      <TextInput label={t('webhooks.name')} data-autofocus {...form.getInputProps('name')} />
      <TextInput
        label={t('webhooks.url')}
        placeholder="https://example.com/parley"
        {...form.getInputProps('url')}
      />
      <NativeSelect
        label={t('webhooks.security')}
        description={t('webhooks.securityHint')}
        data={(['signature', 'shared_secret'] as const).map((value) => ({
          value,
          label: t(`webhooks.securities.${value}`),
        }))}
        {...form.getInputProps('security')}
      />
      <EventChoice {...form.getInputProps('events')} />
      <Switch label={t('webhooks.active')} {...form.getInputProps('active', { type: 'checkbox' })} />
    </>
  )
}
