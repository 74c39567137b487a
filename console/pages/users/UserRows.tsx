import { useTranslation } from 'react-i18next'
import { useAgent } from '../../api/session.ts'
import type { User } from '../../api/types.ts'
import { joined } from '../../texts/isolated.ts'
import { Row, Rows } from '../../ui/Rows.tsx'
import { Time } from '../../ui/Time.tsx'
import { useUserName } from '../../ui/user-name.ts'
import { userAddress, useUserSource } from '../../ui/user-source.ts'

/** End users, each with a link to their page. */
export function UserRows({ users }: { users: readonly User[] }) {
  const { t } = useTranslation()
  const userName = useUserName()
  const sourceOf = useUserSource()
  const { id } = useAgent()
  return (
    <Rows label={t('pages.users')}>
      {users.map((user) => (
        <Row
          key={userAddress(user)}
          title={userName(user)}
          link={{
            to: '/agents/$agentId/users/$userId',
            params: { agentId: String(id), userId: userAddress(user) },
          }}
          about={joined([
            userName(user) === user.id ? null : user.id,
            sourceOf(user),
            ...Object.entries(user.attributes).map(([name, value]) => `${name}: ${value}`),
          ])}
          actions={<Time at={user.first_seen_at} />}
        />
      ))}
    </Rows>
  )
}
