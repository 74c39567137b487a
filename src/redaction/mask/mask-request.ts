import { byType, identityOf, numberOf } from '../numbered.ts'
import { type KnownValue, replacing } from './replace-known.ts'
import {
  changeMessage,
  changeParameters,
  type MaskableMessage,
  type MaskableRequest,
} from './request-texts.ts'
import type { ScannedText, ScanText } from './scan-text.ts'

export interface Masked {
  request: MaskableRequest
  /** All values that are known now, those of the conversation first. */
  known: KnownValue[]
  /** True if anything needed a placeholder. */
  isMasked: boolean
}

/** The conversation around a request, whose values are masked in the request wherever they stand. */
export interface SaidAround {
  messages: readonly MaskableMessage[]
  /** The names of people who take part. */
  names: readonly string[]
}

/** The knowledge beside the request itself. */
interface MaskedBeside {
  around: SaidAround
  /** The values that were found earlier. */
  known: readonly KnownValue[]
  /** The key of the placeholders' numbers; null: they have none. */
  key: string | null
  /** True if participants' names are masked. */
  hidesNames: boolean
}

/**
 * Replaces the values in a request by placeholders, each wherever it stands, even without words around it that identify
 * it, and also the parts of a person's name. The request itself is not changed.
 */
export function maskRequest(
  request: MaskableRequest,
  scanText: ScanText,
  { around, known, key, hidesNames }: MaskedBeside,
): Masked {
  const values = knownValues(known, key)
  const scanned = new Map<string, ScannedText>()
  const prompt = around.messages.findLast(({ role }) => role === 'user')?.content
  const behind = typeof prompt === 'string' && prompt !== '' ? `\n\n${prompt}` : null
  const scan = (text: string): ScannedText => {
    const known = scanned.get(text)
    if (known) return known
    // A request may add context before the prompt, whose own text was read already.
    const isPrompt = behind !== null && text.length > behind.length && text.endsWith(behind)
    const found = isPrompt
      ? [...scan(text.slice(0, -behind.length)), '\n\n', ...scan(behind.slice(2))]
      : scanText(text)
    scanned.set(text, found)
    return found
  }
  const learn = {
    text(text: string) {
      for (const part of scan(text)) if (typeof part !== 'string') values.learn(part.type, part.value)
      return text
    },
    name: (name: string) => name,
  }
  if (hidesNames) for (const name of around.names) values.learn('PERSON', name)
  const read = new Set<unknown>()
  for (const message of [...around.messages, ...request.messages]) {
    // A request mostly repeats what was said around it.
    if (read.has(message.content) && Object.keys(message).length === 2) continue
    read.add(message.content)
    changeMessage(message, learn)
  }
  changeParameters(request.parameters, learn)

  const replaceKnown = replacing(values.all())
  const text = (text: string) =>
    scan(text)
      .map((part) =>
        typeof part === 'string' ? replaceKnown(part) : values.placeholder(part.type, part.value),
      )
      .join('')
  const change = {
    text,
    name(name: string, of: 'person' | 'function') {
      const masked = of === 'person' && hidesNames ? values.placeholder('PERSON', name) : text(name)
      return masked === name ? name : masked.replaceAll(/[^\w-]/g, '')
    },
  }
  const messages = request.messages.map((message) => changeMessage(message, change))
  const parameters = changeParameters(request.parameters, change)
  return { request: { ...request, messages, parameters }, known: values.all(), isMasked: values.areUsed() }
}

/** Gives each value a placeholder, and no two values the same. */
function knownValues(known: readonly KnownValue[], key: string | null) {
  const placeholders = new Map<string, string>()
  const taken = new Set<string>()
  const byValue = new Map<string, string>()
  let areUsed = known.length > 0

  function placeholder(type: string, value: string): string {
    areUsed = true
    if (key === null) return byType(type, value)
    const identity = identityOf(type, value)
    const present = placeholders.get(identity)
    if (present) return present
    let number = numberOf(key, identity)
    while (taken.has(`[${type}_${number}]`)) number++
    return add(`[${type}_${number}]`, identity)
  }
  function add(placeholder: string, identity: string): string {
    placeholders.set(identity, placeholder)
    taken.add(placeholder)
    return placeholder
  }
  function keep(value: string, placeholder: string): void {
    // The spelling that was read last is the one that is restored.
    byValue.delete(value)
    byValue.set(value, placeholder)
  }

  for (const [placeholder, value] of known) {
    if (key === null) {
      keep(value, byType(typeOf(placeholder), value))
      continue
    }
    const identity = identityOf(typeOf(placeholder), value)
    // Requests that were masked at the same time may have given two values the same number.
    if (taken.has(placeholder) && placeholders.get(identity) !== placeholder) continue
    keep(value, add(placeholder, identity))
  }
  return {
    placeholder,
    learn(type: string, value: string): void {
      if (type === 'PERSON')
        for (const part of partsOfName(value)) if (!byValue.has(part)) keep(part, placeholder(type, part))
      keep(value, placeholder(type, value))
    },
    areUsed: () => areUsed,
    all: () => [...byValue].map(([value, placeholder]): KnownValue => [placeholder, value]),
  }
}

/** Returns the type in a numbered placeholder. */
function typeOf(placeholder: string): string {
  return placeholder.slice(1, placeholder.lastIndexOf('_'))
}

/** Returns the words of a name of several, such as the first name. */
function partsOfName(name: string): string[] {
  const words = name.match(/\p{Lu}[\p{L}\p{M}'’-]{2,}/gu) ?? []
  return words.length > 1 ? words : []
}
