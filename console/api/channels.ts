import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useAgent } from './session.ts'
import type { Channel } from './types.ts'

/** A channel, and what it is called in a choice: by its name, otherwise by its platform. */
export interface NamedChannel extends Channel {
  label: string
}

/** Reads the agent's channels, among which people choose. */
export function useChannels() {
  const { t } = useTranslation()
  const { api, key } = useAgent()
  return useQuery({
    queryKey: key('channels', 'names'),
    queryFn: async () => (await api.get('/channels', { per_page: 100 })).data,
    select: (channels): NamedChannel[] =>
      channels.map((channel) => ({ ...channel, label: channel.name || t(`platforms.${channel.kind}`) })),
    refetchOnWindowFocus: false,
  })
}
