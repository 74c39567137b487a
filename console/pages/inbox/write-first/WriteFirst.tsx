import {
  Alert,
  Button,
  Checkbox,
  Group,
  Modal,
  NativeSelect,
  SegmentedControl,
  Stack,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type NamedChannel, useChannels } from '../../../api/channels.ts'
import { Refusal } from '../../../api/client.ts'
import { useAgent } from '../../../api/session.ts'
import { Loaded } from '../../../ui/Loaded.tsx'
import { useRefusalText, withoutParam } from '../../../ui/refusal-text.ts'
import { useAction } from '../../../ui/use-action.ts'
import { hasTemplates } from '../../channels/has-templates.ts'
import { ChooseFiles } from '../files/ChooseFiles.tsx'
import { ChosenFiles } from '../files/ChosenFiles.tsx'
import { type OpenFiles, useFiles } from '../files/use-files.ts'
import { inboxSearch } from '../inbox-search.ts'
import { TemplateFields } from './TemplateFields.tsx'
import { type ChosenTemplate, faultsOf, templateMessage } from './template-faults.ts'
import { useSentOnce } from './use-sent-once.ts'

/** A dialog in which a person writes to somebody on a channel, who need not have written before. */
export function WriteFirst({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation()
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('inbox.writeFirst')}
      closeButtonProps={{ 'aria-label': t('common.close') }}
    >
      <Loaded query={useChannels()}>
        {(all) => {
          const active = all.filter(({ active }) => active)
          const [first] = active
          return first ? (
            <Fields channels={active} first={first} onClose={onClose} />
          ) : (
            <Text c="dimmed">{t('writeFirst.noChannel')}</Text>
          )
        }}
      </Loaded>
    </Modal>
  )
}

interface FieldsProps {
  channels: readonly NamedChannel[]
  /** The channel that is chosen at first. */
  first: NamedChannel
  onClose: () => void
}

function Fields({ channels, first, onClose }: FieldsProps) {
  const { t } = useTranslation()
  const { id: agentId, api, key } = useAgent()
  const navigate = useNavigate()
  const textOf = useRefusalText()
  const keyOf = useSentOnce()
  const choice = useRef<HTMLSelectElement>(null)
  // The fields may come after the dialog, which has then given the focus to its own button.
  useEffect(() => choice.current?.focus(), [])
  const [channelId, setChannelId] = useState(first.id)
  const [to, setTo] = useState('')
  const [content, setContent] = useState('')
  const [chosen, setChosen] = useState<ChosenTemplate | null>(null)
  const [isTemplate, setTemplate] = useState(false)
  const [isAnswered, setAnswered] = useState(true)
  const [refused, setRefused] = useState<unknown>(null)
  const channel = channels.find(({ id }) => id === channelId) ?? first
  const mayBeTemplate = hasTemplates(channel.kind)
  const asTemplate = mayBeTemplate && isTemplate
  const files = useFiles(`/channels/${channel.id}`)
  const templateFiles = useFiles(`/channels/${channel.id}`)
  const attachments = files.list.flatMap(({ stored }) => stored?.id ?? [])
  const words = content.trim() === '' ? {} : { content }
  const text = { ...words, ...(attachments.length > 0 ? { attachments } : {}) }
  const isText = Object.keys(text).length > 0 && attachments.length === files.list.length
  const message = asTemplate ? templateMessage(chosen, templateFiles.list) : isText ? text : null

  const sending = useAction({
    run: (message: object) => {
      const body = { channel_id: channel.id, to: to.trim(), message, agent_paused: !isAnswered }
      return api.post('/conversations', body, keyOf(body))
    },
    refresh: [key('inbox')],
    onDone: ({ data }) => {
      onClose()
      void navigate({
        to: '/agents/$agentId/inbox/$conversationId',
        params: { agentId: String(agentId), conversationId: data.id },
        search: inboxSearch,
      })
    },
    onRefused: (error) => {
      setRefused(error)
      return true
    },
  })
  const send = () => {
    setRefused(null)
    if (to.trim() !== '' && message && !sending.isPending) sending.mutate(message)
  }
  const isAboutTo = refused instanceof Refusal && refused.param === 'to'
  const faults = faultsOf(refused)
  const isElsewhere = refused !== null && !isAboutTo && Object.keys(faults).length === 0
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        send()
      }}
      noValidate
    >
      <Stack gap="sm">
        <NativeSelect
          ref={choice}
          label={t('inbox.channel')}
          value={String(channel.id)}
          onChange={(event) => {
            setChannelId(Number(event.currentTarget.value))
            setChosen(null)
            setRefused(null)
          }}
          data={channels.map(({ id, label }) => ({ value: String(id), label }))}
          data-autofocus
        />
        <TextInput
          label={t(`writeFirst.to.${channel.kind}`)}
          value={to}
          onChange={(event) => {
            setTo(event.currentTarget.value)
            setRefused(null)
          }}
          error={isAboutTo ? withoutParam(refused) : undefined}
          maxLength={200}
          autoComplete="off"
          dir="ltr"
        />
        {mayBeTemplate ? <TextOrTemplate isTemplate={isTemplate} onChange={setTemplate} /> : null}
        {asTemplate ? (
          <TemplateFields
            channelId={channel.id}
            chosen={chosen}
            onChange={(next) => {
              setChosen(next)
              setRefused(null)
            }}
            files={{
              ...templateFiles,
              add: (files) => {
                setRefused(null)
                templateFiles.add(files)
              },
            }}
            faults={faults}
          />
        ) : (
          <TextFields content={content} onChange={setContent} files={files} onSend={send} />
        )}
        <Checkbox
          label={t('writeFirst.agentAnswers')}
          checked={isAnswered}
          onChange={(event) => setAnswered(event.currentTarget.checked)}
        />
        {isElsewhere ? (
          <Alert role="alert" color="red" variant="light">
            {refused instanceof Refusal && refused.code === 'window_closed'
              ? t(mayBeTemplate ? 'writeFirst.needsTemplate' : 'writeFirst.mustWrite')
              : textOf(refused)}
          </Alert>
        ) : null}
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={onClose}>
            {t('common.cancel')}
          </Button>
          <Button type="submit" loading={sending.isPending} disabled={to.trim() === '' || !message}>
            {t('writeFirst.send')}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

function TextOrTemplate({
  isTemplate,
  onChange,
}: {
  isTemplate: boolean
  onChange: (isTemplate: boolean) => void
}) {
  const { t } = useTranslation()
  return (
    <SegmentedControl
      aria-label={t('writeFirst.as')}
      w="fit-content"
      value={isTemplate ? 'template' : 'text'}
      onChange={(value) => onChange(value === 'template')}
      data={(['text', 'template'] as const).map((value) => ({ value, label: t(`writeFirst.${value}`) }))}
    />
  )
}

/** The text and the files of a message that is no template. */
function TextFields({
  content,
  onChange,
  files,
  onSend,
}: {
  content: string
  onChange: (content: string) => void
  files: OpenFiles
  onSend: () => void
}) {
  const { t } = useTranslation()
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
    event.preventDefault()
    onSend()
  }
  return (
    <>
      <Textarea
        label={t('writeFirst.text')}
        autosize
        minRows={3}
        maxRows={10}
        dir="auto"
        value={content}
        onChange={(event) => onChange(event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      <Group gap="xs">
        <ChooseFiles onChosen={files.add} />
        <ChosenFiles list={files.list} onRemove={(file) => files.remove([file])} />
      </Group>
    </>
  )
}
