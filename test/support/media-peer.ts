import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import type { PeerRequest } from './peer.ts'
import type { Kind } from './platform-peer.ts'

/** The bytes of a file, or another answer to who asks for it. */
export type ServedFile = Uint8Array | ((response: ServerResponse, request: PeerRequest) => void)

/** The files that platforms hand out. */
export interface MediaPeer {
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

  return {
    files,
    /** Answers a call for a file; false when it is none. */
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
      if (method !== 'GET') return false
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
