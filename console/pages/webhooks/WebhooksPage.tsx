import { Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useAgent, useRight } from '../../api/session.ts'
import type { NotificationWithSecret } from '../../api/types.ts'
import { useList } from '../../api/use-list.ts'
import { Empty } from '../../ui/Empty.tsx'
import { PlusIcon, WebhookIcon } from '../../ui/icons.tsx'
import { ListRows } from '../../ui/ListRows.tsx'
import { Page } from '../../ui/Page.tsx'
import { Row } from '../../ui/Rows.tsx'
import { ShownOnce } from '../../ui/ShownOnce.tsx'
import { LastDelivery } from './LastDelivery.tsx'
import { NewWebhook } from './NewWebhook.tsx'
import { WebhookMarks } from './WebhookMarks.tsx'

/** The webhooks to which the agent's events are sent. */
export function WebhooksPage() {
  const { t } = useTranslation()
  const { id, api, key } = useAgent()
  const navigate = useNavigate()
  const mayManage = useRight('manage')
  const [isAdding, adding] = useDisclosure(false)
  const [made, setMade] = useState<NotificationWithSecret | null>(null)
  const webhooks = useList(key('webhooks'), api, '/notifications')
  const add = mayManage ? (
    <Button leftSection={<PlusIcon />} onClick={adding.open}>
      {t('webhooks.add')}
    </Button>
  ) : null
  const linkTo = (webhookId: number) =>
    ({
      to: '/agents/$agentId/webhooks/$webhookId',
      params: { agentId: String(id), webhookId: String(webhookId) },
    }) as const
  return (
    <Page title={t('pages.webhooks')} lead={t('webhooks.lead')} narrow actions={add}>
      <ListRows
        label={t('pages.webhooks')}
        query={webhooks}
        empty={
          <Empty icon={WebhookIcon} title={t('webhooks.empty')} text={t('webhooks.emptyText')} action={add} />
        }
      >
        {(webhook) => (
          <Row
            key={webhook.id}
            title={webhook.name}
            link={linkTo(webhook.id)}
            marks={<WebhookMarks webhook={webhook} />}
            about={
              <>
                <div>{webhook.url}</div>
                <LastDelivery delivery={webhook.last_delivery ?? null} />
              </>
            }
          />
        )}
      </ListRows>
      {isAdding ? (
        <NewWebhook
          onClose={adding.close}
          onMade={(webhook) => {
            adding.close()
            setMade(webhook)
          }}
        />
      ) : null}
      {made ? (
        <ShownOnce
          title={t('webhooks.secretTitle')}
          text={t('webhooks.secretText')}
          secrets={[{ label: t('webhooks.secret'), value: made.secret }]}
          onClose={() => void navigate(linkTo(made.id))}
        />
      ) : null}
    </Page>
  )
}
