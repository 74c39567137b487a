import { NavLink, Stack, Text } from '@mantine/core'
import { Link, useSearch } from '@tanstack/react-router'
import { Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { type InboxView, inboxViews } from '../../src/inbox/inbox-views.ts'
import { useAgent } from '../api/session.ts'
import { inboxSearch } from '../pages/inbox/inbox-search.ts'
import { isShown, useSavedViews } from '../pages/inbox/use-saved-views.ts'
import { withDeskTexts } from '../texts/index.ts'
import { lazyPart } from '../ui/lazy-part.tsx'
import { useInboxCounts } from '../ui/use-inbox-counts.ts'

const SavedViews = lazyPart(
  withDeskTexts(() => import('./SavedViews.tsx')),
  'SavedViews',
  'in a notice',
)

/** The views of the inbox, with the number of conversations in each. */
export function InboxViews() {
  const { t } = useTranslation()
  const { id } = useAgent()
  const counts = useInboxCounts()
  const search = inboxSearch(useSearch({ strict: false }))
  const inSaved = useSavedViews().some((saved) => isShown(saved, search))
  const countOf = (view: InboxView) =>
    (counts as Partial<Record<InboxView, number | null>> | undefined)?.[view]
  return (
    <Stack gap={0} pl={26}>
      {inboxViews.map((view) => (
        <NavLink
          key={view}
          label={t(`inbox.views.${view}`)}
          rightSection={
            <Text component="span" className="numbers" c="dimmed" size="xs">
              {countOf(view) || ''}
            </Text>
          }
          renderRoot={(props) => (
            <Link
              to="/agents/$agentId/inbox"
              params={{ agentId: String(id) }}
              // Filters and order are kept across views, but not those of a saved one, which is marked by itself.
              search={inSaved ? { view } : (search) => ({ ...inboxSearch(search), view })}
              activeOptions={{ includeSearch: true, explicitUndefined: true }}
              activeProps={inSaved ? {} : { 'data-active': true, 'aria-current': 'page' }}
              {...props}
            />
          )}
          className="shell-link shell-view"
          px="xs"
          color="gray"
          style={{ borderRadius: 8 }}
        />
      ))}
      <Suspense>
        <SavedViews />
      </Suspense>
    </Stack>
  )
}
