import { Group, NativeSelect, Stack, Text, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { type TemplateFile, type TemplateUse, templateText } from '../../../../src/platforms/template.ts'
import { useAgent } from '../../../api/session.ts'
import type { Template } from '../../../api/types.ts'
import { Loaded } from '../../../ui/Loaded.tsx'
import { ChooseFiles } from '../files/ChooseFiles.tsx'
import { ChosenFiles } from '../files/ChosenFiles.tsx'
import type { OpenFiles } from '../files/use-files.ts'
import type { ChosenTemplate } from './template-faults.ts'

interface TemplateFieldsProps {
  channelId: number
  chosen: ChosenTemplate | null
  onChange: (chosen: ChosenTemplate | null) => void
  /** The file above the template's text. */
  files: OpenFiles
  /** The service's error messages, by the names of the variables at fault. */
  faults: Readonly<Record<string, string>>
}

/** The choice of a template, the file and the texts for its variables, and what the person will read. */
export function TemplateFields({ channelId, chosen, onChange, files, faults }: TemplateFieldsProps) {
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
        const template = list.find((one) => chosen && nameOf(one) === nameOf(chosen.use))
        return list.length === 0 ? (
          <Text c="dimmed">{t('writeFirst.noTemplates')}</Text>
        ) : (
          <Stack gap="sm">
            <NativeSelect
              label={t('writeFirst.template')}
              value={chosen ? nameOf(chosen.use) : ''}
              onChange={(event) => {
                const next = list.find((one) => nameOf(one) === event.currentTarget.value)
                onChange(next ? unfilled(next) : null)
              }}
              data={[
                { value: '', label: t('writeFirst.chooseTemplate') },
                ...list.map((one) => ({ value: nameOf(one), label: `${one.name} (${one.language})` })),
              ]}
            />
            {chosen && template ? (
              <Filling
                template={template}
                use={chosen.use}
                onChange={(use) => onChange({ ...chosen, use })}
                files={files}
                faults={faults}
              />
            ) : null}
          </Stack>
        )
      }}
    </Loaded>
  )
}

interface FillingProps extends Pick<TemplateFieldsProps, 'files' | 'faults'> {
  template: Template
  use: TemplateUse
  onChange: (use: TemplateUse) => void
}

function Filling({ template, use, onChange, files, faults }: FillingProps) {
  const { t } = useTranslation()
  const { variables } = use
  const said = Object.fromEntries(Object.entries(variables).filter(([, text]) => text.trim() !== ''))
  return (
    <>
      {template.file === null ? null : <FileAbove kind={template.file} files={files} />}
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

/** The choice of the one file above the text. */
function FileAbove({ kind, files }: { kind: TemplateFile; files: OpenFiles }) {
  const { t } = useTranslation()
  return (
    <section aria-label={t(`writeFirst.file.${kind}`)}>
      <Text size="sm">{t(`writeFirst.file.${kind}`)}</Text>
      <Group gap="xs">
        <ChooseFiles
          onChosen={(added) => {
            files.remove(files.list)
            files.add(added.slice(-1))
          }}
        />
        <ChosenFiles list={files.list} onRemove={(file) => files.remove([file])} />
      </Group>
    </section>
  )
}

/** Returns a template in which no variable has a text yet. */
function unfilled({ name, language, variables, file }: Template): ChosenTemplate {
  const empty = Object.fromEntries(variables.map((one) => [one.name, '']))
  return { use: { name, language, variables: empty }, file }
}

function nameOf({ name, language }: Pick<TemplateUse, 'name' | 'language'>): string {
  return `${language} ${name}`
}
