import type { Chat } from './chat.ts'

/** Posts to a path beside that of uploads, with the visitor's token. @returns null if the service did not answer */
export async function postAsVisitor(chat: Chat, path: string, body: object): Promise<Response | null> {
  const { address, token } = chat.uploads()
  return fetch(address.replace(/attachments$/, path), {
    method: 'POST',
    credentials: 'omit',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  }).catch(() => null)
}
