import { Text, VisuallyHidden } from '@mantine/core'
import { Link, type LinkProps } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { teamApi } from '../api/client.ts'
import type { Notice } from '../api/types.ts'
import { Time } from '../ui/Time.tsx'
import { useAction } from '../ui/use-action.ts'
import { NOTICES } from './use-notices.ts'

/** A notice as a sentence, which leads to what it is about. */
export function NoticeLine({ notice, onOpened }: { notice: Notice; onOpened: () => void }) {
  const { t } = useTranslation()
  const words = useWords()
  const isUnread = notice.unread
  const reading = useAction({
    run: () => teamApi.put(`/notices/${notice.id}/read`, {}),
    refresh: [NOTICES],
  })
  const open = () => {
    if (isUnread) reading.mutate()
    onOpened()
  }
  return (
    <li>
      <Link className="notices-line" data-unread={isUnread || undefined} onClick={open} {...placeOf(notice)}>
        <Text component="span" size="sm" fw={isUnread ? 600 : 400} className="foreign">
          {words(notice)}
          {notice.count > 1 ? ` (${notice.count})` : ''}
        </Text>
        <Text component="span" size="xs" c="dimmed">
          {notice.agent.name} · <Time at={notice.at} />
          {isUnread ? <VisuallyHidden component="span"> · {t('notices.isUnread')}</VisuallyHidden> : null}
        </Text>
      </Link>
    </li>
  )
}

/** Returns a function that says what a notice tells. */
function useWords(): (notice: Notice) => string {
  const { t } = useTranslation()
  return ({ kind, by, user, failed }) => {
    const name = failed?.name ?? ''
    if (failed) return t(`notices.failed.${failed.what}`, { name })
    if (kind === 'assigned' && by === null) return t('notices.given')
    return t(`notices.is.${kind as Exclude<typeof kind, 'failed'>}`, {
      by: by ?? t('notices.somebody'),
      user: user ?? t('notices.aUser'),
    })
  }
}

function placeOf({ agent, conversation_id, failed }: Notice): Pick<LinkProps, 'to' | 'params'> {
  const agentId = String(agent.id)
  if (conversation_id !== null)
    return {
      to: '/agents/$agentId/inbox/$conversationId',
      params: { agentId, conversationId: conversation_id },
    }
  if (failed?.what === 'webhook')
    return { to: '/agents/$agentId/webhooks/$webhookId', params: { agentId, webhookId: String(failed.id) } }
  if (failed?.what === 'channel')
    return { to: '/agents/$agentId/channels/$channelId', params: { agentId, channelId: String(failed.id) } }
  return { to: '/agents/$agentId/settings/model', params: { agentId } }
}
