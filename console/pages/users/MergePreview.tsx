import { List, Paper, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { User, UserProfile } from '../../api/types.ts'
import { useUserName } from '../../ui/user-name.ts'

/** Shows what a person gets from another who is merged into them, and what does not change. */
export function MergePreview({ user, into }: { user: UserProfile; into: User }) {
  const { t } = useTranslation()
  const userName = useUserName()
  const names = { name: userName(user), into: userName(into) }
  const attributes = Object.keys(user.attributes)
  const gets = attributes.filter((name) => !(name in into.attributes))
  const keeps = attributes.filter(
    (name) => name in into.attributes && into.attributes[name] !== user.attributes[name],
  )
  const isBlocked = (user.blocked_at === null) !== (into.blocked_at === null)
  const lines = [
    t('users.mergeConversations', { ...names, count: user.counts.conversations }),
    user.name !== null && into.name === null ? t('users.mergeName', names) : null,
    gets.length > 0 ? t('users.mergeGets', { ...names, list: gets.join(', ') }) : null,
    keeps.length > 0 ? t('users.mergeKeeps', { ...names, list: keeps.join(', ') }) : null,
    isBlocked ? t('users.mergeBlocks') : null,
    t('users.mergeUndo'),
  ].filter((line) => line !== null)
  return (
    <Paper withBorder p="sm" role="status">
      <Text fw={600} className="foreign">
        {t('users.mergePreview', names)}
      </Text>
      <List size="sm" className="foreign">
        {lines.map((line) => (
          <List.Item key={line}>{line}</List.Item>
        ))}
      </List>
    </Paper>
  )
}
