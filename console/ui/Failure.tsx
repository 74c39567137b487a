import { Alert, Button, Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useRefusalText } from './refusal-text.ts'

interface FailureProps {
  error: unknown
  onRetry?: (() => void) | undefined
}

/** An error, and what can be done about it. */
export function Failure({ error, onRetry }: FailureProps) {
  const { t } = useTranslation()
  const textOf = useRefusalText()
  return (
    <Alert
      role="alert"
      variant="outline"
      color="red"
      title={t('failure.title')}
      bg="var(--parley-raised)"
      styles={{ body: { minWidth: 0 }, label: { whiteSpace: 'normal' } }}
    >
      <Stack gap="xs" align="flex-start">
        <Text>{textOf(error)}</Text>
        {onRetry ? (
          <Button
            variant="default"
            onClick={onRetry}
            h="auto"
            mih="var(--button-height)"
            maw="100%"
            styles={{ label: { whiteSpace: 'normal', lineHeight: 'var(--mantine-line-height-md)' } }}
          >
            {t('failure.retry')}
          </Button>
        ) : null}
      </Stack>
    </Alert>
  )
}
