import { Button, Code, Group, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useAgent, useRight } from '../../api/session.ts'
import type { Delivery } from '../../api/types.ts'
import { useList } from '../../api/use-list.ts'
import { RefreshIcon } from '../../ui/icons.tsx'
import { ListRows } from '../../ui/ListRows.tsx'
import { Mark, type MarkTone } from '../../ui/Mark.tsx'
import { Row } from '../../ui/Rows.tsx'
import { Section } from '../../ui/Section.tsx'
import { Time } from '../../ui/Time.tsx'
import { useAction } from '../../ui/use-action.ts'

const tones: Record<Delivery['state'], MarkTone> = {
  pending: 'grey',
  sending: 'grey',
  delivered: 'green',
  rejected: 'red',
  failed: 'red',
  blocked: 'red',
  expired: 'grey',
  unknown: 'amber',
}

/** The deliveries, newest first, with the receiver's answers. */
export function Deliveries({ webhookId }: { webhookId: number }) {
  const { t } = useTranslation()
  const { api, key } = useAgent()
  const queryKey = key('webhooks', 'deliveries', webhookId)
  const deliveries = useList(queryKey, api, `/notifications/${webhookId}/deliveries`)
  return (
    <Section title={t('webhooks.deliveries')} lead={t('webhooks.deliveriesLead')}>
      <Group>
        <Button
          variant="default"
          leftSection={<RefreshIcon />}
          loading={deliveries.isRefetching}
          onClick={() => void deliveries.refetch()}
        >
          {t('webhooks.reload')}
        </Button>
      </Group>
      <ListRows
        label={t('webhooks.deliveries')}
        query={deliveries}
        empty={<Text c="dimmed">{t('webhooks.noDeliveries')}</Text>}
      >
        {(delivery) => <DeliveryRow key={delivery.id} delivery={delivery} webhookId={webhookId} />}
      </ListRows>
    </Section>
  )
}

function DeliveryRow({ delivery, webhookId }: { delivery: Delivery; webhookId: number }) {
  const { t } = useTranslation()
  const { api, key } = useAgent()
  const mayManage = useRight('manage')
  const [isOpen, setOpen] = useState(false)
  const { id, event_key, state, status, failure, duration_ms, created_at, answer, payload } = delivery
  const replaying = useAction({
    run: () => api.post(`/notifications/${webhookId}/deliveries/${id}/replay`),
    refresh: [key('webhooks')],
    done: t('webhooks.replayed'),
  })
  const facts = [status, failure, duration_ms === null ? null : `${duration_ms} ms`].filter(Boolean)
  return (
    <Row
      title={event_key}
      marks={<Mark tone={tones[state]}>{t(`webhooks.states.${state}`)}</Mark>}
      about={
        <>
          <Time at={created_at} /> {facts.length ? `· ${facts.join(' · ')}` : ''}
        </>
      }
      actions={
        <>
          <Button variant="default" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            {t('webhooks.details')}
          </Button>
          {mayManage ? (
            <Button variant="default" onClick={() => replaying.mutate()} loading={replaying.isPending}>
              {t('webhooks.replay')}
            </Button>
          ) : null}
        </>
      }
    >
      {isOpen ? (
        <Stack gap="xs">
          <Text fw={500}>{t('webhooks.sent')}</Text>
          <Code block className="foreign" tabIndex={0}>
            {payload === null ? t('webhooks.payloadGone') : readable(payload)}
          </Code>
          <Text fw={500}>{t('webhooks.answered')}</Text>
          <Code block className="foreign" tabIndex={0}>
            {answer || t('webhooks.noAnswer')}
          </Code>
        </Stack>
      ) : null}
    </Row>
  )
}

function readable(payload: string): string {
  try {
    return JSON.stringify(JSON.parse(payload), null, 2)
  } catch {
    return payload
  }
}
