import type { ServerResponse } from 'node:http'
import type { PeerRequest } from './peer.ts'

/** A template as the platform answers it. */
export interface RawTemplate {
  name: string
  language: string
  status: string
  category: string
  components: unknown[]
}

/** A template in the call that sends it. */
interface SentTemplate {
  name: string
  language: { code: string }
  components?: { type: string; parameters: Record<string, unknown>[] }[]
}

/** Returns a template of texts alone. */
export function rawTemplate(
  name: string,
  body: string,
  { language = 'en_US', status = 'APPROVED', more = [] as unknown[] } = {},
): RawTemplate {
  return { name, language, status, category: 'UTILITY', components: [{ type: 'BODY', text: body }, ...more] }
}

const PER_PAGE = 2

/**
 * The templates of a WhatsApp account, which it answers a few at a time, and checks when one is sent.
 * @param isUploaded tells whether it has a file with an id
 */
export function whatsAppAccount(isUploaded: (id: unknown) => boolean) {
  const templates: RawTemplate[] = []

  function page(path: string): unknown {
    const after = Number(new URL(path, 'http://peer').searchParams.get('after') ?? 0)
    const data = templates.slice(after, after + PER_PAGE)
    const end = after + data.length
    // The address of the next page is on a host that must not be given the token.
    const next = end < templates.length ? { next: 'http://127.0.0.1:1/next' } : {}
    return { data, paging: { cursors: { before: String(after), after: String(end) }, ...next } }
  }

  /** Returns the platform's code for a template that cannot be sent as it is. */
  function refusal({ name, language, components = [] }: SentTemplate): number | null {
    const meant = templates.find((one) => one.name === name && one.language === language.code)
    if (!meant) return 132001
    if (meant.status !== 'APPROVED') return 132015
    const [, format] = /"format":"(IMAGE|VIDEO|DOCUMENT)"/.exec(JSON.stringify(meant.components)) ?? []
    const given = components.flatMap(({ parameters }) => parameters)
    const texts = given.filter(({ type }) => type === 'text')
    const [file, ...more] = given.filter(({ type }) => type !== 'text')
    if (file?.type !== format?.toLowerCase() || more.length > 0) return 132012
    if (file && !isUploaded((file[String(file.type)] as { id: unknown }).id)) return 131053
    const wanted = JSON.stringify(meant.components).match(/\{\{\w+\}\}/g)?.length ?? 0
    return texts.length === wanted ? null : 132000
  }

  return {
    templates,
    /** Answers a call about templates; false: it is about something else. */
    answer(response: ServerResponse, { method, path, body }: PeerRequest): boolean {
      if (method === 'GET' && path.includes('/message_templates')) {
        response.setHeader('content-type', 'application/json')
        response.end(JSON.stringify(page(path)))
        return true
      }
      if (method !== 'POST' || !path.endsWith('/messages') || !body.includes('"template"')) return false
      const sent = JSON.parse(body)
      const code = sent.type === 'template' ? refusal(sent.template) : null
      if (code === null) return false
      response.writeHead(code === 132001 ? 404 : 400, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ error: { message: 'refused', type: 'OAuthException', code } }))
      return true
    },
  }
}
