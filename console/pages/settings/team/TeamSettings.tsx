import { TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { teamApi } from '../../../api/client.ts'
import type { Single, Team } from '../../../api/types.ts'
import { Loaded } from '../../../ui/Loaded.tsx'
import { Page } from '../../../ui/Page.tsx'
import { Section } from '../../../ui/Section.tsx'
import { SettingsForm } from '../../../ui/SettingsForm.tsx'
import { useSeededForm } from '../../../ui/use-seeded-form.ts'
import { TeamAgents } from './TeamAgents.tsx'

/** The team and its agents. */
export function TeamSettings() {
  const { t } = useTranslation()
  const team = useQuery({
    queryKey: ['team'],
    queryFn: async () => (await teamApi.get<Single<Team>>('/team')).data,
  })
  return (
    <Page title={t('settings.areas.team')} lead={t('team.lead')} narrow>
      <Loaded query={team}>{(read) => <TeamName team={read} />}</Loaded>
      <TeamAgents />
    </Page>
  )
}

function TeamName({ team }: { team: Team }) {
  const { t } = useTranslation()
  const { form, save } = useSeededForm(team, {
    valuesOf: ({ name }) => ({ name }),
    bodyOf: (values) => values,
    send: async (body) => (await teamApi.patch<Single<Team>>('/team', body)).data,
  })
  return (
    <Section title={t('team.team')}>
      <SettingsForm form={form} refresh={[['team'], ['who']]} save={save}>
        <TextInput label={t('team.name')} {...form.getInputProps('name')} />
      </SettingsForm>
    </Section>
  )
}
