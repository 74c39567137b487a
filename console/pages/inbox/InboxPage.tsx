import { Box } from '@mantine/core'
import { Outlet, useParams } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useAgent } from '../../api/session.ts'
import { useTitle } from '../../ui/use-title.ts'
import { ConversationList } from './list/ConversationList.tsx'
import './InboxPage.css'

/** The list of conversations beside the open one; a phone shows only one of the two. */
export function InboxPage() {
  const { t } = useTranslation()
  const { id, name } = useAgent()
  const { conversationId } = useParams({ strict: false })
  useTitle(t('pages.inbox'), name)
  return (
    <Box className="inbox" data-open={conversationId !== undefined || undefined}>
      <ConversationList key={id} />
      <Box className="inbox-open">
        <Outlet />
      </Box>
    </Box>
  )
}
