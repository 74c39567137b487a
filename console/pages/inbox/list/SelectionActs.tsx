import { Suspense } from 'react'
import { withTexts } from '../../../texts/index.ts'
import { lazyPart } from '../../../ui/lazy-part.tsx'
import { useBulk } from '../bulk/use-bulk.ts'
import { useMatching } from '../bulk/use-matching.ts'
import type { InboxSearch } from '../inbox-search.ts'
import type { Asked } from './RowActions.tsx'
import type { Selection } from './use-selection.ts'

const SelectionBar = lazyPart(
  withTexts(() => import('./SelectionBar.tsx')),
  'SelectionBar',
)
const RowActions = lazyPart(() => import('./RowActions.tsx'), 'RowActions', 'in a notice')

interface SelectionActsProps {
  search: InboxSearch
  selection: Selection
  /** True if more conversations match than are selected. */
  hasMore: boolean
  /** The dialog that was asked for, and the row that it is for. */
  asked: { what: Asked | null; id: string | null }
  onAsk: (what: Asked) => void
  onAsked: () => void
}

/** The bar of the selected rows, and the dialogs that act on them or on one row. */
export function SelectionActs({ search, selection, hasMore, asked, onAsk, onAsked }: SelectionActsProps) {
  const { isEmpty, isAll, count, ended, part, clear } = selection
  const bulk = useBulk(clear)
  const counted = useMatching(search, isAll)
  const matching = isAll ? counted : { open: count - ended, ended }
  return (
    <>
      {isEmpty ? null : (
        <Suspense>
          <SelectionBar
            matching={matching}
            isAll={isAll}
            onAll={!isAll && hasMore ? selection.all : undefined}
            isBusy={bulk.isPending}
            onAsk={onAsk}
            onEnd={() => bulk.mutate({ target: part(false), action: { type: 'end' } })}
            onReopen={() => bulk.mutate({ target: part(true), action: { type: 'reopen' } })}
            onClear={clear}
          />
        </Suspense>
      )}
      <Suspense>
        <RowActions
          conversationId={asked.id}
          selection={isEmpty ? null : selection.target}
          count={isEmpty || !matching ? undefined : matching.open + matching.ended}
          bulk={bulk}
          asked={asked.what}
          onAsked={onAsked}
        />
      </Suspense>
    </>
  )
}
