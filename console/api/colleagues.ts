import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useAgent } from './session.ts'
import type { Colleague } from './types.ts'

/** Returns the active people of the team, to whom a conversation can be given. */
export function useColleagues(): readonly Colleague[] {
  const { api } = useAgent()
  const colleagues = useQuery({
    queryKey: ['colleagues'],
    queryFn: async () => (await api.get('/colleagues')).data,
    staleTime: 60_000,
    refetchOnWindowFocus: false,
  })
  return colleagues.data ?? []
}

/** Returns everybody in the team. The names of disabled people say so. */
export function useEverybody(): readonly Colleague[] {
  const { t } = useTranslation()
  const { api } = useAgent()
  const everybody = useQuery({
    queryKey: ['colleagues', 'all'],
    queryFn: async () => (await api.get('/colleagues', { disabled: 'true' })).data,
    select: (all) =>
      all.map((one) => (one.active ? one : { ...one, name: t('inbox.disabledPerson', { name: one.name }) })),
    staleTime: 60_000,
    refetchOnWindowFocus: false,
  })
  return everybody.data ?? []
}
