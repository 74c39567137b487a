import { Button, PasswordInput, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { agentApi, Refusal, teamApi } from '../../api/client.ts'
import { queries } from '../../api/queries.ts'
import { whoQuery } from '../../api/session.ts'
import type { JoinLink, Who } from '../../api/types.ts'
import { Doorway } from '../../ui/Doorway.tsx'
import { Failure } from '../../ui/Failure.tsx'
import { Loaded } from '../../ui/Loaded.tsx'
import { markField } from '../../ui/mark-field.ts'
import { notify } from '../../ui/notify.ts'
import { useAction } from '../../ui/use-action.ts'

/** The page of an invitation or a reset. The token is behind `#`, where no server logs it. */
export function JoinPage() {
  const { t } = useTranslation()
  const [token] = useState(() => location.hash.slice(1))
  const link = useQuery({
    queryKey: ['join-link', token],
    queryFn: async () => (await teamApi.post('/join/link', { token })).data,
    staleTime: Number.POSITIVE_INFINITY,
  })
  const { error, data } = link
  if (error instanceof Refusal && NO_LINK.includes(error.code))
    return (
      <Doorway title={t('join.over')} lead={t('join.overText')}>
        <Button variant="default" renderRoot={(props) => <Link to="/sign-in" {...props} />}>
          {t('join.toSignIn')}
        </Button>
      </Doorway>
    )
  return (
    <Doorway
      title={t(data?.has_joined ? 'join.resetTitle' : 'join.title')}
      lead={data ? t('join.lead', { email: data.email }) : ''}
    >
      <Loaded query={link}>{(data) => <JoinForm token={token} link={data} />}</Loaded>
    </Doorway>
  )
}

/** The codes of a token that lets nobody in. */
const NO_LINK: Refusal['code'][] = ['invalid_invitation', 'invalid_request']

function JoinForm({ token, link }: { token: string; link: JoinLink }) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const form = useForm({ initialValues: { name: '', password: '' } })
  const joining = useAction({
    run: async ({ name, password }: { name: string; password: string }) => {
      const body = { token, password, ...(name.trim() ? { name } : {}) }
      const { data: who } = await teamApi.post('/join', body)
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
    <form onSubmit={form.onSubmit((values) => joining.mutate(values))} noValidate>
      <Stack>
        {joining.isError && !isMarked ? <Failure error={joining.error} /> : null}
        {link.has_joined ? null : (
          <TextInput
            label={t('join.name')}
            description={t('join.nameHint')}
            autoComplete="name"
            key={form.key('name')}
            {...form.getInputProps('name')}
          />
        )}
        <PasswordInput
          label={t('join.password')}
          description={t('join.passwordHint')}
          autoComplete="new-password"
          visibilityToggleButtonProps={{ 'aria-label': t('common.showPassword') }}
          {...form.getInputProps('password')}
        />
        <Button type="submit" loading={joining.isPending}>
          {t(link.has_joined ? 'join.resetAction' : 'join.action')}
        </Button>
      </Stack>
    </form>
  )
}

/** Returns the id of an owner's agent, for the first steps; null if somebody has asked it anything. */
async function unaskedAgent({ operator, agents: [agent] }: Who): Promise<string | null> {
  if (operator.right !== 'own' || !agent) return null
  return agentApi(agent.id)
    .get('/conversations', { per_page: 1 })
    .then(({ data }) => (data.length === 0 ? String(agent.id) : null))
    .catch(() => null)
}
