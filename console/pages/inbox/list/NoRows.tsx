import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Empty } from '../../../ui/Empty.tsx'
import { InboxIcon } from '../../../ui/icons.tsx'
import { filtersOf, type InboxSearch, withoutFilters } from '../inbox-search.ts'

interface NoRowsProps {
  search: InboxSearch
  onChange: (search: InboxSearch) => void
}

/** Says that a view has no conversations. */
export function NoRows({ search, onChange }: NoRowsProps) {
  const { t } = useTranslation()
  if (filtersOf(search).length === 0) {
    const isPart = search.view !== undefined && search.view !== 'open' && search.view !== 'all'
    const text = t(isPart ? 'inbox.emptyPart' : 'inbox.emptyText')
    return <Empty icon={InboxIcon} title={t('inbox.empty')} text={text} />
  }
  return (
    <Empty
      icon={InboxIcon}
      title={t('inbox.noMatch')}
      text={t('inbox.noMatchText')}
      action={
        <Button variant="default" onClick={() => onChange(withoutFilters(search))}>
          {t('inbox.clearFilters')}
        </Button>
      }
    />
  )
}
