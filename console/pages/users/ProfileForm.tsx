import { ActionIcon, Group, Stack, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useAgent } from '../../api/session.ts'
import type { UserProfile } from '../../api/types.ts'
import { AddButton } from '../../ui/AddButton.tsx'
import { TrashIcon } from '../../ui/icons.tsx'
import { SettingsForm } from '../../ui/SettingsForm.tsx'
import { useSeededForm } from '../../ui/use-seeded-form.ts'
import { userAddress } from '../../ui/user-source.ts'

interface Attribute {
  name: string
  value: string
}

function valuesOf({ name, attributes }: UserProfile) {
  return {
    name: name ?? '',
    attributes: Object.entries(attributes).map(
      ([name, value]): Attribute => ({ name, value: String(value) }),
    ),
  }
}

/** Returns the body of a request, with only the attributes that change; null removes one. */
function bodyOf({ name, attributes }: ReturnType<typeof valuesOf>, base: UserProfile) {
  const wanted = attributes.filter((attribute) => attribute.name.trim() !== '')
  const gone = Object.keys(base.attributes).filter((one) => !wanted.some(({ name }) => name.trim() === one))
  const changed = wanted
    .map(({ name, value }) => [name.trim(), typed(value, base.attributes[name.trim()])] as const)
    .filter(([name, value]) => base.attributes[name] !== value)
  return {
    name: name.trim() || null,
    attributes: { ...Object.fromEntries(gone.map((one) => [one, null])), ...Object.fromEntries(changed) },
  }
}

/** The name and the attributes of an end user. */
export function ProfileForm({ user }: { user: UserProfile }) {
  const { t } = useTranslation()
  const { api, key } = useAgent()
  const path = `/users/${encodeURIComponent(userAddress(user))}` as const
  const { form, save } = useSeededForm(user, {
    valuesOf,
    bodyOf,
    send: async (body) => (await api.patch(path, body)).data,
  })
  return (
    <SettingsForm form={form} save={save} refresh={[key('users')]} right="respond">
      <TextInput label={t('users.name')} maxLength={200} {...form.getInputProps('name')} />
      <Stack gap="xs">
        {form.values.attributes.map((_, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a row being typed has no identity but its place
          <Group key={index} gap="xs" wrap="nowrap" align="flex-end">
            <TextInput
              flex={1}
              label={t('users.attribute')}
              maxLength={64}
              {...form.getInputProps(`attributes.${index}.name`)}
            />
            <TextInput
              flex={2}
              label={t('users.value')}
              maxLength={1000}
              {...form.getInputProps(`attributes.${index}.value`)}
            />
            <ActionIcon
              variant="default"
              size={32}
              aria-label={t('users.removeAttribute', { name: form.values.attributes[index]?.name })}
              onClick={() => form.removeListItem('attributes', index)}
            >
              <TrashIcon />
            </ActionIcon>
          </Group>
        ))}
        <AddButton onClick={() => form.insertListItem('attributes', { name: '', value: '' })}>
          {t('users.addAttribute')}
        </AddButton>
      </Stack>
    </SettingsForm>
  )
}

/** Returns the value with the type that it had before, if it can be read as a number or a boolean. */
function typed(value: string, before: string | number | boolean | undefined): string | number | boolean {
  if (typeof before === 'number' && value.trim() !== '' && Number.isFinite(Number(value)))
    return Number(value)
  if (typeof before === 'boolean' && /^(true|false)$/.test(value)) return value === 'true'
  return value
}
