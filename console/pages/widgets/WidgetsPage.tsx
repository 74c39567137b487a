import { Button, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useDisclosure } from '@mantine/hooks'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useAgent } from '../../api/session.ts'
import type { WidgetWithSecret } from '../../api/types.ts'
import { useList } from '../../api/use-list.ts'
import { Empty } from '../../ui/Empty.tsx'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { PlusIcon, SpeechIcon } from '../../ui/icons.tsx'
import { ListRows } from '../../ui/ListRows.tsx'
import { Mark } from '../../ui/Mark.tsx'
import { markField } from '../../ui/mark-field.ts'
import { Page } from '../../ui/Page.tsx'
import { Row } from '../../ui/Rows.tsx'
import { useAction } from '../../ui/use-action.ts'
import { AT, WithTime } from '../../ui/WithTime.tsx'
import { IdentitySecret } from './IdentitySecret.tsx'
import { OriginsInput } from './OriginsInput.tsx'

/** The chats on web sites. */
export function WidgetsPage() {
  const { t } = useTranslation()
  const { id, api, key } = useAgent()
  const navigate = useNavigate()
  const [isAdding, adding] = useDisclosure(false)
  const [made, setMade] = useState<WidgetWithSecret | null>(null)
  const widgets = useList(key('widgets'), api, '/widgets')
  const linkTo = (widgetId: number) =>
    ({
      to: '/agents/$agentId/widgets/$widgetId',
      params: { agentId: String(id), widgetId: String(widgetId) },
    }) as const
  const add = (
    <Button leftSection={<PlusIcon />} onClick={adding.open}>
      {t('widgets.add')}
    </Button>
  )
  return (
    <Page title={t('pages.widgets')} lead={t('widgets.lead')} narrow actions={add}>
      <ListRows
        label={t('pages.widgets')}
        query={widgets}
        empty={
          <Empty icon={SpeechIcon} title={t('widgets.empty')} text={t('widgets.emptyText')} action={add} />
        }
      >
        {(widget) => (
          <Row
            key={widget.id}
            title={widget.name}
            link={linkTo(widget.id)}
            marks={
              <Mark tone={widget.active ? 'green' : 'grey'}>
                {widget.active ? t('webhooks.isOn') : t('webhooks.isOff')}
              </Mark>
            }
            about={
              <>
                <div>{widget.allowed_origins.join(' · ') || t('widgets.onlyHere')}</div>
                {widget.activity?.last_message_at ? (
                  <>
                    {t('widgets.visitors', { count: widget.activity.visitors })}
                    {' · '}
                    <WithTime
                      text={t('widgets.lastMessage', { at: AT })}
                      at={widget.activity.last_message_at}
                    />
                  </>
                ) : (
                  t('widgets.noMessage')
                )}
              </>
            }
          />
        )}
      </ListRows>
      {isAdding ? (
        <NewWidget
          onClose={adding.close}
          onMade={(widget) => {
            adding.close()
            setMade(widget)
          }}
        />
      ) : null}
      {made ? (
        <IdentitySecret secret={made.identity_secret} onClose={() => void navigate(linkTo(made.id))} />
      ) : null}
    </Page>
  )
}

interface NewWidgetProps {
  onMade: (widget: WidgetWithSecret) => void
  onClose: () => void
}

/** Asks only for a name and the sites; everything else has a default. */
function NewWidget({ onMade, onClose }: NewWidgetProps) {
  const { t } = useTranslation()
  const { api, key } = useAgent()
  const form = useForm({ initialValues: { name: '', allowed_origins: [] as string[] } })
  const making = useAction({
    run: (values: typeof form.values) => api.post('/widgets', values),
    refresh: [key('widgets')],
    onDone: ({ data }) => onMade(data),
    onRefused: (error) => markField(form, error),
  })
  return (
    <FormDialog
      onClose={onClose}
      title={t('widgets.add')}
      form={form}
      storing={making}
      submit={t('widgets.make')}
      isReady={form.values.name.trim() !== ''}
    >
      <TextInput
        label={t('widgets.name')}
        description={t('widgets.nameHint')}
        data-autofocus
        {...form.getInputProps('name')}
      />
      <OriginsInput {...form.getInputProps('allowed_origins')} />
    </FormDialog>
  )
}
