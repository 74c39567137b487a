import { Button, NativeSelect, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useDisclosure } from '@mantine/hooks'
import { useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useAgent, useRight } from '../../api/session.ts'
import type { Channel } from '../../api/types.ts'
import { useList } from '../../api/use-list.ts'
import { Empty } from '../../ui/Empty.tsx'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { PlugIcon, PlusIcon } from '../../ui/icons.tsx'
import { ListRows } from '../../ui/ListRows.tsx'
import { Mark } from '../../ui/Mark.tsx'
import { markField } from '../../ui/mark-field.ts'
import { Page } from '../../ui/Page.tsx'
import { Row } from '../../ui/Rows.tsx'
import { ShownOnce } from '../../ui/ShownOnce.tsx'
import { useAction } from '../../ui/use-action.ts'
import { AT, WithTime } from '../../ui/WithTime.tsx'
import { channelSettings, missingSettings, newVerifyToken } from './kinds.ts'

/** The list of the accounts on messaging platforms through which people reach the agent. */
export function ChannelsPage() {
  const { t } = useTranslation()
  const { id, api, key } = useAgent()
  const mayManage = useRight('manage')
  const [isAdding, adding] = useDisclosure(false)
  const channels = useList(key('channels'), api, '/channels')
  const add = mayManage ? (
    <Button leftSection={<PlusIcon />} onClick={adding.open}>
      {t('channels.add')}
    </Button>
  ) : null
  return (
    <Page title={t('pages.channels')} lead={t('channels.lead')} narrow actions={add}>
      <ListRows
        label={t('pages.channels')}
        query={channels}
        empty={
          <Empty icon={PlugIcon} title={t('channels.empty')} text={t('channels.emptyText')} action={add} />
        }
      >
        {(channel) => (
          <Row
            key={channel.id}
            title={channel.name ?? t(`platforms.${channel.kind}`)}
            link={{
              to: '/agents/$agentId/channels/$channelId',
              params: { agentId: String(id), channelId: String(channel.id) },
            }}
            marks={
              <>
                <State channel={channel} />
                {channel.activity?.parked ? (
                  <Mark tone="red">{t('channels.parkedCount', { count: channel.activity.parked })}</Mark>
                ) : null}
              </>
            }
            about={
              <>
                {t(`platforms.${channel.kind}`)}
                {' · '}
                {channel.activity?.last_message_at ? (
                  <WithTime
                    text={t('channels.lastMessage', { at: AT })}
                    at={channel.activity.last_message_at}
                  />
                ) : (
                  t('channels.noMessage')
                )}
              </>
            }
          />
        )}
      </ListRows>
      {isAdding ? <NewChannel onClose={adding.close} /> : null}
    </Page>
  )
}

/** Shows whether a channel is on and, as far as the service knows, able to answer. */
function State({ channel }: { channel: Channel }) {
  const { t } = useTranslation()
  if (!channel.active) return <Mark tone="grey">{t('webhooks.isOff')}</Mark>
  if (missingSettings(channel).length > 0) return <Mark tone="amber">{t('channels.incomplete')}</Mark>
  if (channel.activity?.token_refused) return <Mark tone="red">{t('channels.sendingFails')}</Mark>
  return <Mark tone="green">{t('webhooks.isOn')}</Mark>
}

/** Asks only for kind and name: the address to paste into the platform comes first, the secrets after it. */
function NewChannel({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation()
  const { id, api, key } = useAgent()
  const navigate = useNavigate()
  const form = useForm({ initialValues: { kind: 'messenger-one' as Channel['kind'], name: '' } })
  const making = useAction({
    run: async ({ kind, name }: typeof form.values) => {
      const verifyToken = channelSettings[kind].some((field) => field === 'verify_token')
        ? newVerifyToken()
        : null
      const { data } = await api.post('/channels', {
        kind,
        name: name.trim() || null,
        active: false,
        settings: verifyToken === null ? {} : { verify_token: verifyToken },
      })
      return { channel: data, verifyToken }
    },
    refresh: [key('channels')],
    onDone: ({ channel, verifyToken }) => {
      if (verifyToken === null) open(channel)
    },
    onRefused: (error) => markField(form, error),
  })
  const open = ({ id: channelId }: Channel) =>
    void navigate({
      to: '/agents/$agentId/channels/$channelId',
      params: { agentId: String(id), channelId: String(channelId) },
    })
  if (making.data?.verifyToken) {
    const { channel, verifyToken } = making.data
    return (
      <ShownOnce
        title={t('channels.madeTitle')}
        text={t('channels.madeText')}
        secrets={[
          { label: t('channels.address'), value: channel.webhook_url ?? '' },
          { label: t('channels.settings.verify_token'), value: verifyToken },
        ]}
        onClose={() => open(channel)}
      />
    )
  }
  return (
    <FormDialog
      onClose={onClose}
      title={t('channels.add')}
      form={form}
      storing={making}
      submit={t('channels.next')}
    >
      <NativeSelect
        label={t('channels.kind')}
        data={(Object.keys(channelSettings) as Channel['kind'][]).map((value) => ({
          value,
          label: t(`platforms.${value}`),
        }))}
        {...form.getInputProps('kind')}
      />
      <TextInput
        label={t('channels.name')}
        description={t('channels.nameHint')}
        data-autofocus
        {...form.getInputProps('name')}
      />
    </FormDialog>
  )
}
