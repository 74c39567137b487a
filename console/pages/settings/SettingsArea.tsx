import { useQuery } from '@tanstack/react-query'
import type { ComponentType, ReactNode } from 'react'
import { useAgent } from '../../api/session.ts'
import type { Agent } from '../../api/types.ts'
import { Loaded } from '../../ui/Loaded.tsx'
import { Page } from '../../ui/Page.tsx'

interface SettingsAreaProps {
  title: string
  lead: string
  form: ComponentType<{ agent: Agent }>
  /** Stands below the form. */
  children?: ReactNode
}

/** The page of some of the agent's settings. Another agent's begins anew. */
export function SettingsArea({ title, lead, form: Form, children }: SettingsAreaProps) {
  const { id, api, key } = useAgent()
  const settings = useQuery({
    queryKey: key('settings'),
    queryFn: async () => (await api.get('/agent')).data,
  })
  return (
    <Page title={title} lead={lead} narrow>
      <Loaded query={settings}>{(agent) => <Form key={id} agent={agent} />}</Loaded>
      {children}
    </Page>
  )
}
