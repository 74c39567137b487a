import { Button, Group, Text } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { useAgent, useRight } from '../../../api/session.ts'
import { useActions } from '../../../ui/page-actions.ts'
import { Time } from '../../../ui/Time.tsx'
import { useFailureText } from '../copilot/use-failure-text.ts'
import { MessageText } from './MessageText.tsx'

/** The summary of a conversation for a person who takes it over. One that is outdated is written anew at opening. */
export function HandoffSummary({ conversationId }: { conversationId: string }) {
  const { t, i18n } = useTranslation()
  const { api, key } = useAgent()
  const queries = useQueryClient()
  const failureText = useFailureText()
  const mayRespond = useRight('respond')
  const queryKey = key('conversation', conversationId, 'summary')
  const { data } = useQuery({
    queryKey,
    queryFn: async () => (await api.get(`/conversations/${conversationId}/summary`)).data,
  })
  const writing = useMutation({
    mutationFn: () => api.post(`/conversations/${conversationId}/summarize`, { language: i18n.language }),
    onSuccess: ({ data }) => queries.setQueryData(queryKey, data),
  })
  const wasOpened = useRef(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once, with the first summary that is read
  useEffect(() => {
    if (!data || wasOpened.current) return
    wasOpened.current = true
    if (data.is_outdated && mayRespond) writing.mutate()
  }, [data])
  const canWrite = mayRespond && data !== undefined && (data.text === null || data.is_outdated)
  const write = () => {
    if (!writing.isPending) writing.mutate()
  }
  useActions(canWrite ? [{ id: 'summarize', label: t('copilot.summarize'), run: write }] : [])
  if (!data || (data.text === null && !mayRespond)) return null
  return (
    <section className="handoff-summary" aria-label={t('copilot.summary')}>
      {data.text === null ? null : (
        <details open>
          <summary>
            <Text component="span" size="secondary" fw={600}>
              {t('copilot.summary')}
            </Text>{' '}
            <Text component="span" size="xs" c="dimmed">
              {data.written_at ? <Time at={data.written_at} /> : null}
              {data.is_outdated ? ` · ${t('copilot.outdated')}` : null}
            </Text>
          </summary>
          <div className="foreign" dir="auto">
            <MessageText text={data.text} />
          </div>
        </details>
      )}
      {canWrite ? (
        <Group gap="xs">
          <Button variant="default" size="compact-sm" loading={writing.isPending} onClick={write}>
            {t(data.text === null ? 'copilot.summarize' : 'copilot.update')}
          </Button>
        </Group>
      ) : null}
      {writing.error ? (
        <Text role="alert" size="secondary" c="var(--parley-red)">
          {failureText(writing.error)}
        </Text>
      ) : null}
    </section>
  )
}
