import type { Citation, ModelDelta, ToolCallDelta } from '../../model/model.ts'
import { callItemId, messageItemId } from '../../transcripts/completions/response-id.ts'
import { citedPlaces } from '../requests/answer-parts.ts'
import type { CallItem, MessageItem, OutputItem } from './schemas.ts'

/** An event of a stream, without its number. */
export interface ItemEvent {
  type: string
  [field: string]: unknown
}

type Part = MessageItem['content'][number]

/** Puts the output of a response together from the pieces of an answer. */
export interface AnswerItems {
  readonly output: OutputItem[]
  add(delta: ModelDelta): void
  /**
   * Ends all items: only then are the citations of the text known. Clients ask again when there is neither a message nor
   * a call, so an answer that says nothing has an empty text.
   */
  end(status: 'completed' | 'incomplete', citations: readonly Citation[]): void
}

/**
 * Creates the output of a response: one message, and an item for each call.
 * @param emit receives the events of its making
 */
export function answerItems(completionId: string, emit: (event: ItemEvent) => void = () => {}): AnswerItems {
  const output: OutputItem[] = []
  const calls = new Map<number, CallItem>()
  let message: MessageItem | undefined

  function begin<Item extends OutputItem>(item: Item): Item {
    emit({ type: 'response.output_item.added', output_index: output.length, item })
    output.push(item)
    return item
  }

  function placeOf(item: OutputItem, part?: Part) {
    const place = { item_id: item.id, output_index: output.indexOf(item) }
    return part && item.type === 'message' ? { ...place, content_index: item.content.indexOf(part) } : place
  }

  /** Returns the part of the message that holds its text or its refusal. */
  function partOf<Type extends Part['type']>(type: Type): Extract<Part, { type: Type }> {
    message ??= begin({
      type: 'message',
      id: messageItemId(completionId),
      status: 'in_progress',
      role: 'assistant',
      content: [],
    })
    const present = message.content.find((part) => part.type === type)
    if (present) return present as Extract<Part, { type: Type }>
    const part: Part =
      type === 'refusal'
        ? { type: 'refusal', refusal: '' }
        : { type: 'output_text', text: '', annotations: [], logprobs: [] }
    message.content.push(part)
    emit({ type: 'response.content_part.added', ...placeOf(message, part), part })
    return part as Extract<Part, { type: Type }>
  }

  function say(delta: string): void {
    const part = partOf('output_text')
    part.text += delta
    emit({
      type: 'response.output_text.delta',
      ...placeOf(message as MessageItem, part),
      delta,
      logprobs: [],
    })
  }

  function refuse(delta: string): void {
    const part = partOf('refusal')
    part.refusal += delta
    emit({ type: 'response.refusal.delta', ...placeOf(message as MessageItem, part), delta })
  }

  function call({ index, id, function: { name = '', arguments: delta = '' } = {} }: ToolCallDelta): void {
    let item = calls.get(index)
    if (item) item.name += name
    else {
      const call_id = id || `call_${index}`
      item = {
        type: 'function_call',
        id: callItemId(completionId, index),
        status: 'in_progress',
        call_id,
        name,
        arguments: '',
      }
      calls.set(index, begin(item))
    }
    if (delta === '') return
    item.arguments += delta
    emit({ type: 'response.function_call_arguments.delta', ...placeOf(item), delta })
  }

  function endPart(part: Part, citations: readonly Citation[]): void {
    const place = placeOf(message as MessageItem, part)
    if (part.type === 'refusal') emit({ type: 'response.refusal.done', ...place, refusal: part.refusal })
    else {
      part.annotations = citedPlaces(part.text, citations).map((cited) => ({
        type: 'url_citation',
        ...cited,
      }))
      for (const [annotation_index, annotation] of part.annotations.entries())
        emit({ type: 'response.output_text.annotation.added', ...place, annotation_index, annotation })
      emit({ type: 'response.output_text.done', ...place, text: part.text, logprobs: [] })
    }
    emit({ type: 'response.content_part.done', ...place, part })
  }

  return {
    output,
    add({ content, refusal, tool_calls }) {
      if (content) say(content)
      if (refusal) refuse(refusal)
      for (const piece of tool_calls ?? []) call(piece)
    },
    end(status, citations) {
      if (output.length === 0) partOf('output_text')
      for (const [output_index, item] of output.entries()) {
        if (item.type === 'message') for (const part of item.content) endPart(part, citations)
        else {
          const { name, arguments: args } = item
          emit({ type: 'response.function_call_arguments.done', ...placeOf(item), name, arguments: args })
        }
        item.status = status
        emit({ type: 'response.output_item.done', output_index, item })
      }
    },
  }
}
