import { Alert, Button, Divider, PasswordInput, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQuery } from '@tanstack/react-query'
import { useRouter, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Refusal, teamApi } from '../../api/client.ts'
import { queries } from '../../api/queries.ts'
import { whoQuery } from '../../api/session.ts'
import { Doorway } from '../../ui/Doorway.tsx'
import { Failure } from '../../ui/Failure.tsx'
import { pageAfter } from '../../ui/page-after.ts'
import { useAction } from '../../ui/use-action.ts'

/** Signs a person in; asks for the second factor only after the right password. */
export function SignInPage() {
  const { t, i18n } = useTranslation()
  const router = useRouter()
  const { to, error } = useSearch({ from: '/sign-in' })
  const [needsCode, setNeedsCode] = useState(false)
  const form = useForm({ initialValues: { email: '', password: '', code: '' } })
  const signingIn = useAction({
    run: ({ email, password, code }: typeof form.values) =>
      teamApi.post('/session', { email, password, ...(needsCode ? { code } : {}) }),
    onDone: ({ data }) => {
      // No data of the person who was signed in before may be shown.
      queries.clear()
      queries.setQueryData(whoQuery.queryKey, data)
      router.history.replace(pageAfter(to))
    },
    onRefused: (error) => {
      if (error instanceof Refusal && error.code === 'code_needed') setNeedsCode(true)
      return true
    },
  })
  const ways = useQuery({
    queryKey: ['ways-in'],
    queryFn: async () => (await teamApi.get('/sign-in')).data,
    staleTime: Number.POSITIVE_INFINITY,
  })
  const provider = ways.data?.openid_connect
  const reason = error && i18n.exists(`signIn.errors.${error}`) ? error : 'provider_failed'
  const wantsCode = signingIn.error instanceof Refusal && signingIn.error.code === 'code_needed'
  return (
    <Doorway title={t('signIn.title')} lead={t('signIn.lead')}>
      <form onSubmit={form.onSubmit((values) => signingIn.mutate(values))} noValidate>
        <Stack>
          {error && !signingIn.isError ? (
            <Alert
              role="alert"
              variant="outline"
              color="red"
              title={t('failure.title')}
              bg="var(--parley-raised)"
            >
              {t(`signIn.errors.${reason as 'provider_failed'}`)}
            </Alert>
          ) : null}
          {signingIn.isError && !wantsCode ? <Failure error={signingIn.error} /> : null}
          <TextInput
            label={t('signIn.email')}
            type="email"
            autoComplete="username"
            {...form.getInputProps('email')}
          />
          <PasswordInput
            label={t('signIn.password')}
            autoComplete="current-password"
            visibilityToggleButtonProps={{ 'aria-label': t('common.showPassword') }}
            {...form.getInputProps('password')}
          />
          {needsCode ? (
            <TextInput
              label={t('signIn.code')}
              description={t('signIn.codeHint')}
              autoComplete="one-time-code"
              inputMode="text"
              autoFocus
              {...form.getInputProps('code')}
            />
          ) : null}
          <Button type="submit" loading={signingIn.isPending}>
            {t('signIn.action')}
          </Button>
          {provider ? (
            <>
              <Divider label={t('signIn.or')} />
              <Button variant="default" component="a" href={provider.start}>
                {t('signIn.provider')}
              </Button>
            </>
          ) : null}
        </Stack>
      </form>
    </Doorway>
  )
}
