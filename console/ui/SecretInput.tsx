import { Button, Group, PasswordInput, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { StoredSecret } from '../../src/http/stored-secret.ts'

interface SecretInputProps {
  label: string
  description?: string
  stored: StoredSecret
  /** Empty: it stays as it is; null: it is taken away. */
  value?: string | null
  error?: unknown
  field: string
  onChange: (value: string | null) => void
}

/** A secret that is stored and never shown: it can be replaced or taken away. */
export function SecretInput({ label, description, stored, value, error, field, onChange }: SecretInputProps) {
  const { t } = useTranslation()
  if (value === null)
    return (
      <Group gap="xs">
        <Text>{t('secret.removed', { label })}</Text>
        <Button variant="subtle" onClick={() => onChange('')}>
          {t('common.undo')}
        </Button>
      </Group>
    )
  const hint = stored.set ? t('secret.set', { end: stored.last_four ?? '' }) : t('secret.notSet')
  return (
    <Group align="flex-end" gap="xs" wrap="wrap">
      <PasswordInput
        flex="1 1 240px"
        label={label}
        description={description ? `${description} ${hint}` : hint}
        value={value}
        error={error as string}
        data-path={field}
        autoComplete="off"
        visibilityToggleButtonProps={{ 'aria-label': t('common.showSecret') }}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
      {stored.set ? (
        <Button variant="default" onClick={() => onChange(null)}>
          {t('secret.remove')}
        </Button>
      ) : null}
    </Group>
  )
}
