import { JsonInput, NativeSelect, NumberInput, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useAgent, useRight } from '../../../api/session.ts'
import type { Agent } from '../../../api/types.ts'
import { markField } from '../../../ui/mark-field.ts'
import { SecretInput } from '../../../ui/SecretInput.tsx'
import { Section } from '../../../ui/Section.tsx'
import { SettingsForm } from '../../../ui/SettingsForm.tsx'
import { useSeededForm } from '../../../ui/use-seeded-form.ts'
import { SettingsArea } from '../SettingsArea.tsx'
import { useSaveSettings } from '../use-save-settings.ts'
import { CostFields } from './CostFields.tsx'
import { FallbackFields } from './FallbackFields.tsx'
import { MaskFields } from './MaskFields.tsx'
import { ModelTrial } from './ModelTrial.tsx'
import { bodyOf, type ModelValues, valuesOf } from './model-values.ts'
import { ServerFields } from './ServerFields.tsx'

/**
 * The model that answers, and the one that embeds. Without the first, the built-in answerer answers from the knowledge;
 * without the second, the knowledge is searched by words.
 */
export function ModelSettings() {
  const { t } = useTranslation()
  return <SettingsArea title={t('settings.areas.model')} lead={t('settings.model.lead')} form={ModelForm} />
}

function ModelForm({ agent }: { agent: Agent }) {
  const { t } = useTranslation()
  const { key } = useAgent()
  const send = useSaveSettings()
  const mayManage = useRight('manage')
  const repeatedModel = (model: string, { prices }: ModelValues) =>
    model.trim() !== '' && prices.filter((other) => other.model.trim() === model.trim()).length > 1
      ? t('settings.model.namedTwice')
      : null
  const missingPrice = (price: number | '', { prices }: ModelValues, path: string) =>
    price === '' && prices[Number(path.split('.')[1])]?.model.trim() ? t('settings.model.noPrice') : null
  const { form, save } = useSeededForm(agent, {
    valuesOf,
    bodyOf,
    send,
    validate: {
      model: { parameters: (text) => (isJsonObject(text) ? null : t('settings.model.notJson')) },
      prices: { model: repeatedModel, input: missingPrice, output: missingPrice },
    },
  })
  return (
    <SettingsForm form={form} refresh={[key()]} save={save}>
      <Section title={t('settings.model.server')} lead={t('settings.model.serverLead')}>
        <ServerFields form={form} at="model" kind={form.values.model.kind} />
        <SecretInput
          label={t('settings.model.apiKey')}
          stored={agent.model.api_key}
          field="model.api_key"
          {...form.getInputProps('model.api_key')}
        />
        {mayManage ? (
          <ModelTrial model={form.values.model} onRefused={(error) => markField(form, error, 'model')} />
        ) : null}
      </Section>
      <Section title={t('settings.model.fallbacks')} lead={t('settings.model.fallbacksLead')}>
        <FallbackFields form={form} stored={agent.model.fallbacks} />
      </Section>
      <Section title={t('settings.model.calls')}>
        <JsonInput
          label={t('settings.model.parameters')}
          description={t('settings.model.parametersHint')}
          placeholder={'{\n  "temperature": 0.2\n}'}
          autosize
          minRows={3}
          formatOnBlur
          {...form.getInputProps('model.parameters')}
        />
        <NativeSelect
          label={t('settings.model.images')}
          description={t('settings.model.imagesHint')}
          data={(['auto', 'on', 'off'] as const).map((value) => ({
            value,
            label: t(`settings.model.imagesAre.${value}`),
          }))}
          {...form.getInputProps('model.images')}
        />
        <NumberInput
          label={t('settings.model.timeout')}
          description={t('settings.model.timeoutHint')}
          min={1}
          max={600}
          {...form.getInputProps('model.timeout_ms')}
        />
      </Section>
      <Section title={t('settings.model.mask')} lead={t('settings.model.maskLead')}>
        <MaskFields form={form} />
      </Section>
      <Section title={t('settings.model.cost')} lead={t('settings.model.costLead')}>
        <CostFields form={form} />
      </Section>
      {(['embedding', 'transcription'] as const).map((server) => (
        <Section key={server} title={t(`settings.model.${server}`)} lead={t(`settings.model.${server}Lead`)}>
          <TextInput
            label={t('settings.model.url')}
            description={t(`settings.model.${server}UrlHint`)}
            placeholder="https://api.openai.com/v1"
            {...form.getInputProps(`${server}.url`)}
          />
          <TextInput label={t('settings.model.name')} {...form.getInputProps(`${server}.name`)} />
          <SecretInput
            label={t('settings.model.apiKey')}
            stored={agent[server].api_key}
            field={`${server}.api_key`}
            {...form.getInputProps(`${server}.api_key`)}
          />
        </Section>
      ))}
    </SettingsForm>
  )
}

function isJsonObject(text: string): boolean {
  if (text.trim() === '') return true
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
  } catch {
    return false
  }
}
