import { FOLD } from '../engine/characters.ts'
import { isEdge } from '../engine/is-edge.ts'

/** A value, and the placeholder that stands for it. Several spellings of a value share one. */
export type KnownValue = readonly [placeholder: string, value: string]

/** A place in the tree of values, by their characters in lower case and without accents. */
interface Branch {
  next: Map<number, Branch>
  /** The placeholder of a value that ends here, in whatever case it is written. */
  anyCase?: string
  /** The placeholders of values that end here and count only as they are written. */
  exact?: Map<string, string>
}

/**
 * Returns a function that replaces each known value that stands as words of its own. One word, which may be an everyday
 * one, counts only as it was written: "Will" and not "will".
 */
export function replacing(known: readonly KnownValue[]): (text: string) => string {
  const root: Branch = { next: new Map() }
  const telling = known.filter(([, value]) => isTelling(value))
  for (const [placeholder, value] of telling)
    for (const spelled of spellingsOf(value)) add(root, spelled, placeholder)
  if (telling.length === 0) return (text) => text
  return (text) => {
    let replaced = ''
    let copied = 0
    for (let at = 0; at < text.length; at++) {
      if (!root.next.has(FOLD[text.charCodeAt(at)] as number) || !isEdge(text, at)) continue
      const found = longestAt(root, text, at)
      if (!found) continue
      replaced += text.slice(copied, at) + found.placeholder
      copied = found.end
      at = found.end - 1
    }
    return copied === 0 ? text : replaced + text.slice(copied)
  }
}

/** Returns a value as it stands in texts, and in addresses of pages. */
function spellingsOf(value: string): string[] {
  const encoded = encodeURIComponent(value.toWellFormed())
  return encoded === value ? [value] : [value, encoded, encoded.replaceAll('%20', '+')]
}

function add(root: Branch, value: string, placeholder: string): void {
  let branch = root
  for (let at = 0; at < value.length; at++) {
    const step = FOLD[value.charCodeAt(at)] as number
    if (step === 0) continue
    const next = branch.next.get(step) ?? { next: new Map() }
    branch.next.set(step, next)
    branch = next
  }
  if (/^\p{L}+$/u.test(value)) {
    branch.exact ??= new Map()
    branch.exact.set(value, placeholder)
  } else branch.anyCase = placeholder
}

function longestAt(root: Branch, text: string, start: number): { placeholder: string; end: number } | null {
  let found = null
  let branch: Branch | undefined = root
  for (let at = start; at < text.length; at++) {
    const step = FOLD[text.charCodeAt(at)] as number
    branch = step === 0 ? branch : branch.next.get(step)
    if (!branch) break
    const end = at + 1
    if (!(branch.anyCase ?? branch.exact) || !isEdge(text, end)) continue
    const placeholder = branch.exact?.get(text.slice(start, end)) ?? branch.anyCase
    if (placeholder) found = { placeholder, end }
  }
  return found
}

/** Tells whether a value is long enough to be recognized without the words around it. */
function isTelling(value: string): boolean {
  return /\p{L}.*\p{L}/su.test(value) || /\p{N}(?:.*\p{N}){2}/su.test(value)
}
