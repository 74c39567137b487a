import { ActionIcon, Button, Group, NativeSelect, Text, Tooltip } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { Suspense, useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { inboxSorts } from '../../../../src/inbox/inbox-query.ts'
import { inboxViews } from '../../../../src/inbox/inbox-views.ts'
import type { InboxCounts } from '../../../api/types.ts'
import { withTexts } from '../../../texts/index.ts'
import { FilterIcon, PencilIcon, SortIcon } from '../../../ui/icons.tsx'
import { lazyPart } from '../../../ui/lazy-part.tsx'
import { filtersOf, type InboxSearch } from '../inbox-search.ts'

const Filters = lazyPart(() => import('./Filters.tsx'), 'Filters')
const FigureChip = lazyPart(
  withTexts(() => import('../../support/FigureChip.tsx')),
  'FigureChip',
)

interface ListHeaderProps {
  search: InboxSearch
  counts: InboxCounts | undefined
  onChange: (search: InboxSearch) => void
  /** Begins to write to somebody; undefined for people who may not. */
  onWrite: (() => void) | undefined
}

/** The choices of the listed conversations and of their order. */
export function ListHeader({ search, counts, onChange, onWrite }: ListHeaderProps) {
  const { t } = useTranslation()
  const { view = 'open', sort = 'latest', unread, ...others } = search
  const next = inboxSorts[inboxSorts.indexOf(sort) + 1] ?? inboxSorts[0]
  const set = filtersOf(others)
  // A figure (`in`) has a chip of its own, and no field among the filters.
  const isAnySet = set.some((name) => name !== 'in')
  const [areShown, { open, toggle }] = useDisclosure(isAnySet)
  // A saved view may set them. They stay open without any: somebody may have emptied the field in which they type.
  useEffect(() => {
    if (isAnySet) open()
  }, [isAnySet, open])
  const countOf = (name: string) => (counts as Record<string, number | null> | undefined)?.[name]
  return (
    <>
      <Group px="sm" pt={{ base: 6, sm: 'sm' }} pb={{ base: 6, sm: 'xs' }} gap={4} wrap="nowrap">
        <Text flex={1} fw={600} truncate visibleFrom="sm">
          {t(`inbox.views.${view}`)}
        </Text>
        <NativeSelect
          hiddenFrom="sm"
          flex={1}
          aria-label={t('inbox.view')}
          value={view}
          onChange={(event) => onChange({ ...search, view: event.currentTarget.value as typeof view })}
          data={inboxViews.map((value) => ({
            value,
            label: `${t(`inbox.views.${value}`)}${countOf(value) ? ` (${countOf(value)})` : ''}`,
          }))}
        />
        <Button
          variant={unread ? 'light' : 'default'}
          px="xs"
          aria-pressed={unread === true}
          onClick={() => {
            const { unread: _, ...all } = search
            onChange(unread ? all : { ...all, unread: true })
          }}
        >
          {t('inbox.onlyUnread')}
        </Button>
        <Tooltip label={t('inbox.filters')}>
          <ActionIcon
            variant={set.length > 0 ? 'light' : 'default'}
            size={32}
            aria-label={set.length > 0 ? t('inbox.filtersSet', { count: set.length }) : t('inbox.filters')}
            aria-expanded={areShown}
            onClick={toggle}
          >
            <FilterIcon />
          </ActionIcon>
        </Tooltip>
        <Tooltip label={t(`inbox.sorts.${sort}`)}>
          <ActionIcon
            variant="default"
            size={32}
            aria-label={t(`inbox.sorts.${sort}`)}
            onClick={() => onChange({ ...search, sort: next })}
          >
            <SortIcon />
          </ActionIcon>
        </Tooltip>
        {onWrite ? (
          <Tooltip label={t('inbox.writeFirst')}>
            <ActionIcon variant="default" size={32} aria-label={t('inbox.writeFirst')} onClick={onWrite}>
              <PencilIcon />
            </ActionIcon>
          </Tooltip>
        ) : null}
      </Group>
      {search.in === undefined ? null : (
        <Suspense>
          <FigureChip
            figure={search.in}
            onRemove={() => {
              const { in: _, ...all } = search
              onChange(all)
            }}
          />
        </Suspense>
      )}
      {areShown ? (
        <Suspense>
          <Filters search={search} onChange={onChange} />
        </Suspense>
      ) : null}
    </>
  )
}
