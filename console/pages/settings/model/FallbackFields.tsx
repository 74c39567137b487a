import { Button, Group, Stack } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { useTranslation } from 'react-i18next'
import { newId } from '../../../../browser/new-id.ts'
import type { Agent } from '../../../api/types.ts'
import { AddButton } from '../../../ui/AddButton.tsx'
import { SecretInput } from '../../../ui/SecretInput.tsx'
import type { ModelValues } from './model-values.ts'
import { ServerFields } from './ServerFields.tsx'

interface FallbackFieldsProps {
  form: UseFormReturnType<ModelValues>
  stored: Agent['model']['fallbacks']
}

const MOST = 5

/** The servers that are asked, in order, when the model's own fails. */
export function FallbackFields({ form, stored }: FallbackFieldsProps) {
  const { t } = useTranslation()
  const { fallbacks } = form.values.model
  return (
    <Stack gap="lg">
      {fallbacks.map((fallback, at) => (
        <Stack
          key={fallback.key}
          gap="xs"
          role="group"
          aria-label={t('settings.model.fallback', { number: at + 1 })}
        >
          <ServerFields form={form} at={`model.fallbacks.${at}`} kind={fallback.kind} />
          <SecretInput
            label={t('settings.model.apiKey')}
            stored={stored[fallback.stored ?? -1]?.api_key ?? { set: false, last_four: null }}
            field={`model.fallbacks.${at}.api_key`}
            {...form.getInputProps(`model.fallbacks.${at}.api_key`)}
          />
          <Group gap="xs">
            {at > 0 ? (
              <Button
                variant="subtle"
                onClick={() => form.reorderListItem('model.fallbacks', { from: at, to: at - 1 })}
              >
                {t('settings.model.earlier')}
              </Button>
            ) : null}
            <Button variant="subtle" onClick={() => form.removeListItem('model.fallbacks', at)}>
              {t('common.remove')}
            </Button>
          </Group>
        </Stack>
      ))}
      {fallbacks.length < MOST ? (
        <AddButton
          onClick={() =>
            form.insertListItem('model.fallbacks', {
              key: newId(),
              stored: null,
              kind: 'openai',
              url: '',
              name: '',
              api_key: '',
            })
          }
        >
          {t('settings.model.addFallback')}
        </AddButton>
      ) : null}
    </Stack>
  )
}
