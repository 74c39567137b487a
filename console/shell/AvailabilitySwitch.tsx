import { Switch } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { teamApi } from '../api/client.ts'
import { useRight } from '../api/session.ts'
import { useAction } from '../ui/use-action.ts'

/** The switch by which the signed-in person is given conversations of their groups, or none. */
export function AvailabilitySwitch() {
  const { t } = useTranslation()
  const mayRespond = useRight('respond')
  const { data } = useQuery({
    queryKey: ['availability'],
    queryFn: async () => (await teamApi.get('/availability')).data,
    enabled: mayRespond,
    staleTime: 60_000,
  })
  const changing = useAction({
    run: (available: boolean) => teamApi.put('/availability', { available }),
    refresh: [['availability']],
  })
  // People in no group are not given conversations.
  if (!data || data.groups === 0) return null
  return (
    <Switch
      label={t('shell.available')}
      checked={changing.isPending ? changing.variables : data.available}
      onChange={(event) => changing.mutate(event.currentTarget.checked)}
      px="xs"
      py={6}
    />
  )
}
