import { Button, Group, PasswordInput, Stack } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useTranslation } from 'react-i18next'
import { Refusal, teamApi } from '../../../api/client.ts'
import { markField } from '../../../ui/mark-field.ts'
import { Section } from '../../../ui/Section.tsx'
import { useAction } from '../../../ui/use-action.ts'

/** Changes the password, which signs the person out everywhere else. */
export function OwnPassword() {
  const { t } = useTranslation()
  const form = useForm({ initialValues: { present: '', password: '' } })
  const changing = useAction({
    run: (values: typeof form.values) => teamApi.put('/password', values),
    refresh: [['sessions']],
    done: t('account.passwordChanged'),
    onDone: () => form.reset(),
    onRefused: (error) => {
      const isWrong = error instanceof Refusal && error.code === 'invalid_login'
      if (isWrong) form.setFieldError('present', t('account.wrongPassword'))
      return isWrong || markField(form, error)
    },
  })
  const toggle = { 'aria-label': t('common.showPassword') }
  return (
    <Section title={t('account.password')} lead={t('account.passwordLead')}>
      <form onSubmit={form.onSubmit((values) => changing.mutate(values))} noValidate>
        <Stack>
          <PasswordInput
            label={t('account.present')}
            autoComplete="current-password"
            visibilityToggleButtonProps={toggle}
            {...form.getInputProps('present')}
          />
          <PasswordInput
            label={t('account.newPassword')}
            description={t('join.passwordHint')}
            autoComplete="new-password"
            visibilityToggleButtonProps={toggle}
            {...form.getInputProps('password')}
          />
          <Group>
            <Button type="submit" variant="default" loading={changing.isPending} disabled={!form.isDirty()}>
              {t('account.changePassword')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Section>
  )
}
