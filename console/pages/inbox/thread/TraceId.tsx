import { Button, Group, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useAgent } from '../../../api/session.ts'
import { useCopy } from '../../../ui/use-copy.ts'

/** The trace id of an answer, to look up in logs and tracing tools. */
export function TraceId({ completionId }: { completionId: string }) {
  const { t } = useTranslation()
  const { api, key } = useAgent()
  const { data } = useQuery({
    queryKey: key('trace', completionId),
    queryFn: async () => (await api.get(`/chat/completions/${completionId}/trace`)).data,
    staleTime: Number.POSITIVE_INFINITY,
  })
  const id = data?.trace_id
  const { isCopied, copy } = useCopy(id ?? '')
  if (!id) return null
  return (
    <Group gap="xs" wrap="nowrap">
      <Text size="secondary" c="dimmed" className="foreign">
        {t('inbox.trace')} <code>{id}</code>
      </Text>
      <Button
        variant="default"
        size="compact-xs"
        flex="none"
        onClick={copy}
        aria-label={`${t('common.copy')}: ${t('inbox.trace')}`}
      >
        {isCopied ? t('common.copied') : t('common.copy')}
      </Button>
    </Group>
  )
}
