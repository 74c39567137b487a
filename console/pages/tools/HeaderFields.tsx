import { Button, Group, PasswordInput, Stack, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { useTranslation } from 'react-i18next'
import type { Tool } from '../../api/types.ts'
import { PlusIcon } from '../../ui/icons.tsx'
import { SecretInput } from '../../ui/SecretInput.tsx'
import type { ToolValues } from './tool-values.ts'

interface HeaderFieldsProps {
  form: UseFormReturnType<ToolValues>
  stored: Tool['headers']
}

/** Headers of a tool's calls. Their values are stored sealed and never shown. */
export function HeaderFields({ form, stored }: HeaderFieldsProps) {
  const { t } = useTranslation()
  const known = Object.entries(stored).filter(([name]) => name in form.values.stored)
  return (
    <Stack gap="sm">
      {known.map(([name, secret]) => (
        <SecretInput
          key={name}
          label={name}
          stored={secret}
          value={form.values.stored[name] ?? null}
          field={`stored.${name}`}
          onChange={(value) => form.setFieldValue('stored', { ...form.values.stored, [name]: value })}
        />
      ))}
      {form.values.added.map((_, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: fields have no other identity
        <Group key={at} gap="xs" align="flex-end">
          <TextInput
            label={t('tools.headerName')}
            placeholder="authorization"
            flex="1 1 160px"
            {...form.getInputProps(`added.${at}.name`)}
          />
          <PasswordInput
            label={t('tools.headerValue')}
            flex="2 1 240px"
            autoComplete="off"
            visibilityToggleButtonProps={{ 'aria-label': t('common.showSecret') }}
            {...form.getInputProps(`added.${at}.value`)}
          />
        </Group>
      ))}
      <Group>
        <Button
          variant="default"
          leftSection={<PlusIcon />}
          onClick={() => form.insertListItem('added', { name: '', value: '' })}
        >
          {t('tools.addHeader')}
        </Button>
      </Group>
    </Stack>
  )
}
