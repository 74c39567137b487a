import { Textarea } from '@mantine/core'
import type { KeyboardEvent, RefObject } from 'react'
import { useTranslation } from 'react-i18next'
import { usePreference } from '../../../api/preferences.ts'
import type { Mode } from './use-draft.ts'
import { usePicker } from './use-picker.tsx'

interface WritingFieldProps {
  field: RefObject<HTMLTextAreaElement | null>
  conversationId: string
  mode: Mode
  text: string
  onText: (text: string) => void
  /** Called with pasted files; null where none can be sent. */
  onFiles: ((files: readonly File[]) => void) | null
  onSend: () => void
}

/** The field for the text, with suggestions for what is typed. */
export function WritingField({
  field,
  conversationId,
  mode,
  text,
  onText,
  onFiles,
  onSend,
}: WritingFieldProps) {
  const { t } = useTranslation()
  const sendWithEnter = usePreference('sendWithEnter')
  const picker = usePicker(conversationId, mode, field)
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (isComposing(event) || picker.onKeyDown(event)) return
    if (event.key === 'Escape') return event.currentTarget.blur()
    if (!isSendKey(event, sendWithEnter)) return
    event.preventDefault()
    onSend()
  }
  return (
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
          onText(event.currentTarget.value)
          picker.look()
        }}
        onPaste={(event) => {
          const pasted = filesIn(event.clipboardData)
          if (!onFiles || pasted.length === 0) return
          event.preventDefault()
          onFiles(pasted)
        }}
        onSelect={picker.look}
        onBlur={picker.close}
        onKeyDown={onKeyDown}
      />
    </div>
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
