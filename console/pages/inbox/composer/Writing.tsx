import { Button, Group, Stack, Text } from '@mantine/core'
import { Suspense, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { usePreference } from '../../../api/preferences.ts'
import type { Conversation } from '../../../api/types.ts'
import { withDeskTexts } from '../../../texts/index.ts'
import { Form } from '../../../ui/Form.tsx'
import { lazyPart } from '../../../ui/lazy-part.tsx'
import { useDrop } from '../../../ui/use-drop.ts'
import { ChooseFiles } from '../files/ChooseFiles.tsx'
import type { OpenFiles } from '../files/use-files.ts'
import { ReplyWindow } from './ReplyWindow.tsx'
import { unfilledIn } from './tokens.ts'
import { useTyping } from './use-company-signs.ts'
import { type Mode, useDraft } from './use-draft.ts'
import { select } from './use-picker.tsx'
import { useSending } from './use-sending.ts'
import { WritingField } from './WritingField.tsx'

const Copilot = lazyPart(
  withDeskTexts(() => import('./copilot/Copilot.tsx')),
  'Copilot',
)

const ChosenFiles = lazyPart(() => import('../files/ChosenFiles.tsx'), 'ChosenFiles')
const Elsewhere = lazyPart(() => import('./Elsewhere.tsx'), 'Elsewhere')

interface WritingProps {
  mode: Mode
  conversation: Conversation
  lastMessageId: number | null
  replyUntil: string | null
  /** True if the platform delivers no answers any more. */
  isClosed: boolean
  /** True if a template can be sent instead once the platform delivers no answers. */
  hasTemplates: boolean
  /** The files of the answer; null where none can be sent. */
  files: OpenFiles | null
}

/** A field for an answer or a note, with the checks that keep either from going to the wrong place. */
export function Writing({
  mode,
  conversation,
  lastMessageId,
  replyUntil,
  isClosed,
  hasTemplates,
  files,
}: WritingProps) {
  const { t } = useTranslation()
  const field = useRef<HTMLTextAreaElement>(null)
  const draft = useDraft(conversation.id, mode)
  const { text, setText, elsewhere, settle } = draft
  const tellTyping = useTyping(conversation.id)
  const sendWithEnter = usePreference('sendWithEnter')
  const unfilled = mode === 'reply' ? unfilledIn(text) : []
  const chosen = files?.list ?? []
  const { isSending, hasMoved, send } = useSending({
    conversationId: conversation.id,
    mode,
    draft,
    files,
    lastMessageId,
    onSent: () => {
      if (mode === 'reply') tellTyping(false)
      field.current?.focus()
    },
  })
  const addFiles = files?.add ?? null
  const drop = useDrop(addFiles && ((dropped) => addFiles([...dropped.files])))
  const hasAll = chosen.every(({ stored }) => stored !== null)
  const isSaid = text.trim() !== '' || chosen.length > 0
  const maySend = isSaid && hasAll && !isClosed && unfilled.length === 0
  const onSend = () => {
    if (maySend && !isSending) send()
  }
  return (
    <Form onSubmit={onSend} {...drop}>
      <Stack gap="xs">
        {hasMoved ? <Moved /> : null}
        {elsewhere === null ? null : (
          <Suspense>
            <Elsewhere text={elsewhere} onSettled={settle} />
          </Suspense>
        )}
        <WritingField
          field={field}
          conversationId={conversation.id}
          mode={mode}
          text={text}
          onText={(next) => {
            setText(next)
            if (mode === 'reply') tellTyping(next !== '')
          }}
          onFiles={addFiles}
          onSend={onSend}
        />
        {chosen.length === 0 ? null : (
          <Suspense>
            <ChosenFiles
              list={chosen}
              onRemove={(file) => {
                files?.remove([file])
                field.current?.focus()
              }}
            />
          </Suspense>
        )}
        {mode === 'reply' ? (
          <Suspense>
            <Copilot conversationId={conversation.id} draft={draft} field={field} />
          </Suspense>
        ) : null}
        {unfilled.length > 0 ? (
          <Unfilled
            variables={unfilled}
            onChosen={(variable) => select(field.current, text.indexOf(variable), variable.length)}
          />
        ) : null}
        <Group justify="space-between" gap="xs" className="composer-acts">
          {addFiles ? <ChooseFiles onChosen={addFiles} /> : null}
          <Text c="dimmed" size="xs" className="send-hint">
            {t(sendWithEnter ? 'inbox.sendKeyEnter' : 'inbox.sendKey')}
          </Text>
          <Group gap="sm" ms="auto">
            {mode === 'reply' ? <ReplyWindow until={replyUntil} hasTemplates={hasTemplates} /> : null}
            <Button
              type="submit"
              variant={mode === 'note' ? 'default' : 'filled'}
              loading={isSending}
              disabled={!maySend}
            >
              {hasMoved ? t('inbox.sendAnyway') : t(`inbox.send.${mode}`)}
            </Button>
          </Group>
        </Group>
      </Stack>
    </Form>
  )
}

/** Tells that the conversation went on while this person wrote. */
function Moved() {
  const { t } = useTranslation()
  return (
    <Text role="alert" c="var(--parley-amber)" fw={600}>
      {t('inbox.moved')}
    </Text>
  )
}

/** Lists the variables in a text that have not been filled in. */
function Unfilled({
  variables,
  onChosen,
}: {
  variables: readonly string[]
  onChosen: (variable: string) => void
}) {
  const { t } = useTranslation()
  return (
    <Group gap="xs" role="alert" className="composer-unfilled">
      <Text c="var(--parley-amber)" size="secondary">
        {t('inbox.unfilled')}
      </Text>
      {variables.map((variable) => (
        <Button key={variable} variant="default" size="compact-xs" onClick={() => onChosen(variable)}>
          {variable}
        </Button>
      ))}
    </Group>
  )
}
