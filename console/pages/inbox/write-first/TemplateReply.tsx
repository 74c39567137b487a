import { Button, Group, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useAgent } from '../../../api/session.ts'
import { Form } from '../../../ui/Form.tsx'
import { useAction } from '../../../ui/use-action.ts'
import { useFiles } from '../files/use-files.ts'
import { TemplateFields } from './TemplateFields.tsx'
import { type ChosenTemplate, faultsOf, templateMessage } from './template-faults.ts'
import { useSentOnce } from './use-sent-once.ts'

interface TemplateReplyProps {
  conversationId: string
  channelId: number
  /** Goes back to the text that is being written. */
  onText: () => void
}

/** An answer for which the platform's reply window is closed: a template still reaches the person. */
export function TemplateReply({ conversationId, channelId, onText }: TemplateReplyProps) {
  const { t } = useTranslation()
  const { api, key } = useAgent()
  const keyOf = useSentOnce()
  const [chosen, setChosen] = useState<ChosenTemplate | null>(null)
  const files = useFiles(`/conversations/${conversationId}`)
  const message = templateMessage(chosen, files.list)
  const [faults, setFaults] = useState<Record<string, string>>({})
  const sending = useAction({
    run: (said: NonNullable<typeof message>) =>
      api.post(`/conversations/${conversationId}/messages`, said, keyOf(said)),
    refresh: [key('conversation', conversationId), key('inbox')],
    onDone: onText,
    onRefused: (error) => {
      const found = faultsOf(error)
      setFaults(found)
      return Object.keys(found).length > 0
    },
  })
  return (
    <Form
      onSubmit={() => {
        setFaults({})
        if (message) sending.mutate(message)
      }}
      noValidate
    >
      <Stack gap="sm">
        <Text role="status" size="secondary" c="var(--parley-amber)">
          {t('writeFirst.needsTemplate')}
        </Text>
        <div className="template-fields">
          <TemplateFields
            channelId={channelId}
            chosen={chosen}
            onChange={(next) => {
              setChosen(next)
              setFaults({})
            }}
            files={files}
            faults={faults}
          />
        </div>
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={onText}>
            {t('writeFirst.backToText')}
          </Button>
          <Button type="submit" loading={sending.isPending} disabled={!message}>
            {t('writeFirst.send')}
          </Button>
        </Group>
      </Stack>
    </Form>
  )
}
