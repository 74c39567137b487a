import { TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { teamApi } from '../../../api/client.ts'
import { useWho } from '../../../api/session.ts'
import type { Operator } from '../../../api/types.ts'
import { Section } from '../../../ui/Section.tsx'
import { SettingsForm } from '../../../ui/SettingsForm.tsx'
import { useSeededForm } from '../../../ui/use-seeded-form.ts'

function valuesOf({ name, display_name }: Operator) {
  return { name, display_name }
}

/** The person's names for colleagues and for end users. */
export function OwnProfile() {
  const { t } = useTranslation()
  const { form, save } = useSeededForm(useWho().operator, {
    valuesOf,
    bodyOf: ({ name, display_name }) => ({ name, display_name: display_name.trim() || null }),
    send: async (body) => (await teamApi.patch('/profile', body)).data,
  })
  return (
    <Section title={t('account.profile')}>
      <SettingsForm form={form} right="read" refresh={[['who']]} save={save}>
        <TextInput label={t('account.name')} autoComplete="name" {...form.getInputProps('name')} />
        <TextInput
          label={t('account.displayName')}
          description={t('account.displayNameHint')}
          {...form.getInputProps('display_name')}
        />
      </SettingsForm>
    </Section>
  )
}
