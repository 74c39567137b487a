import { Stack, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useAgent } from '../../api/session.ts'
import { UserRows } from '../users/UserRows.tsx'

const MOST = 5

/** The people whose id, name or attributes contain the words. */
export function FoundUsers({ q }: { q: string }) {
  const { t } = useTranslation()
  const { api, key } = useAgent()
  const found = useQuery({
    queryKey: key('users', 'found', q),
    queryFn: async ({ signal }) => (await api.get('/users', { q, per_page: MOST }, signal)).data,
    staleTime: 60_000,
  })
  if (!found.data?.length) return null
  return (
    <Stack gap="xs" component="section">
      <Title order={2}>{t('pages.users')}</Title>
      <UserRows users={found.data} />
    </Stack>
  )
}
