import { Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useAgent, useRight } from '../../../api/session.ts'
import type { Agent } from '../../../api/types.ts'
import { Loaded } from '../../../ui/Loaded.tsx'
import { Page } from '../../../ui/Page.tsx'
import { Section } from '../../../ui/Section.tsx'
import { SettingsForm } from '../../../ui/SettingsForm.tsx'
import { useSeededForm } from '../../../ui/use-seeded-form.ts'
import { useSaveSettings, useSettings } from '../use-settings.ts'
import { HoursFields, type HoursValues } from './HoursFields.tsx'

/** The hours in which people look after the agent's conversations. */
export function HoursSettings() {
  const { t } = useTranslation()
  const { id } = useAgent()
  return (
    <Page title={t('settings.areas.hours')} lead={t('settings.hours.lead')} narrow>
      <Loaded query={useSettings()}>{(agent) => <HoursForm key={id} agent={agent} />}</Loaded>
    </Page>
  )
}

function valuesOf({ hours }: Agent): HoursValues {
  return { hours }
}

function HoursForm({ agent }: { agent: Agent }) {
  const { t } = useTranslation()
  const { key } = useAgent()
  const { form, save } = useSeededForm(agent, {
    valuesOf,
    bodyOf: (values) => values,
    send: useSaveSettings(),
  })
  return (
    <SettingsForm form={form} isReadOnly={!useRight('manage')} refresh={[key()]} save={save}>
      <HoursFields form={form} />
      {form.values.hours ? null : (
        <Section title={t('settings.hours.always')}>
          <Text c="dimmed">{t('settings.hours.alwaysText')}</Text>
        </Section>
      )}
    </SettingsForm>
  )
}
