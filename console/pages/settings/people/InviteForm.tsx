import { TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useTranslation } from 'react-i18next'
import { Refusal, teamApi } from '../../../api/client.ts'
import type { Invited, OperatorRight } from '../../../api/types.ts'
import { FormDialog } from '../../../ui/FormDialog.tsx'
import { markField } from '../../../ui/mark-field.ts'
import { useRefusalText } from '../../../ui/refusal-text.ts'
import { useAction } from '../../../ui/use-action.ts'
import { RightChoice } from './RightChoice.tsx'
import { hasScope, ScopeChoice, type Seen } from './ScopeChoice.tsx'

interface InviteFormProps {
  onInvited: (invited: Invited) => void
  onClose: () => void
}

/** Invites a person; the answer has the link to send to them. */
export function InviteForm({ onInvited, onClose }: InviteFormProps) {
  const { t } = useTranslation()
  const textOf = useRefusalText()
  const form = useForm({
    initialValues: {
      email: '',
      name: '',
      right: 'respond' as OperatorRight,
      seen: { scope: 'all', unassigned: false } as Seen,
    },
  })
  const inviting = useAction({
    run: ({ email, name, right, seen }: typeof form.values) =>
      teamApi.post('/operators', {
        email,
        right,
        ...(hasScope(right) ? seen : {}),
        ...(name.trim() ? { name } : {}),
      }),
    refresh: [['operators']],
    onDone: ({ data }) => onInvited(data),
    onRefused: (error) => {
      const isTaken = error instanceof Refusal && error.code === 'email_taken'
      if (isTaken) form.setFieldError('email', textOf(error))
      return isTaken || markField(form, error)
    },
  })
  return (
    <FormDialog
      onClose={onClose}
      title={t('people.invite')}
      form={form}
      storing={inviting}
      submit={t('people.makeLink')}
    >
      <TextInput
        label={t('people.email')}
        type="email"
        autoComplete="off"
        data-autofocus
        {...form.getInputProps('email')}
      />
      <TextInput label={t('people.name')} autoComplete="off" {...form.getInputProps('name')} />
      <RightChoice label={t('people.right')} {...form.getInputProps('right')} />
      {hasScope(form.values.right) ? (
        <ScopeChoice
          label={t('people.scope')}
          value={form.values.seen}
          onChange={(seen) => form.setFieldValue('seen', seen)}
        />
      ) : null}
    </FormDialog>
  )
}
