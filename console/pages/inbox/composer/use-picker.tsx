import { type KeyboardEvent, type RefObject, Suspense, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { lazyPart } from '../../../ui/lazy-part.tsx'
import type { Suggestion } from './Suggestions.tsx'
import { unfilledIn } from './tokens.ts'
import type { Mode } from './use-draft.ts'
import { useSuggestions } from './use-suggestions.tsx'

const Suggestions = lazyPart(() => import('./Suggestions.tsx'), 'Suggestions')

/** Suggestions for the typed text, and the keys that choose among them. */
export function usePicker(conversationId: string, mode: Mode, field: RefObject<HTMLTextAreaElement | null>) {
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

/** Selects a part of a field's text. */
export function select(field: HTMLTextAreaElement | null, start: number, length: number): void {
  field?.focus()
  field?.setSelectionRange(start, start + length)
}
