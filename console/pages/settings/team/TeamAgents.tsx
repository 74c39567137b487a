import { Button, Group, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useTranslation } from 'react-i18next'
import { teamApi } from '../../../api/client.ts'
import { useList } from '../../../api/use-list.ts'
import { AskingButton } from '../../../ui/AskingButton.tsx'
import { Loaded } from '../../../ui/Loaded.tsx'
import { Mark } from '../../../ui/Mark.tsx'
import { markField } from '../../../ui/mark-field.ts'
import { NextPage } from '../../../ui/NextPage.tsx'
import { Row, Rows } from '../../../ui/Rows.tsx'
import { Section } from '../../../ui/Section.tsx'
import { Time } from '../../../ui/Time.tsx'
import { useAction } from '../../../ui/use-action.ts'

const refresh = [['agents'], ['who']]

/** The agents of the team, which are created and deleted here. */
export function TeamAgents() {
  const { t } = useTranslation()
  // A deleted agent is erased in the background; the list shows the progress.
  const agents = useList(['agents'], teamApi, '/agents', {}, ({ items }) =>
    items.some(({ deletion }) => deletion) ? 2000 : false,
  )
  return (
    <Section title={t('team.agents')} lead={t('team.agentsLead')}>
      <Loaded query={agents}>
        {({ items }) => (
          <Rows label={t('team.agents')}>
            {items.map((agent) => (
              <Row
                key={agent.id}
                title={agent.name}
                marks={
                  <>
                    {agent.is_paused && !agent.deletion ? (
                      <Mark tone="amber">{t('shell.isPaused')}</Mark>
                    ) : null}
                    {agent.deletion ? (
                      <Mark tone="red">{t('team.erased', { count: agent.deletion.rows_erased })}</Mark>
                    ) : null}
                  </>
                }
                about={
                  <>
                    {t('team.number', { id: agent.id })} · {t('credentials.made')}{' '}
                    <Time at={agent.created_at} />
                  </>
                }
                actions={
                  agent.deletion ? null : (
                    <AskingButton
                      label={t('common.delete')}
                      title={t('team.deleteTitle', { name: agent.name })}
                      text={t('team.deleteText')}
                      typed={agent.name}
                      run={() => teamApi.delete(`/agents/${agent.id}`)}
                      refresh={refresh}
                      done={t('team.deleting')}
                    />
                  )
                }
              />
            ))}
          </Rows>
        )}
      </Loaded>
      <NextPage query={agents} />
      <NewAgent />
    </Section>
  )
}

function NewAgent() {
  const { t } = useTranslation()
  const form = useForm({ initialValues: { name: '' } })
  const making = useAction({
    run: (values: { name: string }) => teamApi.post('/agents', values),
    refresh,
    done: t('team.made'),
    onDone: () => form.reset(),
    onRefused: (error) => markField(form, error),
  })
  return (
    <form onSubmit={form.onSubmit((values) => making.mutate(values))}>
      <Group align="flex-end" gap="xs">
        <TextInput label={t('team.agentName')} flex="1 1 200px" {...form.getInputProps('name')} />
        <Button
          type="submit"
          variant="default"
          loading={making.isPending}
          disabled={!form.values.name.trim()}
        >
          {t('team.make')}
        </Button>
      </Group>
    </form>
  )
}
