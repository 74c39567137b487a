import { Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useAgent } from '../../../api/session.ts'
import type { Agent } from '../../../api/types.ts'
import { Section } from '../../../ui/Section.tsx'
import { SettingsForm } from '../../../ui/SettingsForm.tsx'
import { useSeededForm } from '../../../ui/use-seeded-form.ts'
import { SettingsArea } from '../SettingsArea.tsx'
import { useSaveSettings } from '../use-save-settings.ts'
import { HoursFields, type HoursValues } from './HoursFields.tsx'

/** The hours in which people look after the agent's conversations. */
export function HoursSettings() {
  const { t } = useTranslation()
  return <SettingsArea title={t('settings.areas.hours')} lead={t('settings.hours.lead')} form={HoursForm} />
}

function valuesOf({ hours }: Agent): HoursValues {
  return { hours }
}

function HoursForm({ agent }: { agent: Agent }) {
  const { t } = useTranslation()
  const { key } = useAgent()
  const { form, save } = useSeededForm(agent, {
    valuesOf,
    bodyOf: ({ hours }) => ({ hours }),
    send: useSaveSettings(),
  })
  return (
    <SettingsForm form={form} refresh={[key()]} save={save}>
      <HoursFields form={form} />
      {form.values.hours ? null : (
        <Section title={t('settings.hours.always')}>
          <Text c="dimmed">{t('settings.hours.alwaysText')}</Text>
        </Section>
      )}
    </SettingsForm>
  )
}
