import { Group, SegmentedControl, Stack, Text, TextInput, Title } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useAgent } from '../../api/session.ts'
import { Empty } from '../../ui/Empty.tsx'
import { SearchIcon } from '../../ui/icons.tsx'
import { Loaded } from '../../ui/Loaded.tsx'
import { NextPage } from '../../ui/NextPage.tsx'
import { Page } from '../../ui/Page.tsx'
import { Row, Rows } from '../../ui/Rows.tsx'
import { Time } from '../../ui/Time.tsx'
import { useTyped } from '../../ui/use-typed.ts'
import { useUserName } from '../../ui/user-name.ts'
import { FoundUsers } from './FoundUsers.tsx'
import { Hit } from './Hit.tsx'
import { userOf } from './user-of.ts'

const kinds = ['messages', 'notes'] as const

/** Finds messages and notes, and conversations and people by name. The address holds the search. */
export function SearchPage() {
  const { t } = useTranslation()
  const { id } = useAgent()
  const navigate = useNavigate()
  const { q = '', in: kind = 'messages' } = useSearch({ strict: false }) as SearchOf
  const show = (search: SearchOf) =>
    void navigate({
      to: '/agents/$agentId/search',
      params: { agentId: String(id) },
      search: { ...(search.q ? { q: search.q } : {}), ...(search.in === 'notes' ? { in: 'notes' } : {}) },
      replace: true,
    })
  const typed = useTyped(q, (text) => show({ q: text, in: kind }))
  return (
    <Page title={t('pages.search')} lead={t('search.lead')} narrow>
      <Stack gap="sm" role="search" aria-label={t('pages.search')}>
        <TextInput
          aria-label={t('search.words')}
          placeholder={t('search.words')}
          leftSection={<SearchIcon />}
          autoFocus
          autoComplete="off"
          {...typed}
        />
        <SegmentedControl
          aria-label={t('search.in')}
          w="fit-content"
          value={kind}
          onChange={(value) => show({ q, in: value as typeof kind })}
          data={kinds.map((value) => ({ value, label: t(`search.kinds.${value}`) }))}
        />
      </Stack>
      {q === '' ? (
        <Empty icon={SearchIcon} title={t('search.begin')} text={t('search.beginText')} />
      ) : (
        <Results q={q} kind={kind} />
      )}
    </Page>
  )
}

interface SearchOf {
  q?: string
  in?: (typeof kinds)[number]
}

function Results({ q, kind }: { q: string; kind: (typeof kinds)[number] }) {
  const { t } = useTranslation()
  const userName = useUserName()
  const { id, api, key } = useAgent()
  const found = useInfiniteQuery({
    queryKey: key('search', kind, q),
    queryFn: ({ pageParam, signal }) =>
      api.get('/search', { q, in: kind, per_page: 20, cursor: pageParam }, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => last.next_cursor ?? undefined,
    // Going back from a hit shows the same results.
    staleTime: 60_000,
  })
  return (
    <Loaded query={found}>
      {({ pages }) => {
        const hits = pages.flatMap(({ data }) => data)
        const conversations = pages[0]?.conversations ?? []
        const { total = 0, total_capped } = pages[0] ?? {}
        return (
          <Stack gap="lg">
            <FoundUsers q={q} />
            {conversations.length > 0 ? (
              <Stack gap="xs" component="section">
                <Title order={2}>{t('search.conversations')}</Title>
                <Rows label={t('search.conversations')}>
                  {conversations.map((one) => (
                    <Row
                      key={one.id}
                      title={one.user_id ? userName(userOf(one)) : (one.external_id ?? one.id)}
                      link={{
                        to: '/agents/$agentId/inbox/$conversationId',
                        params: { agentId: String(id), conversationId: one.id },
                      }}
                      about={
                        <Group gap="xs">
                          <Time at={one.started_at} />
                          <span>{one.external_id ?? one.id}</span>
                        </Group>
                      }
                    />
                  ))}
                </Rows>
              </Stack>
            ) : null}
            <Stack gap="xs" component="section">
              <Title order={2}>{t(`search.kinds.${kind}`)}</Title>
              <Text c="dimmed" size="secondary" role="status" className="numbers">
                {t(total_capped ? 'search.atLeast' : 'search.found', { count: total })}
              </Text>
              {hits.length > 0 ? (
                <Rows label={t(`search.kinds.${kind}`)}>
                  {hits.map((hit) => (
                    <Hit key={`${hit.kind} ${hit.id}`} hit={hit} />
                  ))}
                </Rows>
              ) : null}
              <NextPage query={found} />
            </Stack>
          </Stack>
        )
      }}
    </Loaded>
  )
}
