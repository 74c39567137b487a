import { useForm } from '@mantine/form'
import { useTranslation } from 'react-i18next'
import { useAgent } from '../../api/session.ts'
import type { NotificationWithSecret } from '../../api/types.ts'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { markField } from '../../ui/mark-field.ts'
import { useAction } from '../../ui/use-action.ts'
import { WebhookFields, type WebhookValues } from './WebhookFields.tsx'

interface NewWebhookProps {
  onMade: (webhook: NotificationWithSecret) => void
  onClose: () => void
}

/** Creates a webhook; its secret is shown only this once. */
export function NewWebhook({ onMade, onClose }: NewWebhookProps) {
  const { t } = useTranslation()
  const { api, key } = useAgent()
  const form = useForm<WebhookValues>({
    initialValues: { name: '', url: '', security: 'signature', events: ['*'], active: true },
  })
  const making = useAction({
    run: (values: WebhookValues) => api.post('/notifications', values),
    refresh: [key('webhooks')],
    onDone: ({ data }) => onMade(data),
    onRefused: (error) => markField(form, error),
  })
  return (
    <FormDialog
      onClose={onClose}
      title={t('webhooks.add')}
      size="lg"
      form={form}
      storing={making}
      submit={t('webhooks.make')}
    >
      <WebhookFields form={form} />
    </FormDialog>
  )
}
