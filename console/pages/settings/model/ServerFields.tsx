import { Group, NativeSelect, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { useTranslation } from 'react-i18next'
import { type ModelKind, modelKinds } from '../../../../src/lib/model-kinds.ts'
import type { ModelValues } from './model-values.ts'

/** An address of each kind, for example. */
const EXAMPLES: Record<ModelKind, string> = {
  openai: 'https://api.openai.com/v1',
  anthropic: 'https://api.anthropic.com',
  gemini: 'https://generativelanguage.googleapis.com',
  azure: 'https://NAME.openai.azure.com',
}

interface ServerFieldsProps {
  form: UseFormReturnType<ModelValues>
  /** The path of the server in the form's values. */
  at: 'model' | `model.fallbacks.${number}`
  kind: ModelKind
}

/** The kind, address and model of a model server. */
export function ServerFields({ form, at, kind }: ServerFieldsProps) {
  const { t } = useTranslation()
  return (
    <>
      <Group gap="xs" align="flex-start" wrap="wrap">
        <NativeSelect
          label={t('settings.model.kind')}
          flex="1 1 160px"
          data={modelKinds.map((value) => ({ value, label: t(`settings.model.kinds.${value}`) }))}
          {...form.getInputProps(`${at}.kind`)}
        />
        <TextInput
          label={t('settings.model.url')}
          description={t(`settings.model.urlHints.${kind}`)}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          placeholder={EXAMPLES[kind]}
          flex="2 1 260px"
          {...form.getInputProps(`${at}.url`)}
        />
      </Group>
      <TextInput
        label={t(kind === 'azure' ? 'settings.model.deployment' : 'settings.model.name')}
        {...form.getInputProps(`${at}.name`)}
      />
    </>
  )
}
