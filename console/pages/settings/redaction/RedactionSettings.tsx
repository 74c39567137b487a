import { Button, Group, NumberInput, Select, Stack, Switch, TagsInput, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { useTranslation } from 'react-i18next'
import { useAgent, useRight } from '../../../api/session.ts'
import type { Agent } from '../../../api/types.ts'
import { AddButton } from '../../../ui/AddButton.tsx'
import { TrashIcon } from '../../../ui/icons.tsx'
import { SecretInput } from '../../../ui/SecretInput.tsx'
import { Section } from '../../../ui/Section.tsx'
import { SettingsForm } from '../../../ui/SettingsForm.tsx'
import { useSeededForm } from '../../../ui/use-seeded-form.ts'
import { SettingsArea } from '../SettingsArea.tsx'
import { useSaveSettings } from '../use-save-settings.ts'
import { RedactionTrial } from './RedactionTrial.tsx'

/** The settings of what counts as personal data, and when it is removed from the transcripts. */
export function RedactionSettings() {
  const { t } = useTranslation()
  const { id } = useAgent()
  return (
    <SettingsArea
      title={t('settings.areas.redaction')}
      lead={t('settings.redaction.lead')}
      form={RedactionForm}
    >
      {useRight('manage') ? <RedactionTrial key={id} /> : null}
    </SettingsArea>
  )
}

interface Values extends Record<string, unknown> {
  redaction_types: string[]
  redaction_style: Agent['redaction_style']
  redaction_files: Agent['redaction_files']
  redaction_patterns: { name: string; pattern: string }[]
  redaction_words: { deny: string[]; allow: string[] }
  redaction_care: Agent['redaction_care']
  retention: { mode: 'off' | 'scrub' | 'anonymize'; days: number | '' }
  hosted_redaction: boolean
  redaction: { url: string; api_key: string | null; language: string; threshold: number | '' }
}

function valuesOf(agent: Agent): Values {
  const { redaction, retention } = agent
  return {
    redaction_types: agent.redaction_types ?? [],
    redaction_style: agent.redaction_style,
    redaction_files: agent.redaction_files,
    redaction_patterns: agent.redaction_patterns,
    redaction_words: agent.redaction_words,
    redaction_care: agent.redaction_care,
    retention: { mode: retention?.mode ?? 'off', days: retention?.days ?? 90 },
    hosted_redaction: agent.hosted_redaction,
    redaction: {
      url: redaction.url ?? '',
      api_key: '',
      language: redaction.language,
      threshold: redaction.threshold ?? '',
    },
  }
}

function bodyOf({ redaction, retention, ...values }: Values) {
  return {
    redaction_types: values.redaction_types.length ? values.redaction_types : null,
    redaction_style: values.redaction_style,
    redaction_files: values.redaction_files,
    redaction_patterns: values.redaction_patterns,
    redaction_words: values.redaction_words,
    redaction_care: values.redaction_care,
    hosted_redaction: values.hosted_redaction,
    retention: retention.mode === 'off' ? null : { mode: retention.mode, days: Number(retention.days) },
    redaction: {
      url: redaction.url.trim() || null,
      language: redaction.language,
      threshold: redaction.threshold === '' ? null : redaction.threshold,
      ...(redaction.api_key === '' ? {} : { api_key: redaction.api_key }),
    },
  }
}

function RedactionForm({ agent }: { agent: Agent }) {
  const { t } = useTranslation()
  const { key } = useAgent()
  const { form, save } = useSeededForm(agent, { valuesOf, bodyOf, send: useSaveSettings() })
  const { mode } = form.values.retention
  return (
    <SettingsForm form={form} refresh={[key()]} save={save}>
      <Section title={t('settings.redaction.retention')} lead={t('settings.redaction.retentionLead')}>
        <Group align="flex-end" gap="sm">
          <Select
            label={t('settings.redaction.mode')}
            allowDeselect={false}
            data={(['off', 'anonymize', 'scrub'] as const).map((value) => ({
              value,
              label: t(`settings.redaction.modes.${value}`),
            }))}
            flex="1 1 240px"
            {...form.getInputProps('retention.mode')}
          />
          {mode === 'off' ? null : (
            <NumberInput
              label={t('settings.redaction.days')}
              min={1}
              max={36_500}
              allowDecimal={false}
              w={160}
              {...form.getInputProps('retention.days')}
            />
          )}
        </Group>
      </Section>
      <Section title={t('settings.redaction.found')} lead={t('settings.redaction.foundLead')}>
        <TagsInput
          label={t('settings.redaction.types')}
          description={t('settings.redaction.typesHint')}
          placeholder="EMAIL_ADDRESS"
          {...form.getInputProps('redaction_types')}
        />
        <Select
          label={t('settings.redaction.style')}
          allowDeselect={false}
          data={(['type', 'numbered'] as const).map((value) => ({
            value,
            label: t(`settings.redaction.styles.${value}`),
          }))}
          {...form.getInputProps('redaction_style')}
        />
        <Select
          label={t('settings.redaction.files')}
          description={t('settings.redaction.filesHint')}
          allowDeselect={false}
          data={(['delete', 'keep'] as const).map((value) => ({
            value,
            label: t(`settings.redaction.filesAre.${value}`),
          }))}
          {...form.getInputProps('redaction_files')}
        />
        <Select
          label={t('settings.redaction.care')}
          description={t('settings.redaction.careHint')}
          allowDeselect={false}
          data={(['strict', 'usual', 'thorough'] as const).map((value) => ({
            value,
            label: t(`settings.redaction.cares.${value}`),
          }))}
          {...form.getInputProps('redaction_care')}
        />
        <Patterns form={form} />
        {(['deny', 'allow'] as const).map((list) => (
          <TagsInput
            key={list}
            label={t(`settings.redaction.words.${list}`)}
            description={t(`settings.redaction.wordsHint.${list}`)}
            splitChars={[]}
            {...form.getInputProps(`redaction_words.${list}`)}
          />
        ))}
      </Section>
      <Section title={t('settings.redaction.hosted')} lead={t('settings.redaction.hostedLead')}>
        <Switch
          label={t('settings.redaction.hostedOn')}
          {...form.getInputProps('hosted_redaction', { type: 'checkbox' })}
        />
        <TextInput
          label={t('settings.redaction.url')}
          description={t('settings.redaction.urlHint')}
          {...form.getInputProps('redaction.url')}
        />
        <SecretInput
          label={t('settings.redaction.apiKey')}
          stored={agent.redaction.api_key}
          field="redaction.api_key"
          {...form.getInputProps('redaction.api_key')}
        />
        <Group gap="sm" align="flex-start">
          <TextInput
            label={t('settings.redaction.language')}
            w={160}
            {...form.getInputProps('redaction.language')}
          />
          <NumberInput
            label={t('settings.redaction.threshold')}
            min={0}
            max={1}
            step={0.05}
            w={160}
            {...form.getInputProps('redaction.threshold')}
          />
        </Group>
      </Section>
    </SettingsForm>
  )
}

/** The operator's own patterns, such as customer numbers. */
function Patterns({ form }: { form: UseFormReturnType<Values> }) {
  const { t } = useTranslation()
  const { redaction_patterns } = form.values
  return (
    <Stack gap="xs">
      {redaction_patterns.map((_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rows have no identity but their place
        <Group key={index} align="flex-end" gap="xs">
          <TextInput
            label={t('settings.redaction.patternName')}
            placeholder="CUSTOMER_NUMBER"
            flex="1 1 160px"
            {...form.getInputProps(`redaction_patterns.${index}.name`)}
          />
          <TextInput
            label={t('settings.redaction.pattern')}
            placeholder="\bC-\d{6}\b"
            flex="2 1 200px"
            ff="monospace"
            {...form.getInputProps(`redaction_patterns.${index}.pattern`)}
          />
          <Button
            variant="default"
            leftSection={<TrashIcon />}
            onClick={() => form.removeListItem('redaction_patterns', index)}
          >
            {t('common.remove')}
          </Button>
        </Group>
      ))}
      <AddButton onClick={() => form.insertListItem('redaction_patterns', { name: '', pattern: '' })}>
        {t('settings.redaction.addPattern')}
      </AddButton>
    </Stack>
  )
}
