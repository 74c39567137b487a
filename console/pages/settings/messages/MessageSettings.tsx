import { Stack, Text, Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useAgent } from '../../../api/session.ts'
import type { Agent } from '../../../api/types.ts'
import { ByLanguage } from '../../../ui/ByLanguage.tsx'
import { Section } from '../../../ui/Section.tsx'
import { SettingsForm } from '../../../ui/SettingsForm.tsx'
import { useSeededForm } from '../../../ui/use-seeded-form.ts'
import { SettingsArea } from '../SettingsArea.tsx'
import { useSaveSettings } from '../use-save-settings.ts'
import { VariableList } from '../VariableList.tsx'
import { bodyOf, messages, noTexts, sentences, valuesOf } from './message-values.ts'

/** The messages that the agent sends by itself. */
export function MessageSettings() {
  const { t } = useTranslation()
  return (
    <SettingsArea
      title={t('settings.areas.messages')}
      lead={t('settings.messages.lead')}
      form={MessagesForm}
    />
  )
}

function MessagesForm({ agent }: { agent: Agent }) {
  const { t } = useTranslation()
  const { key } = useAgent()
  const { form, save } = useSeededForm(agent, { valuesOf, bodyOf, send: useSaveSettings() })
  const { texts } = form.values
  const [language, setLanguage] = useState(Object.keys(texts)[0] ?? '')
  return (
    <SettingsForm form={form} refresh={[key()]} save={save}>
      <Section title={t('settings.messages.texts')}>
        {messages.map((name) => (
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
      <Section title={t('settings.messages.byLanguage')} lead={t('settings.messages.byLanguageLead')}>
        <ByLanguage
          languages={Object.keys(texts)}
          language={language}
          onLanguage={setLanguage}
          onAdd={(added) => form.setFieldValue('texts', { ...texts, [added]: noTexts })}
          onRemove={(gone) => {
            const { [gone]: _, ...rest } = texts
            form.setFieldValue('texts', rest)
          }}
          empty={<Text c="dimmed">{t('settings.messages.noLanguage')}</Text>}
        >
          <Stack gap="sm">
            {messages.map((name) => (
              <Textarea
                key={name}
                label={t(`settings.messages.${name}`)}
                autosize
                minRows={2}
                {...form.getInputProps(`texts.${language}.${name}`)}
              />
            ))}
            <Text c="dimmed" size="sm">
              {t('settings.messages.sentences')}
            </Text>
            {sentences.map((name) => (
              <TextInput
                key={name}
                label={t(`settings.messages.${name}`)}
                {...form.getInputProps(`texts.${language}.${name}`)}
              />
            ))}
          </Stack>
        </ByLanguage>
      </Section>
      <VariableList />
    </SettingsForm>
  )
}
