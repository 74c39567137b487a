import { Group, Mark, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useAgent } from '../../api/session.ts'
import type { SearchHit } from '../../api/types.ts'
import { Time } from '../../ui/Time.tsx'
import { useUserName } from '../../ui/user-name.ts'
import { userOf } from './user-of.ts'

/** Returns the hit's place in its thread, with the words to mark there. */
function placeOf({ kind, id, created_at, piece }: SearchHit) {
  const found = piece.flatMap(({ text, marked }) => (marked ? text : []))
  return {
    ...(kind === 'message' ? { message: id } : { note: id, at: created_at }),
    found: [...new Set(found)].join(' '),
  }
}

/** A message or note that was found, with its matches marked; it opens the conversation at that place. */
export function Hit({ hit }: { hit: SearchHit }) {
  const { t } = useTranslation()
  const userName = useUserName()
  const { id } = useAgent()
  const { conversation, piece, role, author, created_at } = hit
  const who = author ?? t(role === null ? 'search.note' : `inbox.roles.${role}`)
  return (
    <li className="row">
      <Link
        className="search-hit"
        to="/agents/$agentId/inbox/$conversationId"
        params={{ agentId: String(id), conversationId: conversation.id }}
        search={{ view: 'all', ...placeOf(hit) } as object}
      >
        <Group gap="xs" justify="space-between">
          <Text fw={600} className="foreign">
            <bdi>{userName(userOf(conversation))}</bdi>
          </Text>
          <Text c="dimmed" size="xs" component="span">
            {who}
          </Text>
        </Group>
        <Text className="foreign" dir="auto">
          {piece.map(({ text, marked }, index) =>
            // biome-ignore lint/suspicious/noArrayIndexKey: pieces of one text have no identity but their place
            marked ? <Mark key={index}>{text}</Mark> : text,
          )}
        </Text>
      </Link>
      <Text c="dimmed" size="xs" component="div">
        <Time at={created_at} />
      </Text>
    </li>
  )
}
