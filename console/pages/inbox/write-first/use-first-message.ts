import { useState } from 'react'
import type { NamedChannel } from '../../../api/channels.ts'
import { useAgent } from '../../../api/session.ts'
import { useAction } from '../../../ui/use-action.ts'
import { hasTemplates } from '../../channels/has-templates.ts'
import { type OpenFiles, useFiles } from '../files/use-files.ts'
import { type ChosenTemplate, templateMessage } from './template-faults.ts'
import { useSentOnce } from './use-sent-once.ts'

/**
 * The first message to somebody, as far as a person has written it. What is changed where the service refused something
 * takes the refusal away.
 * @param first the channel that is chosen at first
 * @param onSent called with the id of the conversation that the message has opened
 */
export function useFirstMessage(
  channels: readonly NamedChannel[],
  first: NamedChannel,
  onSent: (conversationId: string) => void,
) {
  const { api, key } = useAgent()
  const keyOf = useSentOnce()
  const [channelId, setChannelId] = useState(first.id)
  const [to, setTo] = useState('')
  const [isTemplate, setTemplate] = useState(false)
  const [isAnswered, setAnswered] = useState(true)
  const [refused, setRefused] = useState<unknown>(null)
  const accept = () => setRefused(null)

  const channel = channels.find(({ id }) => id === channelId) ?? first
  const text = useText(channel.id)
  const template = useTemplate(channel.id, accept)
  const mayBeTemplate = hasTemplates(channel.kind)
  const asTemplate = mayBeTemplate && isTemplate
  const { message } = asTemplate ? template : text
  const isComplete = to.trim() !== '' && message !== null

  const sending = useAction({
    run: (message: object) => {
      const body = { channel_id: channel.id, to: to.trim(), message, agent_paused: !isAnswered }
      return api.post('/conversations', body, keyOf(body))
    },
    refresh: [key('inbox')],
    onDone: ({ data }) => onSent(data.id),
    onRefused: (error) => {
      setRefused(error)
      return true
    },
  })

  return {
    channel,
    changeChannel: (id: number) => {
      setChannelId(id)
      template.change(null)
    },
    to,
    changeTo: (next: string) => {
      setTo(next)
      accept()
    },
    text,
    template,
    mayBeTemplate,
    asTemplate,
    setTemplate,
    isAnswered,
    setAnswered,
    refused,
    isComplete,
    isSending: sending.isPending,
    send: () => {
      accept()
      if (isComplete && !sending.isPending) sending.mutate(message)
    },
  }
}

/** The text and the files of a message that is no template; without a message until all files are stored. */
function useText(channelId: number) {
  const [content, setContent] = useState('')
  const files = useFiles(`/channels/${channelId}`)
  const attachments = files.list.flatMap(({ stored }) => stored?.id ?? [])
  const hasWords = content.trim() !== ''
  const isMessage = (hasWords || attachments.length > 0) && attachments.length === files.list.length
  const message = { ...(hasWords && { content }), ...(attachments.length > 0 && { attachments }) }
  return { content, setContent, files, message: isMessage ? message : null }
}

/** The template, the texts for its variables and the file above it. */
function useTemplate(channelId: number, onChange: () => void) {
  const [chosen, setChosen] = useState<ChosenTemplate | null>(null)
  const opened = useFiles(`/channels/${channelId}`)
  const change = (next: ChosenTemplate | null) => {
    setChosen(next)
    onChange()
  }
  const files: OpenFiles = {
    ...opened,
    add: (added) => {
      onChange()
      opened.add(added)
    },
  }
  return { chosen, change, files, message: templateMessage(chosen, opened.list) }
}
