import { TextInput } from '@mantine/core'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useAgent, useRight } from '../../api/session.ts'
import { useList } from '../../api/use-list.ts'
import { Empty } from '../../ui/Empty.tsx'
import { SearchIcon, UsersIcon } from '../../ui/icons.tsx'
import { Loaded } from '../../ui/Loaded.tsx'
import { NextPage } from '../../ui/NextPage.tsx'
import { Page } from '../../ui/Page.tsx'
import { useTyped } from '../../ui/use-typed.ts'
import { ImportUsers } from './ImportUsers.tsx'
import { UserRows } from './UserRows.tsx'

/** The people who talk to the agent, the most recent first. */
export function UsersPage() {
  const { t } = useTranslation()
  const { id, api, key } = useAgent()
  const navigate = useNavigate()
  const { q = '' } = useSearch({ strict: false }) as { q?: string }
  const typed = useTyped(
    q,
    (text) =>
      void navigate({
        to: '/agents/$agentId/users',
        params: { agentId: String(id) },
        search: text ? { q: text } : {},
        replace: true,
      }),
  )
  const canManage = useRight('manage')
  const users = useList(key('users'), api, '/users', { q })
  return (
    <Page title={t('pages.users')} lead={t('users.lead')} narrow actions={canManage ? <ImportUsers /> : null}>
      <TextInput
        aria-label={t('users.find')}
        placeholder={t('users.find')}
        leftSection={<SearchIcon />}
        autoComplete="off"
        {...typed}
      />
      <Loaded query={users}>
        {({ items }) =>
          items.length > 0 ? (
            <UserRows users={items} />
          ) : (
            <Empty
              icon={UsersIcon}
              title={t(q ? 'users.noMatch' : 'users.empty')}
              text={t(q ? 'users.noMatchText' : 'users.emptyText')}
            />
          )
        }
      </Loaded>
      <NextPage query={users} />
    </Page>
  )
}
