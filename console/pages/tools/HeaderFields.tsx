import { Group, PasswordInput, Stack, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { Tool } from '../../api/types.ts'
import { AddButton } from '../../ui/AddButton.tsx'
import { SecretInput } from '../../ui/SecretInput.tsx'
import { Section } from '../../ui/Section.tsx'
import type { HeaderValues } from './header-values.ts'

interface HeaderFieldsProps {
  values: HeaderValues
  onChange: (values: Partial<HeaderValues>) => void
  /** Null if the tool is new. */
  tool: Tool | null
}

/** The headers of a tool's calls. Their values are stored sealed and never shown. */
export function HeaderFields({ values: { stored, added }, onChange, tool }: HeaderFieldsProps) {
  const { t } = useTranslation()
  const known = Object.entries(tool?.headers ?? {}).filter(([name]) => name in stored)
  const change = (at: number, part: Partial<HeaderValues['added'][number]>) =>
    onChange({ added: added.map((header, place) => (place === at ? { ...header, ...part } : header)) })
  return (
    <Section title={t('tools.headers')} lead={t('tools.headersHint')}>
      <Stack gap="sm">
        {known.map(([name, secret]) => (
          <SecretInput
            key={name}
            label={name}
            stored={secret}
            value={stored[name] ?? null}
            field={`stored.${name}`}
            onChange={(value) => onChange({ stored: { ...stored, [name]: value } })}
          />
        ))}
        {added.map(({ name, value }, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: fields have no other identity
          <Group key={at} gap="xs" align="flex-end">
            <TextInput
              label={t('tools.headerName')}
              placeholder="authorization"
              flex="1 1 160px"
              value={name}
              onChange={(event) => change(at, { name: event.currentTarget.value })}
            />
            <PasswordInput
              label={t('tools.headerValue')}
              flex="2 1 240px"
              autoComplete="off"
              visibilityToggleButtonProps={{ 'aria-label': t('common.showSecret') }}
              value={value}
              onChange={(event) => change(at, { value: event.currentTarget.value })}
            />
          </Group>
        ))}
        <AddButton onClick={() => onChange({ added: [...added, { name: '', value: '' }] })}>
          {t('tools.addHeader')}
        </AddButton>
      </Stack>
    </Section>
  )
}
