import { Anchor, Switch, Text, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { teamApi } from '../../../api/client.ts'
import { useAgent, useWho } from '../../../api/session.ts'
import type { Operator, Team } from '../../../api/types.ts'
import { joined } from '../../../texts/isolated.ts'
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
    queryFn: async () => (await teamApi.get('/team')).data,
  })
  return (
    <Page title={t('settings.areas.team')} lead={t('team.lead')} narrow>
      <Loaded query={team}>{(read) => <TeamForm team={read} />}</Loaded>
      <TeamAgents />
    </Page>
  )
}

function TeamForm({ team }: { team: Team }) {
  const { t } = useTranslation()
  const { two_factor, single_sign_on } = useWho().operator
  const isSafe = two_factor || single_sign_on
  const { form, save } = useSeededForm(team, {
    valuesOf: ({ name, require_two_factor }) => ({ name, require_two_factor }),
    bodyOf: (values) => values,
    send: async (body) => (await teamApi.patch('/team', body)).data,
  })
  return (
    <Section title={t('team.team')}>
      <SettingsForm form={form} refresh={[['team'], ['who']]} save={save}>
        <TextInput label={t('team.name')} {...form.getInputProps('name')} />
        <Switch
          label={t('team.requireTwoFactor')}
          description={
            <>
              {t('team.requireTwoFactorHint')}
              {isSafe || team.require_two_factor ? <WithoutTwoFactor /> : <OwnFirst />}
            </>
          }
          disabled={!isSafe && !team.require_two_factor}
          {...form.getInputProps('require_two_factor', { type: 'checkbox' })}
        />
      </SettingsForm>
    </Section>
  )
}

/** Lists the people who would have to set up a second factor, or still have to. */
function WithoutTwoFactor() {
  const { t } = useTranslation()
  const people = useQuery({
    queryKey: ['operators', 'all'],
    queryFn: ({ signal }) => readPeople(signal),
  })
  const names = (people.data ?? [])
    .filter(({ active, two_factor, single_sign_on }) => active && !two_factor && !single_sign_on)
    .map(({ name }) => name)
  if (names.length === 0) return null
  return (
    <Text span inherit display="block" mt={4}>
      {t('team.withoutTwoFactor', { count: names.length, names: joined(names, ', ') })}
    </Text>
  )
}

async function readPeople(signal: AbortSignal) {
  const people: Operator[] = []
  let cursor: string | null | undefined
  do {
    const page = await teamApi.get('/operators', { per_page: 100, ...(cursor ? { cursor } : {}) }, signal)
    people.push(...page.data)
    cursor = page.next_cursor
  } while (cursor !== null)
  return people
}

function OwnFirst() {
  const { t } = useTranslation()
  const { id } = useAgent()
  return (
    <Text span inherit display="block" mt={4}>
      {t('team.ownFirst')}{' '}
      <Anchor
        inherit
        underline="always"
        renderRoot={(props) => (
          <Link to="/agents/$agentId/settings/account" params={{ agentId: String(id) }} {...props} />
        )}
      >
        {t('settings.areas.account')}
      </Anchor>
    </Text>
  )
}
