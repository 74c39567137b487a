import { foldText } from '../language/words/find-words.ts'
import type { TriedPassage } from '../turns/try/tried-answer.ts'
import type { Expectation } from './case.ts'

export type Finds = Extract<Expectation, { kind: 'finds' }>

/**
 * Finds the place of an expected page among the pages whose passages a model was given, best first: 1 for the first.
 * @returns null when the page is not among them
 */
export function rankPage({ value, heading = '' }: Finds, passages: readonly TriedPassage[]): number | null {
  const pages = new Set<string>()
  for (const passage of passages) {
    pages.add(passage.source)
    if (isNamed(passage, value) && foldText(passage.heading).includes(foldText(heading))) return pages.size
  }
  return null
}

function isNamed({ title, url, source }: TriedPassage, name: string): boolean {
  if (foldText(title) === foldText(name)) return true
  return [url, source].some((address) => address !== null && withoutPlace(address) === withoutPlace(name))
}

/** Returns an address without the place in its page. */
function withoutPlace(address: string): string {
  return foldText(address.replace(/#.*$/s, '').replace(/\/$/, ''))
}
