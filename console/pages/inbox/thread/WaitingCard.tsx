import { Box, Group, Paper, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useAgent } from '../../../api/session.ts'
import { ClockIcon } from '../../../ui/icons.tsx'
import { Time } from '../../../ui/Time.tsx'
import { Evaluations, Sources } from './AnswerDetails.tsx'
import { type Happening, whoOf, whyOf } from './HappeningLine.tsx'

interface WaitingCardProps {
  line: Happening
  conversationId: string
}

/** Facts for a person before they take over: why and since when it waits, and what the agent tried in that turn. */
export function WaitingCard({ line, conversationId }: WaitingCardProps) {
  const { t } = useTranslation()
  const { api, key } = useAgent()
  const turn = useQuery({
    queryKey: key('conversation', conversationId, 'handed-over', line.cursor),
    queryFn: async () => {
      const query = { conversation_id: conversationId, max_timestamp: line.at, per_page: 1 }
      const [completion] = (await api.get('/chat/completions', query)).data
      const around = { order: 'asc', cursor: line.cursor, per_page: 20 }
      const before = { order: 'desc', cursor: line.cursor, per_page: 20 }
      const path = `/conversations/${conversationId}/timeline` as const
      const lines = (await Promise.all([api.get(path, around), api.get(path, before)])).flatMap(
        ({ data }) => data,
      )
      const rules = lines.filter(
        (other): other is Happening =>
          (other.type === 'rule_fired' || other.type === 'rule_failed' || other.type === 'failed') &&
          other.completion_id === (completion?.id ?? null),
      )
      return { completion: completion ?? null, rules }
    },
    staleTime: 60_000,
  })
  const { completion = null, rules = [] } = turn.data ?? {}
  return (
    <Paper
      withBorder
      p="sm"
      mb="md"
      className="waiting-card foreign"
      component="section"
      aria-label={t('inbox.happenings.waiting')}
    >
      <Stack gap="xs">
        <Group gap="xs" wrap="nowrap" align="flex-start" c="var(--parley-amber)">
          <Box component="span" flex="none" mt={2} lh={0}>
            <ClockIcon size={16} />
          </Box>
          <div>
            <Text fw={600}>
              {t('inbox.happenings.waiting')} · {whyOf(line, t)}
            </Text>
            <Text size="secondary">
              <Time at={line.at} />
            </Text>
          </div>
        </Group>
        {completion ? (
          <>
            <Text size="secondary" fw={500}>
              {t('inbox.agentTried')}
            </Text>
            <Sources citations={completion.citations} wanted={null} />
            <Evaluations completion={completion} />
          </>
        ) : null}
        {rules.map((rule) => (
          <Text size="secondary" key={rule.cursor}>
            {t(`inbox.happenings.${rule.type}`, { who: whoOf(rule, t) })}
            {whyOf(rule, t) === '' ? '' : ` (${whyOf(rule, t)})`}
          </Text>
        ))}
      </Stack>
    </Paper>
  )
}
