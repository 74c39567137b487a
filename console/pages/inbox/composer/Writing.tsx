import { Button, Group, Stack, Text, Textarea } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { type KeyboardEvent, Suspense, useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Refusal } from '../../../api/client.ts'
import { usePreference } from '../../../api/preferences.ts'
import { useAgent, useWho } from '../../../api/session.ts'
import type { Conversation } from '../../../api/types.ts'
import { sendAnswer } from '../../../api/unsent.ts'
import { withDeskTexts } from '../../../texts/index.ts'
import { lazyPart } from '../../../ui/lazy-part.tsx'
import { useAction } from '../../../ui/use-action.ts'
import { useDrop } from '../../../ui/use-drop.ts'
import { ChooseFiles } from '../files/ChooseFiles.tsx'
import type { ChosenFile, OpenFiles } from '../files/use-files.ts'
import { ReplyWindow } from './ReplyWindow.tsx'
import type { Suggestion } from './Suggestions.tsx'
import { unfilledIn } from './tokens.ts'
import { useTyping } from './use-company-signs.ts'
import { type Mode, useDraft } from './use-draft.ts'
import { useSuggestions } from './use-suggestions.tsx'

const Copilot = lazyPart(
  withDeskTexts(() => import('./copilot/Copilot.tsx')),
  'Copilot',
)

const ChosenFiles = lazyPart(() => import('../files/ChosenFiles.tsx'), 'ChosenFiles')
const Suggestions = lazyPart(() => import('./Suggestions.tsx'), 'Suggestions')
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
  const { id: agentId, api, key } = useAgent()
  const { operator } = useWho()
  const queries = useQueryClient()
  const field = useRef<HTMLTextAreaElement>(null)
  const draft = useDraft(conversation.id, mode)
  const { text, setText, elsewhere, settle, release, forget } = draft
  const tellTyping = useTyping(conversation.id)
  const sendWithEnter = usePreference('sendWithEnter')
  /** The newest message when this person began to write; an answer that came since should be read first. */
  const [after, setAfter] = useState<number | null>(null)
  const [hasMoved, setMoved] = useState(false)
  const unfilled = mode === 'reply' ? unfilledIn(text) : []
  const picker = usePicker(conversation.id, mode, field)
  const chosen = files?.list ?? []
  const isEmpty = text === '' && chosen.length === 0
  const begin = () => {
    if (isEmpty) setAfter(lastMessageId)
  }
  const addFiles =
    files &&
    ((added: readonly File[]) => {
      begin()
      files.add(added)
    })
  const drop = useDrop(addFiles && ((dropped) => addFiles([...dropped.files])))

  const sending = useAction({
    /** @returns true if it was sent; an answer may also wait until it can be sent */
    run: async (sent: readonly ChosenFile[]) => {
      if (mode === 'reply') {
        release()
        const seen = hasMoved ? null : after
        return sendAnswer(operator.id, {
          agentId,
          conversationId: conversation.id,
          content: text,
          attachments: sent.flatMap(({ stored }) => stored ?? []),
          ...draft.marks,
          after: seen,
        })
      }
      await api.post(`/conversations/${conversation.id}/notes`, { text })
      return true
    },
    refresh: [key('conversation', conversation.id), key('inbox')],
    onDone: (isSent, sent) => {
      files?.remove(sent)
      if (isSent) forget()
      // The service may still have this text as a draft.
      else setText('')
      setAfter(null)
      setMoved(false)
      if (mode === 'reply') tellTyping(false)
      field.current?.focus()
    },
    onRefused: (error) => {
      if (mode === 'reply') setText(text)
      const isMoved = error instanceof Refusal && error.code === 'conversation_moved'
      // The reply window has closed while this person wrote, so read again until when it was open.
      if (error instanceof Refusal && error.code === 'window_closed')
        void queries.invalidateQueries({ queryKey: key('conversation', conversation.id, 'entry') })
      if (isMoved) setMoved(true)
      return isMoved
    },
  })
  const hasAll = chosen.every(({ stored }) => stored !== null)
  const isSaid = text.trim() !== '' || chosen.length > 0
  const maySend = isSaid && hasAll && !isClosed && unfilled.length === 0
  const send = () => {
    if (maySend && !sending.isPending) sending.mutate(chosen)
  }
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (isComposing(event) || picker.onKeyDown(event)) return
    if (event.key === 'Escape') return event.currentTarget.blur()
    if (!isSendKey(event, sendWithEnter)) return
    event.preventDefault()
    send()
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        send()
      }}
      {...drop}
    >
      <Stack gap="xs">
        {hasMoved ? <Moved /> : null}
        {elsewhere === null ? null : (
          <Suspense>
            <Elsewhere text={elsewhere} onSettled={settle} />
          </Suspense>
        )}
        <div className="field-with-suggestions">
          {picker.list}
          <Textarea
            ref={field}
            aria-label={t(`inbox.writing.${mode}`)}
            placeholder={t(`inbox.writing.${mode}`)}
            autosize
            minRows={2}
            maxRows={10}
            dir="auto"
            value={text}
            {...picker.fieldProps}
            onChange={(event) => {
              begin()
              setText(event.currentTarget.value)
              picker.look()
              if (mode === 'reply') tellTyping(event.currentTarget.value !== '')
            }}
            onPaste={(event) => {
              const pasted = filesIn(event.clipboardData)
              if (!addFiles || pasted.length === 0) return
              event.preventDefault()
              addFiles(pasted)
            }}
            onSelect={picker.look}
            onBlur={picker.close}
            onKeyDown={onKeyDown}
          />
        </div>
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
              loading={sending.isPending}
              disabled={!maySend}
            >
              {hasMoved ? t('inbox.sendAnyway') : t(`inbox.send.${mode}`)}
            </Button>
          </Group>
        </Group>
      </Stack>
    </form>
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

/** Returns the pasted files. A copied part of a document comes as text and as a picture: the text is meant. */
function filesIn({ files, types }: DataTransfer): File[] {
  return types.includes('text/plain') ? [] : [...files]
}

/** Enter that ends an input method's composition never sends. Safari marks it only with this key code. */
function isComposing(event: KeyboardEvent): boolean {
  return event.nativeEvent.isComposing || event.keyCode === 229
}

function isSendKey(event: KeyboardEvent, sendWithEnter: boolean): boolean {
  if (event.key !== 'Enter' || event.shiftKey || event.altKey) return false
  return event.ctrlKey || event.metaKey || sendWithEnter
}

/** Suggestions for the typed text, and the keys that choose among them. */
function usePicker(conversationId: string, mode: Mode, field: React.RefObject<HTMLTextAreaElement | null>) {
  const { t } = useTranslation()
  const id = useId()
  const [beforeCaret, setBeforeCaret] = useState<string | null>(null)
  const [dismissed, setDismissed] = useState<number | null>(null)
  const [chosen, setChosen] = useState(0)
  const { token, kind, items } = useSuggestions(conversationId, mode, beforeCaret)
  const isOpen = token !== null && token.start !== dismissed && items.length > 0
  const at = Math.min(chosen, items.length - 1)

  const take = ({ text }: Suggestion) => {
    const { current } = field
    if (!current || !token) return
    select(current, token.start, token.query.length + 1)
    // The text is inserted as if it had been typed, so that undo removes it.
    document.execCommand('insertText', false, text)
    setBeforeCaret(null)
    setChosen(0)
    const [first] = unfilledIn(text)
    if (first) select(current, current.value.indexOf(first, token.start), first.length)
  }
  return {
    look() {
      const { current } = field
      if (!current) return
      const isPlain = current.selectionStart === current.selectionEnd
      const before = isPlain ? current.value.slice(0, current.selectionStart) : null
      if (before !== beforeCaret) setChosen(0)
      setBeforeCaret(before)
    },
    close: () => setBeforeCaret(null),
    fieldProps: isOpen
      ? {
          'aria-controls': id,
          'aria-autocomplete': 'list' as const,
          'aria-activedescendant': `${id}-${at}`,
        }
      : {},
    /** Returns true if the key was for the suggestions. */
    onKeyDown(event: KeyboardEvent): boolean {
      if (!isOpen) return false
      const item = items[at]
      if (event.key === 'ArrowDown') setChosen((at + 1) % items.length)
      else if (event.key === 'ArrowUp') setChosen((at + items.length - 1) % items.length)
      else if (event.key === 'Escape') setDismissed(token.start)
      else if ((event.key === 'Enter' || event.key === 'Tab') && item) take(item)
      else return false
      event.preventDefault()
      return true
    },
    list: isOpen ? (
      <Suspense>
        <Suggestions id={id} label={t(`inbox.suggestions.${kind}`)} items={items} chosen={at} onTake={take} />
      </Suspense>
    ) : null,
  }
}

function select(field: HTMLTextAreaElement | null, start: number, length: number): void {
  field?.focus()
  field?.setSelectionRange(start, start + length)
}
