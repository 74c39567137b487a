import {
  Alert,
  Button,
  Checkbox,
  Group,
  NativeSelect,
  SegmentedControl,
  Stack,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { type KeyboardEvent, useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { type NamedChannel, useChannels } from '../../../api/channels.ts'
import { Refusal } from '../../../api/client.ts'
import { useAgent } from '../../../api/session.ts'
import { Dialog } from '../../../ui/Dialog.tsx'
import { Form } from '../../../ui/Form.tsx'
import { Loaded } from '../../../ui/Loaded.tsx'
import { useRefusalText, withoutParam } from '../../../ui/refusal-text.ts'
import { ChooseFiles } from '../files/ChooseFiles.tsx'
import { ChosenFiles } from '../files/ChosenFiles.tsx'
import type { OpenFiles } from '../files/use-files.ts'
import { inboxSearch } from '../inbox-search.ts'
import { TemplateFields } from './TemplateFields.tsx'
import { faultsOf } from './template-faults.ts'
import { useFirstMessage } from './use-first-message.ts'

/** A dialog in which a person writes to somebody on a channel, who need not have written before. */
export function WriteFirst({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation()
  return (
    <Dialog onClose={onClose} title={t('inbox.writeFirst')}>
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
    </Dialog>
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
  const { id: agentId } = useAgent()
  const navigate = useNavigate()
  const written = useFirstMessage(channels, first, (conversationId) => {
    onClose()
    void navigate({
      to: '/agents/$agentId/inbox/$conversationId',
      params: { agentId: String(agentId), conversationId },
      search: inboxSearch,
    })
  })
  const { channel, text, template, refused } = written
  const choice = useRef<HTMLSelectElement>(null)
  // The fields may come after the dialog, which has then given the focus to its own button.
  useEffect(() => choice.current?.focus(), [])
  const isAboutTo = refused instanceof Refusal && refused.param === 'to'
  const faults = faultsOf(refused)
  return (
    <Form onSubmit={written.send} noValidate>
      <Stack gap="sm">
        <NativeSelect
          ref={choice}
          label={t('inbox.channel')}
          value={String(channel.id)}
          onChange={(event) => written.changeChannel(Number(event.currentTarget.value))}
          data={channels.map(({ id, label }) => ({ value: String(id), label }))}
          data-autofocus
        />
        <TextInput
          label={t(`writeFirst.to.${channel.kind}`)}
          value={written.to}
          onChange={(event) => written.changeTo(event.currentTarget.value)}
          error={isAboutTo ? withoutParam(refused) : undefined}
          maxLength={200}
          autoComplete="off"
          dir="ltr"
        />
        {written.mayBeTemplate ? (
          <SegmentedControl
            aria-label={t('writeFirst.as')}
            w="fit-content"
            value={written.asTemplate ? 'template' : 'text'}
            onChange={(value) => written.setTemplate(value === 'template')}
            data={(['text', 'template'] as const).map((value) => ({
              value,
              label: t(`writeFirst.${value}`),
            }))}
          />
        ) : null}
        {written.asTemplate ? (
          <TemplateFields
            channelId={channel.id}
            chosen={template.chosen}
            onChange={template.change}
            files={template.files}
            faults={faults}
          />
        ) : (
          <TextFields
            content={text.content}
            onChange={text.setContent}
            files={text.files}
            onSend={written.send}
          />
        )}
        <Checkbox
          label={t('writeFirst.agentAnswers')}
          checked={written.isAnswered}
          onChange={(event) => written.setAnswered(event.currentTarget.checked)}
        />
        {refused === null || isAboutTo || Object.keys(faults).length > 0 ? null : (
          <RefusedElsewhere refused={refused} mayBeTemplate={written.mayBeTemplate} />
        )}
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={onClose}>
            {t('common.cancel')}
          </Button>
          <Button type="submit" loading={written.isSending} disabled={!written.isComplete}>
            {t('writeFirst.send')}
          </Button>
        </Group>
      </Stack>
    </Form>
  )
}

/** The reason for a refusal that is about no single field. */
function RefusedElsewhere({ refused, mayBeTemplate }: { refused: unknown; mayBeTemplate: boolean }) {
  const { t } = useTranslation()
  const textOf = useRefusalText()
  return (
    <Alert role="alert" color="red" variant="light">
      {refused instanceof Refusal && refused.code === 'window_closed'
        ? t(mayBeTemplate ? 'writeFirst.needsTemplate' : 'writeFirst.mustWrite')
        : textOf(refused)}
    </Alert>
  )
}

/** The text and the files of a message that is no template. */
function TextFields(props: {
  content: string
  onChange: (content: string) => void
  files: OpenFiles
  onSend: () => void
}) {
  const { content, onChange, files, onSend } = props
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
