import { Textarea } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useTranslation } from 'react-i18next'
import { useAgent, useRight } from '../../../api/session.ts'
import type { Agent } from '../../../api/types.ts'
import { Loaded } from '../../../ui/Loaded.tsx'
import { Page } from '../../../ui/Page.tsx'
import { Section } from '../../../ui/Section.tsx'
import { SettingsForm } from '../../../ui/SettingsForm.tsx'
import { useSaveSettings, useSettings } from '../use-settings.ts'

const names = ['greeting', 'pause_message', 'resume_message', 'unsupported_message'] as const

/** What the agent says on its own account. */
export function MessageSettings() {
  const { t } = useTranslation()
  const { id } = useAgent()
  return (
    <Page title={t('settings.areas.messages')} lead={t('settings.messages.lead')} narrow>
      <Loaded query={useSettings()}>{(agent) => <MessagesForm key={id} agent={agent} />}</Loaded>
    </Page>
  )
}

type Values = Record<(typeof names)[number], string>

function valuesOf(agent: Agent): Values {
  return Object.fromEntries(names.map((name) => [name, agent[name] ?? ''])) as Values
}

function MessagesForm({ agent }: { agent: Agent }) {
  const { t } = useTranslation()
  const { key } = useAgent()
  const store = useSaveSettings()
  const form = useForm({ initialValues: valuesOf(agent) })
  const save = async (values: Values) =>
    valuesOf(await store(Object.fromEntries(names.map((name) => [name, values[name].trim() || null]))))
  return (
    <SettingsForm form={form} isReadOnly={!useRight('manage')} refresh={[key()]} save={save}>
      <Section title={t('settings.messages.texts')}>
        {names.map((name) => (
          <Textarea
            key={name}
            label={t(`settings.messages.${name}`)}
            description={t(`settings.messages.${name}_hint`)}
            autosize
            minRows={2}
            {...form.getInputProps(name)}
          />
        ))}
      </Section>
    </SettingsForm>
  )
}
