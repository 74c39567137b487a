/** A file of a message. */
export interface Attachment {
  id: string
  kind: string
  name: string | null
  state: 'stored' | 'deleted'
}
