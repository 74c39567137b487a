import { Button, Group, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { teamApi } from '../../api/client.ts'
import { useRight } from '../../api/session.ts'
import { Empty } from '../../ui/Empty.tsx'
import { RobotIcon } from '../../ui/icons.tsx'
import { markField } from '../../ui/mark-field.ts'
import { useAction } from '../../ui/use-action.ts'
import { useTitle } from '../../ui/use-title.ts'

/** The page of a team without an agent. */
export function NoAgentPage() {
  const { t } = useTranslation()
  useTitle(t('noAgent.title'))
  const isOwner = useRight('own')
  const navigate = useNavigate()
  const form = useForm({ initialValues: { name: '' } })
  const making = useAction({
    run: (values: { name: string }) => teamApi.post('/agents', values),
    refresh: [['who']],
    onDone: ({ data }) => void navigate({ to: '/agents/$agentId', params: { agentId: String(data.id) } }),
    onRefused: (error) => markField(form, error),
  })
  return (
    <Empty
      icon={RobotIcon}
      title={t('noAgent.title')}
      text={isOwner ? t('noAgent.text') : t('noAgent.askOwner')}
      action={
        isOwner ? (
          <form onSubmit={form.onSubmit((values) => making.mutate(values))}>
            <Group align="flex-end" gap="xs" mt="sm">
              <TextInput label={t('team.agentName')} {...form.getInputProps('name')} />
              <Button type="submit" loading={making.isPending}>
                {t('team.make')}
              </Button>
            </Group>
          </form>
        ) : null
      }
    />
  )
}
