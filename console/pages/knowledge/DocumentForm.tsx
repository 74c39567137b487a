import { Button, FileButton, Group, NativeSelect, Textarea, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useTranslation } from 'react-i18next'
import { useAgent } from '../../api/session.ts'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { UploadIcon } from '../../ui/icons.tsx'
import { markField } from '../../ui/mark-field.ts'
import { useAction } from '../../ui/use-action.ts'

const formats = ['markdown', 'text', 'html', 'rst', 'json'] as const
const LONGEST_TITLE = 500
type Format = (typeof formats)[number]

interface Values {
  title: string
  content: string
  format: Format
  url: string
}

interface DocumentFormProps {
  /** The question that the text should answer, if it is known. */
  question?: string
  onAdded?: () => void
  onClose: () => void
}

/** Adds a text. One with the same title or address is replaced. */
export function DocumentForm({ question = '', onAdded, onClose }: DocumentFormProps) {
  const { t } = useTranslation()
  const { api, key } = useAgent()
  const form = useForm<Values>({
    initialValues: { title: question.slice(0, LONGEST_TITLE), content: '', format: 'markdown', url: '' },
  })
  const adding = useAction({
    run: ({ title, url, ...values }: Values) =>
      api.post('/knowledge', {
        ...values,
        ...(title.trim() ? { title: title.trim() } : {}),
        ...(url.trim() ? { url: url.trim() } : {}),
      }),
    refresh: [key('knowledge')],
    done: t('knowledge.added'),
    onDone: () => {
      onAdded?.()
      onClose()
    },
    onRefused: (error) => markField(form, error),
  })
  async function readFile(file: File | null) {
    if (!file) return
    form.setValues({ content: await file.text(), format: formatOf(file.name) })
    if (!form.values.title) form.setFieldValue('title', file.name.replace(/\.\w+$/, ''))
  }
  return (
    <FormDialog
      onClose={onClose}
      size="lg"
      title={t('knowledge.add')}
      closeOnClickOutside={!form.isDirty()}
      form={form}
      storing={adding}
      submit={t('knowledge.add')}
      isReady={form.values.content.trim() !== ''}
    >
      <TextInput
        label={t('knowledge.title')}
        description={t('knowledge.titleHint')}
        data-autofocus={question === '' || undefined}
        {...form.getInputProps('title')}
      />
      <Textarea
        label={t('knowledge.content')}
        autosize
        minRows={6}
        maxRows={16}
        data-autofocus={question !== '' || undefined}
        {...form.getInputProps('content')}
      />
      <Group gap="sm" align="flex-end">
        <NativeSelect
          label={t('knowledge.format')}
          data={formats.map((value) => ({ value, label: t(`knowledge.formats.${value}`) }))}
          {...form.getInputProps('format')}
        />
        <FileButton
          accept=".md,.mdx,.txt,.html,.htm,.xhtml,.rst,.json"
          onChange={(file) => void readFile(file)}
        >
          {(props) => (
            <Button variant="default" leftSection={<UploadIcon />} {...props}>
              {t('knowledge.readFile')}
            </Button>
          )}
        </FileButton>
      </Group>
      <TextInput
        label={t('knowledge.url')}
        description={t('knowledge.urlHint')}
        placeholder="https://example.com/help"
        {...form.getInputProps('url')}
      />
    </FormDialog>
  )
}

function formatOf(name: string): Format {
  if (/\.x?html?$/i.test(name)) return 'html'
  if (/\.rst$/i.test(name)) return 'rst'
  if (/\.json$/i.test(name)) return 'json'
  return /\.mdx?$/i.test(name) ? 'markdown' : 'text'
}
