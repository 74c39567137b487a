import { NativeSelect, Stack, Text, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { type TemplateUse, templateText } from '../../../src/platforms/template.ts'
import { useAgent } from '../../api/session.ts'
import type { Template } from '../../api/types.ts'
import { Loaded } from '../../ui/Loaded.tsx'

interface TemplateFieldsProps {
  channelId: number
  /** The use as it is so far; null: no template is chosen. */
  use: TemplateUse | null
  onChange: (use: TemplateUse | null) => void
  /** The service's words on variables, by their names. */
  faults: Readonly<Record<string, string>>
}

/** The choice of a template, the texts for its variables, and what the person will read. */
export function TemplateFields({ channelId, use, onChange, faults }: TemplateFieldsProps) {
  const { t } = useTranslation()
  const { api, key } = useAgent()
  const templates = useQuery({
    queryKey: key('channels', channelId, 'templates'),
    queryFn: async () => (await api.get(`/channels/${channelId}/templates`)).data,
    retry: false,
    refetchOnWindowFocus: false,
  })
  return (
    <Loaded query={templates}>
      {(list) => {
        const chosen = list.find((one) => use && nameOf(one) === nameOf(use))
        return list.length === 0 ? (
          <Text c="dimmed">{t('writeFirst.noTemplates')}</Text>
        ) : (
          <Stack gap="sm">
            <NativeSelect
              label={t('writeFirst.template')}
              value={use ? nameOf(use) : ''}
              onChange={(event) => {
                const next = list.find((one) => nameOf(one) === event.currentTarget.value)
                onChange(next ? unfilled(next) : null)
              }}
              data={[
                { value: '', label: t('writeFirst.chooseTemplate') },
                ...list.map((one) => ({ value: nameOf(one), label: `${one.name} (${one.language})` })),
              ]}
            />
            {use && chosen ? (
              <Filling template={chosen} use={use} onChange={onChange} faults={faults} />
            ) : null}
          </Stack>
        )
      }}
    </Loaded>
  )
}

interface FillingProps extends Pick<TemplateFieldsProps, 'onChange' | 'faults'> {
  template: Template
  use: TemplateUse
}

function Filling({ template, use, onChange, faults }: FillingProps) {
  const { t } = useTranslation()
  const { variables } = use
  const said = Object.fromEntries(Object.entries(variables).filter(([, text]) => text.trim() !== ''))
  return (
    <>
      {template.variables.map(({ name, example }) => (
        <TextInput
          key={name}
          label={t('writeFirst.variable', { name: `{{${name}}}` })}
          placeholder={example === null ? undefined : t('writeFirst.example', { example })}
          maxLength={1024}
          required
          dir="auto"
          autoComplete="off"
          value={variables[name] ?? ''}
          error={faults[name]}
          onChange={(event) =>
            onChange({ ...use, variables: { ...variables, [name]: event.currentTarget.value } })
          }
        />
      ))}
      <section aria-label={t('writeFirst.preview')}>
        <Text size="secondary" c="dimmed" mb={4}>
          {t('writeFirst.preview')}
        </Text>
        <Text className="foreign template-preview" dir="auto">
          {templateText(template, said)}
        </Text>
      </section>
    </>
  )
}

/** Returns the use of a template in which no variable has a text yet. */
function unfilled({ name, language, variables }: Template): TemplateUse {
  return { name, language, variables: Object.fromEntries(variables.map((one) => [one.name, ''])) }
}

function nameOf({ name, language }: Pick<TemplateUse, 'name' | 'language'>): string {
  return `${language} ${name}`
}
