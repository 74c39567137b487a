import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { createAwaited } from './awaited.ts'
import type { PeerRequest } from './peer.ts'
import type { Kind } from './platform-peer.ts'

/** The bytes of a file, or a function that answers a request for it. */
type ServedFile = Uint8Array | ((response: ServerResponse, request: PeerRequest) => void)

/** A file that a platform was asked to send. */
interface SentFile {
  thread: string
  /** The platform's word for how it is shown. */
  as: string
  /** The form with its bytes; null if it is read from a link. */
  form: string | null
  link: string | null
}

/** The files that platforms hand out, and those that they are sent. */
export interface MediaPeer {
  /** The files that were sent to chats, in order. */
  readonly sentFiles: SentFile[]
  /** The files that were uploaded, by the ids that they got. */
  readonly uploads: Map<string, string>
  /** Answers the next forms with files, one each. */
  failNextUpload(...failures: ((response: ServerResponse) => void)[]): void
  /** Resolves when no such answer is left. */
  untilFailed(): Promise<void>
  /** Resolves when this many files were sent. */
  untilSentFiles(count: number): Promise<SentFile[]>
  /** The files by their ids. What is not there is answered with 404. */
  readonly files: Map<string, ServedFile>
}

/** The headers by which a platform knows who asks for a file; undefined: it must be told nothing. */
const CREDENTIALS: Partial<Record<string, RegExp>> = {
  'messenger-one': /^Bearer token-of-one-12345$/,
  'messenger-three': /^Bearer token-of-three-12345$/,
  sms: /^Basic [\w+/=]+$/,
}

/** Hands out files as each platform does. @param url returns the address of the peer */
export function mediaPeer(url: () => string) {
  const files = new Map<string, ServedFile>()
  const sentFiles: SentFile[] = []
  const uploads = new Map<string, string>()
  const failures: ((response: ServerResponse) => void)[] = []
  const awaited = createAwaited()

  function serve(kind: string, id: string, response: ServerResponse, request: PeerRequest): void {
    const expected = CREDENTIALS[kind]
    const { authorization } = request.headers
    const isKnown = expected ? expected.test(authorization ?? '') : authorization === undefined
    const file = files.get(decodeURIComponent(id))
    if (!isKnown) response.writeHead(401).end()
    else if (file === undefined) response.writeHead(404).end()
    else if (typeof file === 'function') file(response, request)
    else response.end(file)
  }

  /** Takes a form with a file, or a message that names one; returns the answer, or null when it is none. */
  function take({ path, body, headers }: PeerRequest): unknown {
    const sent = (thread: unknown, as: string, more: Partial<SentFile>) => {
      sentFiles.push({ thread: String(thread), as, form: null, link: null, ...more })
      awaited.tell()
    }
    const field = (name: string) => new RegExp(`name="${name}"\\r\\n\\r\\n([^\\r]*)`).exec(body)?.[1]
    if (headers['content-type']?.startsWith('multipart/')) {
      const id = `upload-${uploads.size + 1}`
      const [, telegram] = /^\/bot[^/]+\/send(\w+)$/.exec(path) ?? []
      const [, helpdesk] = /conversations\/(\d+)\/messages$/.exec(path) ?? []
      if (telegram) sent(field('chat_id'), telegram, { form: body })
      else if (helpdesk) sent(helpdesk, 'file', { form: body })
      else uploads.set(id, body)
      if (telegram) return { ok: true, result: { message_id: sentFiles.length } }
      return helpdesk ? { id: 7000 + sentFiles.length } : { id, attachment_id: id }
    }
    if (path.startsWith('/2010-04-01/')) {
      const form = new URLSearchParams(body)
      const link = form.get('MediaUrl')
      if (link === null) return null
      sent(form.get('To'), 'picture', { link })
      return { sid: `MM${sentFiles.length}`, status: 'queued' }
    }
    const json = body.startsWith('{') ? JSON.parse(body) : {}
    const attachment = json.message?.attachment
    const [shown] = json.messages ?? []
    const id = attachment?.payload.attachment_id ?? json[json.type]?.id
    if (json.messaging_product === 'whatsapp' && id !== undefined)
      sent(json.to, json.type, { form: uploads.get(id) ?? null })
    else if (attachment && attachment.type !== 'template')
      sent(json.recipient.id, attachment.type, {
        form: uploads.get(id) ?? null,
        link: attachment.payload.url ?? null,
      })
    else if (shown?.type === 'image')
      sent(json.to ?? json.replyToken, 'image', { link: shown.originalContentUrl })
    else return null
    const number = sentFiles.length
    return { messages: [{ id: `wamid.file${number}` }], message_id: `m_file${number}` }
  }

  return {
    files,
    sentFiles,
    uploads,
    failNextUpload: (...next: typeof failures) => void failures.push(...next),
    untilFailed: () => awaited.until(() => failures.length === 0, 'failed uploads'),
    async untilSentFiles(count: number) {
      await awaited.until(() => sentFiles.length >= count, `file ${count} of a channel`)
      return sentFiles
    },
    /** Answers a call for a file, or one that sends one; false when it is none. */
    answer(response: ServerResponse, request: PeerRequest): boolean {
      const { method, path, body } = request
      const json = (answer: unknown) => {
        response.setHeader('content-type', 'application/json')
        response.end(JSON.stringify(answer))
      }
      if (/^\/bot[^/]+\/getFile$/.test(path)) {
        const { file_id } = JSON.parse(body)
        json({ ok: true, result: { file_id, file_path: `documents/${file_id}` } })
        return true
      }
      if (method !== 'GET') {
        const isForm = request.headers['content-type']?.startsWith('multipart/')
        const fail = isForm ? failures.shift() : undefined
        if (fail) {
          fail(response)
          awaited.tell()
          return true
        }
        const taken = take(request)
        if (taken !== null) json(taken)
        return taken !== null
      }
      const [, whatsApp] = /^\/v[\d.]+\/(media-[^/?]+)$/.exec(path) ?? []
      if (whatsApp !== undefined) {
        json({ url: `${url()}/messenger-one/${whatsApp}`, mime_type: 'image/jpeg' })
        return true
      }
      const found =
        /^\/(?<kind>messenger-one|messenger-two|instagram|helpdesk|sms)\/(?<id>[^/?]+)/.exec(path) ??
        /^\/v2\/bot\/message\/(?<id>[^/]+)\/content$/.exec(path) ??
        /^\/file\/bot[^/]+\/documents\/(?<id>[^/]+)$/.exec(path)
      const { id, kind } = found?.groups ?? {}
      if (id === undefined) return false
      serve(kind ?? (path.startsWith('/file/') ? 'telegram' : 'messenger-three'), id, response, request)
      return true
    },
  }
}

/**
 * Returns the id of a file, and the fields with which a platform's message names it, for `mediaOf`. The id of LINE's is
 * that of the message.
 * @param number the number of the message
 */
export function fileMessage(
  kind: Kind,
  peerUrl: string,
  number: string,
  more: Record<string, unknown> = {},
): { id: string; fields: Record<string, unknown> } {
  const id = kind === 'messenger-three' ? number : `media-${number}`
  const address = `${peerUrl}/${kind}/${id}`
  switch (kind) {
    case 'messenger-one':
      return { id, fields: { type: 'image', image: { id, mime_type: 'image/jpeg', ...more } } }
    case 'messenger-two':
    case 'instagram':
      return { id, fields: { attachments: [{ type: 'image', payload: { url: address } }] } }
    case 'messenger-three':
      return { id, fields: { type: 'image', contentProvider: { type: 'line' } } }
    case 'telegram':
      return {
        id,
        fields: {
          photo: [
            { file_id: 'small', width: 90 },
            { file_id: id, width: 900, ...more },
          ],
        },
      }
    case 'sms':
      return {
        id,
        fields: { NumMedia: '1', MediaUrl0: address, MediaContentType0: 'image/jpeg' },
      }
    case 'helpdesk':
      return { id, fields: { attachments: [{ file_type: 'image', data_url: address, ...more }] } }
    default:
      assert.fail(kind satisfies never)
  }
}
