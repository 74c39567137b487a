import { Button, Code, Group, Stack, Switch, TagsInput, Text, Textarea } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useAgent, useRight } from '../../../api/session.ts'
import { useAction } from '../../../ui/use-action.ts'
import type { ModelValues } from './model-values.ts'

/** The personal data that no model server is sent, and a trial of it. */
export function MaskFields({ form }: { form: UseFormReturnType<ModelValues> }) {
  const { t } = useTranslation()
  const mayManage = useRight('manage')
  const { types } = form.values.mask
  return (
    <>
      <TagsInput
        label={t('settings.model.maskTypes')}
        description={t('settings.model.maskTypesHint')}
        placeholder="PERSON"
        {...form.getInputProps('mask.types')}
      />
      {types.length === 0 ? null : (
        <Switch
          label={t('settings.model.maskRestore')}
          description={t('settings.model.maskRestoreHint')}
          {...form.getInputProps('mask.restore', { type: 'checkbox' })}
        />
      )}
      {types.length > 0 && mayManage ? <MaskTrial types={types} /> : null}
    </>
  )
}

/** Shows what a model server would be sent of a text, before the types are saved. */
function MaskTrial({ types }: { types: string[] }) {
  const { t } = useTranslation()
  const { api } = useAgent()
  const [text, setText] = useState('')
  const trying = useAction({ run: () => api.post('/mask/try', { text, types }) })
  const tried = trying.data?.data
  return (
    <Stack gap="sm">
      <Textarea
        label={t('settings.model.maskTry')}
        placeholder={t('settings.redaction.tryExample')}
        autosize
        minRows={2}
        maxRows={12}
        maxLength={20_000}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <Group>
        <Button
          variant="default"
          loading={trying.isPending}
          disabled={text === ''}
          onClick={() => trying.mutate()}
        >
          {t('settings.model.maskTryAction')}
        </Button>
      </Group>
      {tried ? (
        <Stack gap="xs" role="status">
          <Code block className="foreign" tabIndex={0} aria-label={t('settings.model.maskResult')}>
            {tried.sent}
          </Code>
          {tried.placeholders.length === 0 ? <Text c="dimmed">{t('settings.redaction.nothing')}</Text> : null}
        </Stack>
      ) : null}
    </Stack>
  )
}
