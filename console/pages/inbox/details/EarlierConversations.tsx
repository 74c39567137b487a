import { Anchor, Button, Stack, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useAgent } from '../../../api/session.ts'
import { useList } from '../../../api/use-list.ts'
import { exactTime } from '../../../ui/Time.tsx'
import { Fact } from './Fact.tsx'

/** The end user's conversations before this one, the latest first. */
export function EarlierConversations({ conversationId }: { conversationId: string }) {
  const { t, i18n } = useTranslation()
  const { id: agentId, api, key } = useAgent()
  const earlier = useList(key('earlier', conversationId), api, `/conversations/${conversationId}/earlier`, {
    per_page: 10,
  })
  const { items = [], total = 0, isCapped = false } = earlier.data ?? {}
  if (items.length === 0) return null
  return (
    <Fact name={t(isCapped ? 'inbox.manyEarlier' : 'inbox.earlierConversations', { count: total })}>
      <Stack gap={4} component="ul" className="earlier">
        {items.map(({ id, started_at, ended_at }) => (
          <li key={id}>
            <Anchor
              size="secondary"
              renderRoot={(props) => (
                <Link
                  to="/agents/$agentId/inbox/$conversationId"
                  params={{ agentId: String(agentId), conversationId: id }}
                  search={true}
                  {...props}
                />
              )}
            >
              {exactTime(started_at, i18n.language)}
            </Anchor>
            {ended_at ? (
              <Text component="span" size="xs" c="dimmed">
                {' '}
                {t('inbox.hasEnded')}
              </Text>
            ) : null}
          </li>
        ))}
      </Stack>
      {earlier.hasNextPage ? (
        <Button
          variant="subtle"
          size="compact-xs"
          px={0}
          loading={earlier.isFetchingNextPage}
          onClick={() => void earlier.fetchNextPage()}
        >
          {t('common.more')}
        </Button>
      ) : null}
    </Fact>
  )
}
