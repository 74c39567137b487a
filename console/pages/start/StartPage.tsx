import { Button, Group, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useAgent, useRight, useWho } from '../../api/session.ts'
import { Page } from '../../ui/Page.tsx'
import { Section } from '../../ui/Section.tsx'
import { Problems } from './Problems.tsx'
import { Talk } from './Talk.tsx'
import { TeachForm } from './TeachForm.tsx'

/** The first four steps for a newcomer. Each can be done here, in any order or not at all. */
export function StartPage() {
  const { t } = useTranslation()
  const agent = useAgent()
  const { operator } = useWho()
  const params = { agentId: String(agent.id) }
  const mayPrompt = useRight('respond')
  const mayManage = useRight('manage')
  const isOwner = useRight('own')
  return (
    <Page title={t('start.title', { name: operator.display_name })} lead={t('start.lead')} narrow>
      {mayManage ? <Problems key={agent.id} /> : null}
      {mayPrompt ? (
        <Section title={t('start.talk', { agent: agent.name })} lead={t('start.talkLead')}>
          <Talk key={agent.id} />
        </Section>
      ) : null}
      {mayManage ? (
        <Section title={t('start.teach')} lead={t('start.teachLead')}>
          <TeachForm key={agent.id} />
          <Group gap="xs">
            <Button
              variant="default"
              renderRoot={(props) => <Link to="/agents/$agentId/settings/model" params={params} {...props} />}
            >
              {t('start.useModel')}
            </Button>
          </Group>
        </Section>
      ) : null}
      {mayManage ? (
        <Section title={t('start.widget')} lead={t('start.widgetLead')}>
          <Group>
            <Button
              variant="default"
              renderRoot={(props) => <Link to="/agents/$agentId/widgets" params={params} {...props} />}
            >
              {t('start.widgetAction')}
            </Button>
          </Group>
        </Section>
      ) : null}
      {isOwner ? (
        <Section title={t('start.colleagues')} lead={t('start.colleaguesLead')}>
          <Group gap="xs">
            <Button
              variant="default"
              renderRoot={(props) => (
                <Link to="/agents/$agentId/settings/people" params={params} {...props} />
              )}
            >
              {t('people.invite')}
            </Button>
            <Button
              variant="default"
              renderRoot={(props) => (
                <Link to="/agents/$agentId/settings/account" params={params} {...props} />
              )}
            >
              {t('start.secure')}
            </Button>
          </Group>
        </Section>
      ) : null}
      {mayPrompt ? null : <Text>{t('start.readOnly')}</Text>}
    </Page>
  )
}
