import { NativeSelect, NumberInput, Switch, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { useTranslation } from 'react-i18next'
import type { StoredSecret } from '../../../src/http/stored-secret.ts'
import { useAgent, useRight } from '../../api/session.ts'
import type { Channel } from '../../api/types.ts'
import { SecretInput } from '../../ui/SecretInput.tsx'
import { SettingsForm } from '../../ui/SettingsForm.tsx'
import { useSeededForm } from '../../ui/use-seeded-form.ts'
import { isSecret, newVerifyToken, type Setting, settingsOf } from './kinds.ts'

interface Values extends Record<string, unknown> {
  name: string
  active: boolean
  /** The values by field. For a secret, an empty text keeps it and null removes it. */
  settings: Record<string, string | null>
}

function valuesOf(channel: Channel): Values {
  const { name, active, settings } = channel
  const shown = [...settingsOf(channel), 'debounce_ms', 'groups']
  const shownOf = (field: string) => (isSecret(channel, field) ? '' : String(settings[field] ?? ''))
  return {
    name: name ?? '',
    active,
    settings: Object.fromEntries(shown.map((field) => [field, shownOf(field)])),
  }
}

function bodyOf({ name, active, settings }: Values, channel: Channel) {
  const changed = Object.entries(settings)
    .filter(([field, value]) => !(isSecret(channel, field) && value === ''))
    .map(([field, value]) => [
      field,
      value === '' || value === null ? null : field === 'debounce_ms' ? Number(value) : value,
    ])
  return { name: name.trim() || null, active, settings: Object.fromEntries(changed) }
}

/** The name, the secrets and the other settings of a channel. */
export function ChannelForm({ channel }: { channel: Channel }) {
  const { t } = useTranslation()
  const { api, key } = useAgent()
  const { form, save } = useSeededForm(channel, {
    valuesOf,
    bodyOf,
    send: async (body) => (await api.patch(`/channels/${channel.id}`, body)).data,
  })
  return (
    <SettingsForm form={form} isReadOnly={!useRight('manage')} refresh={[key('channels')]} save={save}>
      <TextInput label={t('channels.name')} {...form.getInputProps('name')} />
      {settingsOf(channel).map((field) => (
        <SettingInput
          key={field}
          field={field}
          stored={isSecret(channel, field) ? (channel.settings[field] as StoredSecret) : null}
          inputProps={form.getInputProps(`settings.${field}`)}
        />
      ))}
      <NumberInput
        label={t('channels.settings.debounce_ms')}
        description={t('channels.debounceHint')}
        min={0}
        max={60_000}
        step={500}
        {...form.getInputProps('settings.debounce_ms')}
        onChange={(value) => form.setFieldValue('settings.debounce_ms', String(value))}
      />
      {channel.kind !== 'sms' && (
        <NativeSelect
          label={t('channels.settings.groups')}
          data={(['', 'never', 'mentioned'] as const).map((value) => ({
            value,
            label: t(`channels.groups.${value || 'default'}`),
          }))}
          {...form.getInputProps('settings.groups')}
        />
      )}
      <Switch
        label={t('channels.active')}
        description={t('channels.activeHint')}
        {...form.getInputProps('active', { type: 'checkbox' })}
      />
    </SettingsForm>
  )
}

interface SettingInputProps {
  field: Setting
  /** Null if the setting is not a secret. */
  stored: StoredSecret | null
  inputProps: ReturnType<UseFormReturnType<Values>['getInputProps']>
}

function SettingInput({ field, stored, inputProps }: SettingInputProps) {
  const { t } = useTranslation()
  const label = t(`channels.settings.${field}`)
  if (stored)
    return (
      <SecretInput
        label={label}
        stored={stored}
        field={`settings.${field}`}
        {...(field === 'verify_token' ? { make: newVerifyToken } : {})}
        {...inputProps}
      />
    )
  return <TextInput label={label} {...inputProps} />
}
