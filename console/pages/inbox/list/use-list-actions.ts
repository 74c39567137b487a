import { useTranslation } from 'react-i18next'
import { useActions } from '../../../ui/page-actions.ts'
import type { InboxSearch } from '../inbox-search.ts'
import type { Asked } from './RowActions.tsx'

interface ListActions {
  search: InboxSearch
  onChange: (search: InboxSearch) => void
  /** Opens the row below or above the open one; undefined while there are no rows. */
  onStep: ((step: 1 | -1) => void) | undefined
  /** This and what follows are undefined while the person may not do it, or there is nothing to do it with. */
  onWrite: (() => void) | undefined
  onSelect: (() => void) | undefined
  onAsk: ((asked: Asked) => void) | undefined
}

/** Adds what keys and the palette do in the list. */
export function useListActions({ search, onChange, onStep, onWrite, onSelect, onAsk }: ListActions): void {
  const { t } = useTranslation()
  useActions([
    ...(onStep
      ? [
          { id: 'next', label: t('inbox.next'), key: 'j', run: () => onStep(1) },
          { id: 'previous', label: t('inbox.previous'), key: 'k', run: () => onStep(-1) },
        ]
      : []),
    {
      id: 'unread',
      label: t(search.unread ? 'inbox.showAll' : 'inbox.showUnread'),
      key: 'u',
      run: () => {
        const { unread, ...all } = search
        onChange(unread ? all : { ...all, unread: true })
      },
    },
    ...(onWrite ? [{ id: 'write', label: t('inbox.writeFirst'), key: 'w', run: onWrite }] : []),
    ...(onSelect ? [{ id: 'select', label: t('inbox.selectRow'), key: 'x', run: onSelect }] : []),
    ...(onAsk
      ? [
          { id: 'assign', label: t('inbox.assign'), key: 'a', run: () => onAsk('assign') },
          { id: 'tag', label: t('inbox.tag'), key: 't', run: () => onAsk('tag') },
          { id: 'priority', label: t('inbox.priority'), key: 'p', run: () => onAsk('priority') },
          { id: 'snooze', label: t('inbox.snooze'), key: 's', run: () => onAsk('snooze') },
          { id: 'macro', label: t('inbox.macro'), key: 'q', run: () => onAsk('macro') },
        ]
      : []),
  ])
}
