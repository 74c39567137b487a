import { z } from 'zod'
import { boundedText } from '../../http/schemas.ts'
import { faultOfData, NO_DATA } from '../../model/file-parts.ts'
import type { ContentPart, MessageContent, ModelMessage } from '../../model/model.ts'

const data = z.string(NO_DATA).superRefine((text, context) => {
  const fault = faultOfData(text)
  if (fault !== null) context.addIssue(fault)
})

const contentPart = z.discriminatedUnion('type', [
  z.looseObject({ type: z.literal('input_text'), text: z.string() }),
  z.looseObject({ type: z.literal('output_text'), text: z.string() }),
  z.looseObject({ type: z.literal('refusal'), refusal: z.string() }),
  z.looseObject({
    type: z.literal('input_image'),
    image_url: data,
    detail: boundedText(32).nullish(),
  }),
  z.looseObject({
    type: z.literal('input_file'),
    file_data: data,
    filename: boundedText(255).nullish(),
  }),
])

const itemContent = z.union([z.string(), z.array(contentPart).max(1000)])

/** An item of `input`. What the assistant said may be sent back as it was answered. */
export const inputItem = z.discriminatedUnion('type', [
  z.looseObject({
    type: z.literal('message').optional(),
    role: z.enum(['user', 'assistant', 'system', 'developer']),
    content: itemContent,
  }),
  z.looseObject({
    type: z.literal('function_call'),
    call_id: z.string().max(256),
    name: z.string().max(256),
    arguments: z.string(),
  }),
  z.looseObject({
    type: z.literal('function_call_output'),
    call_id: z.string().max(256),
    output: itemContent,
  }),
  z.looseObject({ type: z.literal('item_reference'), id: boundedText(64) }),
  z.looseObject({ type: z.literal('reasoning') }),
])

type InputItem = z.output<typeof inputItem>

/** Turns the input of a request into the messages that it stands for. Leaves out thoughts of models. */
export function messagesOf(input: string | readonly InputItem[]): ModelMessage[] {
  if (typeof input === 'string') return [{ role: 'user', content: input }]
  const messages: ModelMessage[] = []
  for (const item of input) addItem(messages, item)
  return messages
}

function addItem(messages: ModelMessage[], item: InputItem): void {
  const last = messages.at(-1)
  if (item.type === 'function_call_output') {
    messages.push({ role: 'tool', tool_call_id: item.call_id, content: contentOf(item.output) })
  } else if (item.type === 'function_call') {
    const { call_id: id, name, arguments: args } = item
    const call = { id, type: 'function' as const, function: { name, arguments: args } }
    // An assistant's text and the calls made with it are one message, because the results follow all of its calls.
    if (last?.role !== 'assistant') messages.push({ role: 'assistant', content: null, tool_calls: [call] })
    else if (last.tool_calls) last.tool_calls.push(call)
    else last.tool_calls = [call]
  } else if (item.type === undefined || item.type === 'message') {
    const role = item.role === 'developer' ? 'system' : item.role
    const content = contentOf(item.content)
    if (role === 'assistant' && last?.tool_calls && last.content === null) last.content = content
    else messages.push({ role, content })
  }
}

function contentOf(content: z.output<typeof itemContent>): MessageContent {
  if (typeof content === 'string') return content
  const parts = content.map(partOf)
  const [first] = parts
  // Some chat templates accept a text only as a string.
  return parts.length === 1 && first?.type === 'text' ? (first.text ?? '') : parts
}

function partOf(part: z.output<typeof contentPart>): ContentPart {
  switch (part.type) {
    case 'refusal':
      return { type: 'refusal', refusal: part.refusal }
    case 'input_image': {
      const detail = part.detail == null ? {} : { detail: part.detail }
      return { type: 'image_url', image_url: { url: part.image_url, ...detail } }
    }
    case 'input_file': {
      const filename = part.filename == null ? {} : { filename: part.filename }
      return { type: 'file', file: { file_data: part.file_data, ...filename } }
    }
    default:
      return { type: 'text', text: part.text }
  }
}
