import { decodeUri } from '../lib/decode-uri.ts'

/** A document as a reader may know it. */
interface Named {
  title: string
  /** Identifies it: an address, or a path. */
  source: string
}

/** Names documents by their titles. Those that share one also by what tells their sources apart, such as the folder. */
export function tellApart(documents: readonly Named[]): string[] {
  const alike = Map.groupBy(documents, ({ title }) => title.toLowerCase())
  return documents.map(({ title, source }) => {
    const sources = (alike.get(title.toLowerCase()) ?? []).map(({ source }) => partsOf(source))
    const own = sources.length > 1 ? ownParts(partsOf(source), sources) : []
    return own.length === 0 ? title : `${title} (${own.map(decodeUri).join('/')})`
  })
}

function partsOf(source: string): string[] {
  return source.split('/').filter((part) => part !== '')
}

/** Returns a source's parts without the first and last ones that all sources share. */
function ownParts(own: readonly string[], all: readonly (readonly string[])[]): readonly string[] {
  const isShared = (place: number) => all.every((parts) => parts.at(place) === own.at(place))
  let from = 0
  while (from < own.length && isShared(from)) from++
  let end = own.length
  while (end > from && isShared(end - own.length - 1)) end--
  return own.slice(from, end)
}
