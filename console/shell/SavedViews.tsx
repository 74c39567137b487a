import { NavLink, Stack, Text } from '@mantine/core'
import { Link, useSearch } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useAgent } from '../api/session.ts'
import { inboxSearch } from '../pages/inbox/inbox-search.ts'
import { isShown, searchOfView, useSavedViews } from '../pages/inbox/use-saved-views.ts'

/** The saved views of the inbox, each with the number of its conversations. */
export function SavedViews() {
  const { t } = useTranslation()
  const { id } = useAgent()
  const views = useSavedViews()
  const search = inboxSearch(useSearch({ strict: false }))
  if (views.length === 0) return null
  return (
    <Stack gap={0} component="nav" aria-label={t('savedViews.title')}>
      {views.map((view) => {
        const isCurrent = isShown(view, search)
        return (
          <NavLink
            key={view.id}
            label={<bdi>{view.name}</bdi>}
            active={isCurrent}
            aria-current={isCurrent ? 'page' : undefined}
            rightSection={
              <Text component="span" className="numbers" c="dimmed" size="xs">
                {view.count ? `${view.count}${view.count_capped ? '+' : ''}` : ''}
              </Text>
            }
            renderRoot={(props) => (
              <Link
                to="/agents/$agentId/inbox"
                params={{ agentId: String(id) }}
                search={searchOfView(view)}
                {...props}
              />
            )}
            className="shell-link shell-view foreign"
            px="xs"
            color="gray"
            style={{ borderRadius: 8 }}
          />
        )
      })}
    </Stack>
  )
}
