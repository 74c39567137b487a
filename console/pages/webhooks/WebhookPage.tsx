import { Button, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useAgent, useRight } from '../../api/session.ts'
import type { Notification } from '../../api/types.ts'
import { AskingButton } from '../../ui/AskingButton.tsx'
import { Back } from '../../ui/Back.tsx'
import { Delete } from '../../ui/Delete.tsx'
import { Loaded } from '../../ui/Loaded.tsx'
import { Page } from '../../ui/Page.tsx'
import { Section } from '../../ui/Section.tsx'
import { SettingsForm } from '../../ui/SettingsForm.tsx'
import { ShownOnce } from '../../ui/ShownOnce.tsx'
import { useAction } from '../../ui/use-action.ts'
import { useSeededForm } from '../../ui/use-seeded-form.ts'
import { Deliveries } from './Deliveries.tsx'
import { WebhookFields, type WebhookValues } from './WebhookFields.tsx'
import { WebhookMarks } from './WebhookMarks.tsx'

/** The page of a webhook: its settings, a test, and its deliveries. */
export function WebhookPage() {
  const { api, key } = useAgent()
  const { webhookId = '' } = useParams({ strict: false })
  const webhook = useQuery({
    queryKey: key('webhooks', 'one', webhookId),
    queryFn: async () => (await api.get(`/notifications/${webhookId}`)).data,
  })
  return <Loaded query={webhook}>{(read) => <OneWebhook key={read.id} webhook={read} />}</Loaded>
}

function OneWebhook({ webhook }: { webhook: Notification }) {
  const { t } = useTranslation()
  const { id, api, key } = useAgent()
  const navigate = useNavigate()
  const mayManage = useRight('manage')
  const [secret, setSecret] = useState<string | null>(null)
  const path = `/notifications/${webhook.id}` as const
  const refresh = [key('webhooks')]
  const testing = useAction({
    run: () => api.post(`${path}/test`),
    refresh,
    done: ({ data }) => t('webhooks.tested', { outcome: t(`webhooks.states.${data.state}`) }),
  })
  return (
    <Page
      title={webhook.name}
      lead={<WebhookMarks webhook={webhook} />}
      narrow
      actions={
        <>
          <Back to="/agents/$agentId/webhooks" label={t('pages.webhooks')} />
          {mayManage ? (
            <>
              <Button variant="default" onClick={() => testing.mutate()} loading={testing.isPending}>
                {t('webhooks.test')}
              </Button>
              <AskingButton
                label={t('webhooks.rotate')}
                text={t('webhooks.rotateText')}
                run={() => api.post(`${path}/rotate-secret`)}
                refresh={refresh}
                onDone={({ data }) => setSecret(data.secret)}
              />
              <Delete
                path={path}
                title={t('webhooks.removeTitle', { name: webhook.name })}
                text={t('webhooks.removeText')}
                refresh={refresh}
                done={t('webhooks.removed')}
                onDone={() =>
                  void navigate({ to: '/agents/$agentId/webhooks', params: { agentId: String(id) } })
                }
              />
            </>
          ) : null}
        </>
      }
    >
      <Deliveries webhookId={webhook.id} />
      <WebhookSettings webhook={webhook} onSecret={setSecret} />
      {secret ? (
        <ShownOnce
          title={t('webhooks.secretTitle')}
          text={t('webhooks.secretText')}
          secrets={[{ label: t('webhooks.secret'), value: secret }]}
          onClose={() => setSecret(null)}
        />
      ) : null}
    </Page>
  )
}

function valuesOf({ name, url, security, events, active }: Notification): WebhookValues {
  return { name, url, security, events: events as WebhookValues['events'], active }
}

/** Returns the body of a change. A secret that is sent in clear text must not have signed anything before. */
function bodyOf(values: WebhookValues, { security }: Notification) {
  const isShown = values.security === 'shared_secret' && security !== 'shared_secret'
  return { ...values, ...(isShown ? { secret: newSecret() } : {}) }
}

interface WebhookSettingsProps {
  webhook: Notification
  /** Called with a secret that saving created, which is shown only this once. */
  onSecret: (secret: string) => void
}

function WebhookSettings({ webhook, onSecret }: WebhookSettingsProps) {
  const { t } = useTranslation()
  const { api, key } = useAgent()
  const { form, save } = useSeededForm(webhook, {
    valuesOf,
    bodyOf,
    send: async (body) => {
      const { data } = await api.patch(`/notifications/${webhook.id}`, body)
      const { secret = data.secret } = body
      if (secret !== undefined) onSecret(secret)
      return data
    },
  })
  return (
    <Section title={t('pages.settings')}>
      <SettingsForm form={form} refresh={[key('webhooks')]} save={save}>
        <Stack>
          <WebhookFields form={form} />
        </Stack>
      </SettingsForm>
    </Section>
  )
}

function newSecret(): string {
  return `whsec_${btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(32))))}`
}
