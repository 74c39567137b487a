import { NativeSelect, NumberInput, Switch, Textarea, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { useTranslation } from 'react-i18next'
import type { StoredSecret } from '../../../src/http/stored-secret.ts'
import { valueAt, withValue } from '../../../src/lib/value-at.ts'
import { useAgent } from '../../api/session.ts'
import type { Channel } from '../../api/types.ts'
import { SecretInput } from '../../ui/SecretInput.tsx'
import { SettingsForm } from '../../ui/SettingsForm.tsx'
import { useSeededForm } from '../../ui/use-seeded-form.ts'
import { isSecret, newVerifyToken, type Setting, settingAt, settingsOf } from './kinds.ts'

/** The text of a setting, or those of its own fields. For a secret, an empty text keeps it and null removes it. */
type Typed = string | null | { [name: string]: Typed }

interface Values extends Record<string, unknown> {
  name: string
  active: boolean
  settings: Record<string, Typed>
}

const NUMBERS = ['debounce_ms', 'imap.port', 'smtp.port']
const LISTS = ['allow']

function fieldsOf(channel: Channel): string[] {
  return [...settingsOf(channel), 'debounce_ms', ...(hasGroups(channel) ? ['groups'] : [])]
}

function hasGroups({ kind }: Channel): boolean {
  return kind !== 'sms' && kind !== 'email'
}

function valuesOf(channel: Channel): Values {
  const { name, active } = channel
  const shownOf = (field: string) => {
    const value = isSecret(channel, field) ? '' : (settingAt(channel, field) ?? '')
    return Array.isArray(value) ? value.join(', ') : String(value)
  }
  return {
    name: name ?? '',
    active,
    settings: fieldsOf(channel).reduce<Values['settings']>(
      (all, field) => withValue(all, field.split('.'), shownOf(field)),
      {},
    ),
  }
}

function bodyOf({ name, active, settings }: Values, channel: Channel) {
  const changed = fieldsOf(channel).reduce<Record<string, unknown>>((all, field) => {
    const value = valueAt(settings, field.split('.'))
    if (isSecret(channel, field) && value === '') return all
    return withValue(all, field.split('.'), sentValue(field, value))
  }, {})
  return { name: name.trim() || null, active, settings: changed }
}

function sentValue(field: string, value: unknown): unknown {
  if (value === '' || value === null || value === undefined) return null
  if (NUMBERS.includes(field)) {
    const number = Number(value)
    // Send the typed text if it is not a number, so that the service refuses it. JSON would turn NaN into null.
    return Number.isFinite(number) ? number : value
  }
  return LISTS.includes(field)
    ? String(value)
        .split(/[\s,;]+/)
        .filter(Boolean)
    : value
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
    <SettingsForm form={form} refresh={[key('channels')]} save={save}>
      <TextInput label={t('channels.name')} {...form.getInputProps('name')} />
      {settingsOf(channel).map((field) => (
        <SettingInput
          key={field}
          field={field}
          stored={isSecret(channel, field) ? (settingAt(channel, field) as StoredSecret) : null}
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
      {hasGroups(channel) && (
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
  if (field === 'imap.security' || field === 'smtp.security')
    return (
      <NativeSelect
        label={label}
        data={(['', 'starttls', 'none'] as const).map((value) => ({
          value,
          label: t(`channels.security.${value || 'tls'}`),
        }))}
        {...inputProps}
        value={inputProps.value === 'tls' ? '' : inputProps.value}
      />
    )
  if (field === 'signature') return <Textarea label={label} autosize minRows={2} {...inputProps} />
  const hint = field === 'allow' || field === 'authserv_id' ? t(`channels.hints.${field}`) : undefined
  return <TextInput label={label} description={hint} {...inputProps} />
}
