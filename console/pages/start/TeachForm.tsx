import { Button, Group, Stack, Textarea, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useTranslation } from 'react-i18next'
import { useAgent } from '../../api/session.ts'
import { markField } from '../../ui/mark-field.ts'
import { useAction } from '../../ui/use-action.ts'

/** Adds a first piece of knowledge: a question with its answer. */
export function TeachForm() {
  const { t } = useTranslation()
  const { api, key } = useAgent()
  const form = useForm({ initialValues: { title: '', content: '' } })
  const teaching = useAction({
    run: (values: typeof form.values) => api.post('/knowledge', values),
    refresh: [key('knowledge')],
    done: t('start.taught'),
    onDone: () => form.reset(),
    onRefused: (error) => markField(form, error),
  })
  const { title, content } = form.values
  return (
    <form onSubmit={form.onSubmit((values) => teaching.mutate(values))}>
      <Stack>
        <TextInput
          label={t('start.question')}
          placeholder={t('start.questionExample')}
          {...form.getInputProps('title')}
        />
        <Textarea
          label={t('start.answer')}
          placeholder={t('start.answerExample')}
          autosize
          minRows={2}
          {...form.getInputProps('content')}
        />
        <Group>
          <Button
            type="submit"
            variant="default"
            loading={teaching.isPending}
            disabled={title.trim() === '' || content.trim() === ''}
          >
            {t('start.add')}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
