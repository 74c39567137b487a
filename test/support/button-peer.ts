import { type Kind, messageOf, PERSON } from './platform-peer.ts'

/** A button as a platform shows it. */
interface ShownButton {
  title: string
  /** The page that it opens. */
  url?: string
  /** The id that the platform tells when it is pressed. */
  data?: string
}

// biome-ignore lint/suspicious/noExplicitAny: bodies of every platform
type Body = any

/** Returns the buttons of a message as it was sent to a platform, and checks the platform's limits. */
export function shownButtons(kind: Kind, body: Body): ShownButton[] {
  const buttons = readButtons(kind, body)
  const longest = kind === 'telegram' ? 64 : kind === 'helpdesk' ? 255 : 20
  for (const { title, data = '' } of buttons) {
    if (title.length > longest || title === '') throw new Error(`${kind}: a title that is too long`)
    if (kind === 'telegram' && Buffer.byteLength(data) > 64) throw new Error('callback_data is too long')
  }
  return buttons
}

function readButtons(kind: Kind, body: Body): ShownButton[] {
  switch (kind) {
    case 'messenger-one': {
      if (body.type !== 'interactive') return []
      const { type, action, body: shown } = body.interactive
      if (shown.text.length > 1024) throw new Error('the text is too long')
      if (type === 'cta_url') return [{ title: action.parameters.display_text, url: action.parameters.url }]
      if (type === 'list') {
        if (action.button.length > 20 || action.button === '') throw new Error('the button has no good title')
        return action.sections[0].rows.map(({ id, title }: Body) => ({ title, data: id }))
      }
      return action.buttons.map(({ reply }: Body) => ({ title: reply.title, data: reply.id }))
    }
    case 'messenger-two':
    case 'instagram': {
      const quick = body.message?.quick_replies
      if (quick) return quick.map(({ title, payload: data }: Body) => ({ title, data }))
      const payload = body.message?.attachment?.payload
      if (payload?.text.length > 640) throw new Error('the text is too long')
      return (payload?.buttons ?? []).map(({ title, url, payload: data }: Body) =>
        withoutGaps({ title, url, data }),
      )
    }
    case 'messenger-three': {
      const { template, quickReply } = body.messages.at(-1)
      if (quickReply)
        return quickReply.items.map(({ action: { label, data } }: Body) => ({ title: label, data }))
      if (template?.text.length > 160) throw new Error('the text is too long')
      return (template?.actions ?? []).map(({ label, uri, data }: Body) =>
        withoutGaps({ title: label, url: uri, data }),
      )
    }
    case 'telegram':
      return (body.reply_markup?.inline_keyboard ?? [])
        .flat()
        .map(({ text, url, callback_data }: Body) => withoutGaps({ title: text, url, data: callback_data }))
    case 'helpdesk':
      return (body.content_attributes?.items ?? []).map(({ title, value }: Body) => ({ title, data: value }))
    case 'sms':
      return []
  }
}

function withoutGaps({ title, url, data }: Body): ShownButton {
  return { title, ...(url === undefined ? {} : { url }), ...(data === undefined ? {} : { data }) }
}

/**
 * Returns the event with which a platform tells that PERSON has pressed a button.
 * @param isChoice true: one of a list, or a quick reply
 */
export function pressOf(
  kind: Exclude<Kind, 'sms'>,
  { title, data }: ShownButton,
  id: string,
  isChoice = false,
): unknown {
  const payload = messageOf(kind, PERSON[kind], id, 'replaced') as Body
  switch (kind) {
    case 'messenger-one': {
      const [message] = payload.entry[0].changes[0].value.messages
      delete message.text
      message.type = 'interactive'
      const type = isChoice ? 'list_reply' : 'button_reply'
      message.interactive = { type, [type]: { id: data, title } }
      return payload
    }
    case 'messenger-two':
    case 'instagram': {
      const [event] = payload.entry[0].messaging
      if (isChoice) {
        Object.assign(event.message, { text: title, quick_reply: { payload: data } })
        return payload
      }
      delete event.message
      event.postback = { mid: `m_${id}`, title, payload: data }
      return payload
    }
    case 'messenger-three': {
      const [event] = payload.events
      delete event.message
      event.type = 'postback'
      event.postback = { data }
      return payload
    }
    case 'telegram': {
      const { message, update_id } = payload
      const inline_keyboard = [[{ text: title, callback_data: data }]]
      const shown = { ...message, reply_markup: { inline_keyboard } }
      return { update_id, callback_query: { id: `press-${id}`, from: message.from, message: shown, data } }
    }
    case 'helpdesk':
      return {
        ...payload,
        event: 'message_updated',
        message_type: 'outgoing',
        content_type: 'input_select',
        content_attributes: { submitted_values: [{ title, value: data }] },
        sender: { id: 2, name: 'Parley', type: 'agent_bot' },
        conversation: { ...payload.conversation, meta: { sender: { id: 9, name: 'Ana', type: 'contact' } } },
      }
  }
}
