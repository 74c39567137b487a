import { Button, PasswordInput, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { agentApi, teamApi } from '../../api/client.ts'
import { queries } from '../../api/queries.ts'
import { whoQuery } from '../../api/session.ts'
import type { Conversation, List, Single, Who } from '../../api/types.ts'
import { Doorway } from '../../shell/Doorway.tsx'
import { Failure } from '../../ui/Failure.tsx'
import { markField } from '../../ui/mark-field.ts'
import { notify } from '../../ui/notify.ts'
import { useAction } from '../../ui/use-action.ts'

/** The page of an invitation or a reset. The token is behind `#`, where no server logs it. */
export function JoinPage() {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const [token] = useState(() => location.hash.slice(1))
  const form = useForm({ initialValues: { name: '', password: '' } })
  const joining = useAction({
    run: async ({ name, password }: { name: string; password: string }) => {
      const body = { token, password, ...(name.trim() ? { name } : {}) }
      const { data: who } = await teamApi.post<Single<Who>>('/join', body)
      return { who, unasked: await unaskedAgent(who) }
    },
    onDone: ({ who, unasked }) => {
      queries.setQueryData(whoQuery.queryKey, who)
      notify(t('join.joined', { email: who.operator.email }))
      void navigate(
        unasked === null
          ? { to: '/', replace: true }
          : { to: '/agents/$agentId/start', params: { agentId: unasked }, replace: true },
      )
    },
    onRefused: (error) => markField(form, error) || true,
  })
  const isMarked = Object.keys(form.errors).length > 0
  return (
    <Doorway title={t('join.title')} lead={t('join.lead')}>
      <form onSubmit={form.onSubmit((values) => joining.mutate(values))} noValidate>
        <Stack>
          {joining.isError && !isMarked ? <Failure error={joining.error} /> : null}
          <TextInput
            label={t('join.name')}
            description={t('join.nameHint')}
            autoComplete="name"
            key={form.key('name')}
            {...form.getInputProps('name')}
          />
          <PasswordInput
            label={t('join.password')}
            description={t('join.passwordHint')}
            autoComplete="new-password"
            visibilityToggleButtonProps={{ 'aria-label': t('common.showPassword') }}
            {...form.getInputProps('password')}
          />
          <Button type="submit" loading={joining.isPending}>
            {t('join.action')}
          </Button>
        </Stack>
      </form>
    </Doorway>
  )
}

/** Returns the id of an owner's agent, for the first steps; null if somebody has asked it anything. */
async function unaskedAgent({ operator, agents: [agent] }: Who): Promise<string | null> {
  if (operator.right !== 'own' || !agent) return null
  return agentApi(agent.id)
    .get<List<Conversation>>('/conversations', { per_page: 1 })
    .then(({ data }) => (data.length === 0 ? String(agent.id) : null))
    .catch(() => null)
}
