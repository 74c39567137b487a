import { Anchor } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useAgent } from '../../api/session.ts'

/** A link to a conversation. */
export function ConversationLink({ id }: { id: string }) {
  const { t } = useTranslation()
  const { id: agentId } = useAgent()
  return (
    <Anchor
      size="secondary"
      underline="always"
      renderRoot={(props) => (
        <Link
          to="/agents/$agentId/inbox/$conversationId"
          params={{ agentId: String(agentId), conversationId: id }}
          {...props}
        />
      )}
    >
      {t('rules.conversation')}
    </Anchor>
  )
}
