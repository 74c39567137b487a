import { type JsonObject, toObject, toObjects } from '../lib/untrusted-json.ts'
import { accessToken, callPlatform, type PlatformCall, required } from './call-platform.ts'
import { GRAPH, GRAPH_VERSION } from './graph.ts'
import type { AttachedFile } from './outbound-file.ts'
import { type DeliveryReason, PlatformError, type PlatformHttp } from './platform.ts'
import { type Template, type TemplateUse, templateFiles, VARIABLE } from './template.ts'
import { apiUrl, toId, toText } from './wire.ts'

interface Settings {
  api_base?: string | undefined
  access_token?: string | undefined
  business_account_id?: string | undefined
}

const FIELDS = 'name,language,category,status,components'
const PAGE = 100
const MOST_PAGES = 50
const LONGEST_PAGE = 4 * 1024 * 1024
/** The longest template, as JSON. The platform takes 1,024 characters of text, and addresses in its buttons. */
const LONGEST_TEMPLATE = 16 * 1024
/** The longest list of templates, as JSON: what is kept has a bound. */
const LONGEST_LIST = 2 * 1024 * 1024
/** The time for all pages. */
const LIST_MS = 30_000
const PAGE_MS = 10_000

/**
 * Reads the account's approved templates, without those that need more than texts and a file, such as a one-time code.
 * @throws PlatformError
 */
export async function listTemplates(
  http: PlatformHttp,
  settings: Settings,
  judge: PlatformCall['judge'],
): Promise<Template[]> {
  const account = required(settings.business_account_id, 'business_account_id')
  const templates: Template[] = []
  const until = performance.now() + LIST_MS
  let length = 0
  let after: string | null = null
  for (let page = 0; page < MOST_PAGES; page++) {
    const query = new URLSearchParams({ fields: FIELDS, status: 'APPROVED', limit: String(PAGE) })
    if (after !== null) query.set('after', after)
    const answer = toObject(
      await callPlatform(http, {
        method: 'GET',
        url: apiUrl(settings.api_base, GRAPH, `/${GRAPH_VERSION}/${account}/message_templates?${query}`),
        headers: { authorization: `Bearer ${accessToken(settings)}` },
        longestAnswer: LONGEST_PAGE,
        timeoutMs: Math.max(1, Math.min(PAGE_MS, Math.round(until - performance.now()))),
        ...(judge ? { judge } : {}),
      }),
    )
    if (!Array.isArray(answer?.data))
      throw new PlatformError('unknown', 'rejected', 'the platform sent no templates')
    for (const given of toObjects(answer.data.slice(0, PAGE))) {
      const template = readTemplate(given)
      const size = JSON.stringify(template).length
      if (template === null || size > LONGEST_TEMPLATE) continue
      length += size
      if (length > LONGEST_LIST) return templates
      templates.push(template)
    }
    // The platform also names the address of the next page, which is not to be called with the token.
    const paging = toObject(answer.paging)
    after = paging?.next === undefined ? null : toText(toObject(paging.cursors)?.after)
    if (after === null) break
  }
  return templates
}

function readTemplate(given: JsonObject): Template | null {
  const [name, language] = [toId(given.name), toId(given.language)]
  const parts = toObjects(given.components).map(readPart)
  const hasBody = toObjects(given.components).some(({ type }) => type === 'BODY')
  const isSendable = given.status === 'APPROVED' && hasBody && parts.every((part) => part !== null)
  if (name === null || language === null || !isSendable) return null
  const known = parts.filter((part) => part !== null)
  return {
    name,
    language,
    category: toText(given.category)?.toLowerCase() ?? null,
    text: known.flatMap(({ text }) => text || []).join('\n\n'),
    variables: known.flatMap(({ variables }) => variables),
    file: known.find(({ file }) => file)?.file ?? null,
  }
}

type Part = Pick<Template, 'text' | 'variables'> & Partial<Pick<Template, 'file'>>

/** Reads a part of a template; null for one that needs more than texts and a file. */
function readPart(part: JsonObject): Part | null {
  const example = toObject(part.example)
  switch (part.type) {
    case 'HEADER': {
      const file = templateFiles.find((kind) => kind.toUpperCase() === part.format)
      if (file) return { text: '', variables: [], file }
      if (part.format !== undefined && part.format !== 'TEXT') return null
      const examples = Array.isArray(example?.header_text) ? example.header_text : []
      return readText(part.text, 'header.', [...examples, ...toObjects(example?.header_text_named_params)])
    }
    case 'BODY': {
      const [examples] = Array.isArray(example?.body_text) ? example.body_text : []
      const listed = Array.isArray(examples) ? examples : []
      return readText(part.text, '', [...listed, ...toObjects(example?.body_text_named_params)])
    }
    case 'FOOTER':
      return readText(part.text, 'footer.', [])
    case 'BUTTONS':
      return joined(toObjects(part.buttons).map(readButton))
    default:
      return null
  }
}

/** @param prefix of the names of its variables @param examples of its variables, in order or with their names */
function readText(given: unknown, prefix: string, examples: unknown[]): Part | null {
  const text = toText(given)
  if (text === null) return null
  const names = [...new Set([...text.matchAll(VARIABLE)].map(([, name = '']) => name))]
  const named = new Map(toObjects(examples).map((one) => [one.param_name, one.example]))
  const exampleOf = (name: string): string | null =>
    toText(named.has(name) ? named.get(name) : examples[Number(name) - 1])
  const variables = names.map((name) => ({ name: `${prefix}${name}`, example: exampleOf(name) }))
  return { text: text.replace(VARIABLE, (_, name: string) => `{{${prefix}${name}}}`), variables }
}

/** Reads a button. The end of its address may be a variable. */
function readButton(button: JsonObject, at: number): Part | null {
  const label = toText(button.text)
  if (label === null) return null
  switch (button.type) {
    case 'QUICK_REPLY':
      return { text: label, variables: [] }
    case 'PHONE_NUMBER':
      return { text: [label, toText(button.phone_number)].filter(Boolean).join(': '), variables: [] }
    case 'URL': {
      const name = `button.${at + 1}`
      const address = toText(button.url) ?? ''
      const text = `${label}: ${address.replace(VARIABLE, `{{${name}}}`)}`
      const [example] = Array.isArray(button.example) ? button.example : []
      return {
        text,
        variables: address === address.replace(VARIABLE, '') ? [] : [{ name, example: toText(example) }],
      }
    }
    default:
      return null
  }
}

function joined(parts: (Part | null)[]): Part | null {
  const known = parts.filter((part) => part !== null)
  if (known.length < parts.length) return null
  return {
    text: known.map(({ text }) => text).join('\n'),
    variables: known.flatMap(({ variables }) => variables),
  }
}

/** Returns what sends a template in place of a text. @param file what stands above its text, already uploaded */
export function templateBody(
  { name, language, variables }: TemplateUse,
  file: AttachedFile | undefined,
): JsonObject {
  const given = Object.entries(variables)
    .toSorted(([a], [b]) => a.localeCompare(b, 'en', { numeric: true }))
    .map(([name, text]) => ({ place: name.split('.'), text }))
  const texts = (of: (place: string[]) => string | null) =>
    given.flatMap(({ place, text }) => {
      const name = of(place)
      if (name === null) return []
      // Variables have either numbers, and come in their order, or names.
      return [{ type: 'text', ...(/^\d+$/.test(name) ? {} : { parameter_name: name }), text }]
    })
  const header = file
    ? [uploadedFile(file)]
    : texts(([part, name]) => (part === 'header' && name ? name : null))
  const body = texts(([name, more]) => (name && more === undefined ? name : null))
  const buttons = given.flatMap(({ place: [part, number], text }) =>
    part === 'button'
      ? [{ type: 'button', sub_type: 'url', index: Number(number) - 1, parameters: [{ type: 'text', text }] }]
      : [],
  )
  const components = [
    ...(header.length > 0 ? [{ type: 'header', parameters: header }] : []),
    ...(body.length > 0 ? [{ type: 'body', parameters: body }] : []),
    ...buttons,
  ]
  return {
    type: 'template',
    template: { name, language: { code: language }, ...(components.length > 0 ? { components } : {}) },
  }
}

/** Returns what names an uploaded file in a message. */
export function uploadedFile({
  as,
  uploaded,
  name,
}: Pick<AttachedFile, 'as' | 'uploaded' | 'name'>): JsonObject & { type: string | null } {
  return { type: as, [String(as)]: { id: uploaded, ...(as === 'document' ? { filename: name } : {}) } }
}

const REFUSALS = new Map<number, DeliveryReason>([
  // The account has no such template in this language.
  [132001, 'template_missing'],
  // It was paused or disabled because of its quality.
  [132015, 'template_paused'],
  [132016, 'template_paused'],
  // The number of variables, the length of the text, a text that is against the rules, the form of a variable.
  [132000, 'template_mismatch'],
  [132005, 'template_mismatch'],
  [132007, 'template_mismatch'],
  [132012, 'template_mismatch'],
  [132018, 'template_mismatch'],
  // It could not read the file, or does not take what it is.
  [131052, 'file_refused'],
  [131053, 'file_refused'],
])

/** Returns what the platform's code says of a template or a file; undefined: the code is about something else. */
export function refusalOf(code: number): DeliveryReason | undefined {
  return REFUSALS.get(code)
}
