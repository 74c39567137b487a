import { TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useTranslation } from 'react-i18next'
import { teamApi } from '../../../api/client.ts'
import { useWho } from '../../../api/session.ts'
import type { Operator, Single } from '../../../api/types.ts'
import { Section } from '../../../ui/Section.tsx'
import { SettingsForm } from '../../../ui/SettingsForm.tsx'

function valuesOf({ name, display_name }: Operator) {
  return { name, display_name }
}

/** What colleagues and end users call one. */
export function OwnProfile() {
  const { t } = useTranslation()
  const form = useForm({ initialValues: valuesOf(useWho().operator) })
  const save = async ({ name, display_name }: typeof form.values) => {
    const patch = { name, display_name: display_name.trim() || null }
    return valuesOf((await teamApi.patch<Single<Operator>>('/profile', patch)).data)
  }
  return (
    <Section title={t('account.profile')}>
      <SettingsForm form={form} refresh={[['who']]} save={save}>
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
