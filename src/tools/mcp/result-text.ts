import { isObject, toObjects } from '../../lib/untrusted-json.ts'

/** Returns the text of a result for a model. Images, sounds and files become a note of their kind and size. */
export function resultText({ content, structuredContent }: Record<string, unknown>): string {
  const parts = toObjects(content).map(partText)
  if (parts.length > 0) return parts.join('\n')
  return structuredContent === undefined ? '' : JSON.stringify(structuredContent)
}

function partText({ type, text, data, mimeType, resource, uri, name }: Record<string, unknown>): string {
  if (type === 'text') return typeof text === 'string' ? text : ''
  if (type === 'image' || type === 'audio') return noteOf(type, mimeType, data)
  if (type === 'resource_link') return `[link: ${shown(name)} ${shown(uri)}]`
  if (type === 'resource' && isObject(resource)) {
    if (typeof resource.text === 'string') return resource.text
    return noteOf(`file ${shown(resource.uri)}`, resource.mimeType, resource.blob)
  }
  return '[a part of a kind that is not known]'
}

function noteOf(what: string, kind: unknown, base64: unknown): string {
  const bytes = typeof base64 === 'string' ? Math.floor((base64.length * 3) / 4) : 0
  return `[${what}, ${shown(kind)}, ${bytes} bytes, which cannot be shown here]`
}

function shown(value: unknown): string {
  return typeof value === 'string' ? value.slice(0, 300) : ''
}
