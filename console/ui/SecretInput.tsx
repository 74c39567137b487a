import { Box, Button, Group, PasswordInput, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { StoredSecret } from '../../src/http/stored-secret.ts'
import { CopyText } from './CopyText.tsx'

interface SecretInputProps {
  label: string
  description?: string
  stored: StoredSecret
  /** An empty text keeps the secret, null removes it. */
  value?: string | null
  error?: unknown
  field: string
  /** Makes a new secret, which is shown until it is stored; absent if it comes from elsewhere. */
  make?: () => string
  onChange: (value: string | null) => void
}

/** A secret that is stored and never shown: it can be replaced or removed. */
export function SecretInput(props: SecretInputProps) {
  const { label, description, stored, value, error, field, make, onChange } = props
  const { t } = useTranslation()
  const [made, setMade] = useState<string | null>(null)
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
      {make ? (
        <Button
          variant="default"
          onClick={() => {
            const secret = make()
            setMade(secret)
            onChange(secret)
          }}
        >
          {t('secret.make')}
        </Button>
      ) : null}
      {stored.set ? (
        <Button variant="default" onClick={() => onChange(null)}>
          {t('secret.remove')}
        </Button>
      ) : null}
      {made !== null && made === value ? (
        <Box flex="1 0 100%">
          <CopyText label={t('secret.made')} value={made} />
        </Box>
      ) : null}
    </Group>
  )
}
