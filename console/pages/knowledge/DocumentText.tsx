import { TagsInput, Textarea, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useAgent } from '../../api/session.ts'
import type { DocumentWithPassages } from '../../api/types.ts'
import { SettingsForm } from '../../ui/SettingsForm.tsx'
import { useSeededForm } from '../../ui/use-seeded-form.ts'

interface Values extends Record<string, unknown> {
  title: string
  text: string
  url: string
  questions: string[]
}

function valuesOf({ title, text, url, questions }: DocumentWithPassages): Values {
  return { title, text: text ?? '', url: url ?? '', questions: questions ?? [] }
}

/** A document's text as it was read, for editing; after that its passages are cut anew. */
export function DocumentText({ document }: { document: DocumentWithPassages }) {
  const { t } = useTranslation()
  const { api, key } = useAgent()
  const { form, save } = useSeededForm(document, {
    valuesOf,
    bodyOf: ({ url, ...values }) => ({ ...values, url: url.trim() || null }),
    send: async (body) => (await api.patch(`/knowledge/${document.id}`, body)).data,
  })
  return (
    <SettingsForm form={form} refresh={[key('knowledge')]} save={save}>
      <TextInput label={t('knowledge.title')} {...form.getInputProps('title')} />
      <Textarea
        label={t('knowledge.content')}
        autosize
        minRows={6}
        maxRows={24}
        {...form.getInputProps('text')}
      />
      <TagsInput
        label={t('knowledge.questions')}
        description={t('knowledge.questionsHint')}
        acceptValueOnBlur
        splitChars={[]}
        {...form.getInputProps('questions')}
      />
      <TextInput label={t('knowledge.url')} {...form.getInputProps('url')} />
    </SettingsForm>
  )
}
