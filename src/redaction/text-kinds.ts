import { namesAttachment, withoutData } from './encoded-data.ts'
import { hasOnlyPlaceholders } from './engine/placeholder.ts'
import { withoutFiles } from './files-of-message.ts'
import { redactContent, redactString } from './redact-content.ts'
import { SCRUBBED } from './scrubbed.ts'

/** The replacements for texts, names and ids. */
interface Replacement {
  /** Returns the text with its personal data replaced; the same text if it has none. */
  text(text: string): string
  /** Returns the placeholder for a person's name. */
  name(name: string): string
  /** Returns the pseudonym for the id of a tool call; the same wherever the id appears. */
  pseudonym(id: string): string
}

/**
 * The redaction of one kind of stored value: of all its text (`scrub`), or only of the personal data in it
 * (`anonymize`). The value keeps its form.
 */
interface TextKind {
  scrub(stored: string, pseudonym: Replacement['pseudonym']): string
  anonymize(stored: string, replacement: Replacement): string
}

type Fields = Record<string, unknown>

const text: TextKind = {
  scrub: (stored) => scrubText(stored),
  anonymize: (stored, { text }) => text(withoutData(stored)),
}

/** A person's name, and nothing else. */
const name: TextKind = {
  scrub: (stored) => scrubText(stored),
  anonymize: (stored, { name }) => (hasOnlyPlaceholders(stored) ? stored : name(stored)),
}

/** JSON: a message's text or content parts. */
const content: TextKind = {
  scrub: (stored) => (stored === 'null' || stored === '""' ? stored : JSON.stringify(SCRUBBED)),
  anonymize: (stored, { text }) => JSON.stringify(redactContent(JSON.parse(stored), text)),
}

/**
 * JSON array of tool calls. Each remains acceptable to model servers: its name consists of letters, and its arguments
 * are an object.
 */
const tool_calls: TextKind = {
  scrub: (stored, pseudonym) =>
    mapList(stored, ({ id }) => ({
      id: pseudonym(String(id)),
      type: 'function',
      function: { name: REDACTED_FUNCTION, arguments: JSON.stringify({ redacted: SCRUBBED }) },
    })),
  anonymize: (stored, replacement) =>
    mapList(stored, ({ id, type, function: called, ...others }) => {
      const { name, ...given } = (called ?? {}) as Fields
      return {
        id: callId(String(id), replacement),
        type,
        function: {
          name: replacement.text(String(name)) === name ? name : REDACTED_FUNCTION,
          ...(redactContent(given, replacement.text) as Fields),
        },
        ...(redactContent(others, replacement.text) as Fields),
      }
    }),
}

/** The id of the tool call that a message answers. */
const call_id: TextKind = {
  scrub: (stored, pseudonym) => pseudonym(stored),
  anonymize: callId,
}

/** JSON array of citations. */
const citations: TextKind = {
  scrub: (stored) =>
    mapList(stored, ({ title, url, snippet }) => ({
      title: scrubField(title),
      url: scrubField(url),
      snippet: scrubField(snippet),
    })),
  anonymize: content.anonymize,
}

/** JSON array of the calls to action that a response showed. Their ids and names stay. */
const ctas: TextKind = {
  scrub: (stored) =>
    mapList(stored, ({ id, name, content, url, button }) => ({
      id,
      name,
      content: scrubField(content),
      url: scrubField(url),
      button: scrubField(button),
    })),
  anonymize: (stored, { text }) =>
    mapList(stored, ({ id, name, ...shown }) => ({ id, name, ...(redactContent(shown, text) as Fields) })),
}

/** JSON object of token counts, to which model servers may add anything. */
const usage: TextKind = {
  scrub: (stored) => JSON.stringify(countsOf(JSON.parse(stored))),
  anonymize(stored, { text }) {
    const given = JSON.parse(stored) as Fields
    return JSON.stringify(withCounts(redactContent(given, text) as Fields, countsOf(given)))
  },
}

/** The reason for which a model stopped, in the model server's words. */
const finish_reason: TextKind = {
  scrub: (stored) => (FINISH_REASONS.has(stored) ? stored : SCRUBBED),
  anonymize: (stored, { text }) => (FINISH_REASONS.has(stored) ? stored : text(stored)),
}

/** The name of a model, according to its server. A name stays; a sentence does not. */
const model_name: TextKind = {
  scrub: (stored) => (MODEL_NAME.test(stored) ? stored : scrubText(stored)),
  anonymize: (stored, { text }) => (MODEL_NAME.test(stored) ? stored : text(stored)),
}

/** The address of a page. Its location stays; its query does not. */
const address: TextKind = {
  scrub(stored) {
    const url = pageOf(stored)
    if (!url) return scrubText(stored)
    return url.origin + url.pathname + (url.search || url.hash ? `?${SCRUBBED}` : '')
  },
  anonymize(stored, { text }) {
    const url = pageOf(stored)
    let changed = false
    for (const [key, value] of [...(url?.searchParams ?? [])]) {
      const redacted = text(value)
      if (redacted === value) continue
      url?.searchParams.set(key, redacted)
      changed = true
    }
    return text(url && changed ? url.href : stored)
  },
}

/** JSON object of the data of an event. Ids, codes, counts and names of rules stay. */
const event_data: TextKind = {
  scrub: (stored) => mapEvent(stored, scrubText),
  anonymize: (stored, { text }) => mapEvent(stored, (value) => redactString(value, text)),
}

/**
 * JSON array of the files of a message. No personal data can be looked for in a file, so all are deleted. What was said
 * in one is text.
 */
const attachments: TextKind = {
  scrub: (stored) => withoutFiles(stored),
  anonymize: (stored, { text }) => withoutFiles(stored, text),
}

/** The same, of an agent that keeps files: what is said of them is text. */
const kept_attachments: TextKind = {
  scrub: (stored) => withoutFiles(stored),
  anonymize: (stored, { text }) =>
    mapList(stored, (file) => ({
      ...file,
      name: typeof file.name === 'string' ? text(file.name) : null,
      ...(typeof file.transcript === 'string' ? { transcript: text(file.transcript) } : {}),
    })),
}

/** JSON: a message's text or content parts, of an agent that keeps files. */
const content_with_files: TextKind = {
  scrub: content.scrub,
  anonymize: (stored, { text }) => JSON.stringify(redactContent(JSON.parse(stored), text, namesAttachment)),
}

/** JSON object: the use of a message template. The names of the template and of its variables stay. */
const template: TextKind = {
  scrub: (stored) => mapVariables(stored, () => SCRUBBED),
  anonymize: (stored, { text }) => mapVariables(stored, text),
}

/** Every kind of text that a column may hold. */
export const textKinds = {
  text,
  name,
  content,
  tool_calls,
  call_id,
  citations,
  ctas,
  usage,
  finish_reason,
  model_name,
  address,
  event_data,
  attachments,
  kept_attachments,
  content_with_files,
  template,
}

export type TextKindName = keyof typeof textKinds

/** A name that model servers accept: they take only letters, digits, underscores and hyphens. */
const REDACTED_FUNCTION = 'redacted'
const FINISH_REASONS = new Set([
  ...['stop', 'length', 'tool_calls', 'function_call', 'content_filter', 'error', 'cancelled'],
])
const MODEL_NAME = /^[\w.:/+-]{1,200}$/

function scrubText(text: string): string {
  return text === '' ? text : SCRUBBED
}

/** Scrubs a field that should be text. Any other value is scrubbed too. */
function scrubField(value: unknown): unknown {
  if (value === null || value === undefined) return null
  return typeof value === 'string' ? scrubText(value) : SCRUBBED
}

function mapVariables(stored: string, change: (text: string) => string): string {
  const { variables, ...template } = JSON.parse(stored) as { variables: Record<string, string> }
  const changed = Object.entries(variables).map(([name, value]) => [name, change(value)])
  return JSON.stringify({ ...template, variables: Object.fromEntries(changed) })
}

function mapList(stored: string, change: (item: Fields) => Fields): string {
  return JSON.stringify((JSON.parse(stored) as Fields[]).map(change))
}

function callId(id: string, { text, pseudonym }: Replacement): string {
  return text(id) === id ? id : pseudonym(id)
}

/** The counts that OpenAI names, and its groups for some of them. */
const COUNTS = new Set([
  ...['prompt_tokens', 'completion_tokens', 'total_tokens', 'cached_tokens', 'cache_write_tokens'],
  ...['audio_tokens', 'image_tokens', 'text_tokens', 'reasoning_tokens'],
  ...['accepted_prediction_tokens', 'rejected_prediction_tokens'],
])
const COUNT_GROUPS = new Set(['prompt_tokens_details', 'completion_tokens_details'])

function countsOf(given: object): Fields {
  return Object.fromEntries(
    Object.entries(given).flatMap(([key, value]: [string, unknown]): [string, unknown][] => {
      if (COUNTS.has(key) && typeof value === 'number') return [[key, value]]
      const isGroup = COUNT_GROUPS.has(key) && typeof value === 'object' && value !== null
      return isGroup ? [[key, countsOf(value)]] : []
    }),
  )
}

/** Restores counts that were mistaken for personal data. */
function withCounts(redacted: Fields, counts: Fields): Fields {
  const groups = Object.entries(counts).map(([key, value]) => [
    key,
    COUNT_GROUPS.has(key) ? withCounts({ ...(redacted[key] as Fields) }, value as Fields) : value,
  ])
  return { ...redacted, ...Object.fromEntries(groups) }
}

function pageOf(stored: string): URL | null {
  const url = URL.parse(stored)
  return url && /^https?:$/.test(url.protocol) ? url : null
}

/** Fields whose values are codes of the service, or ids and names that redaction keeps. */
const EVENT_CODES = new Set(['code', 'reason', 'status', 'delivery', 'platform_code', 'on', 'action'])
const EVENT_NAMES = new Set(['name', 'user_id', 'device_id', 'session_id'])
const CODE = /^[\w.:/-]{1,100}$/

function mapEvent(stored: string, change: (text: string) => string): string {
  const data = JSON.parse(stored) as { cta?: { id: number } }
  return JSON.stringify(data, (key, value: unknown) => {
    if (typeof value !== 'string' || EVENT_NAMES.has(key)) return value
    if (EVENT_CODES.has(key) && CODE.test(value)) return value
    // A click on a call to action may identify it by its id.
    return key === 'target' && value === String(data.cta?.id) ? value : change(value)
  })
}
