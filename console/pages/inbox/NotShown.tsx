import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useAgent } from '../../api/session.ts'
import { Empty } from '../../ui/Empty.tsx'
import { InboxIcon } from '../../ui/icons.tsx'

/** Stands for a conversation that is not there, or that the person may not see: the service does not say which. */
export function NotShown() {
  const { t } = useTranslation()
  const { id } = useAgent()
  return (
    <Empty
      icon={InboxIcon}
      title={t('details.notShown')}
      isPage
      text={t('details.notShownText')}
      action={
        <Button
          variant="default"
          renderRoot={(props) => (
            <Link to="/agents/$agentId/inbox" params={{ agentId: String(id) }} search={true} {...props} />
          )}
        >
          {t('details.toInbox')}
        </Button>
      }
    />
  )
}
