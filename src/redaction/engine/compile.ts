import { CLOSE_VETO, compileTokenRules, IDENTITY, VETO } from './classify-tokens.ts'
import { IDENTITY_WORDS } from './identity-words.ts'
import { Page } from './page.ts'
import { compilePhrases } from './phrases.ts'
import { Places } from './places.ts'
import type { Finding, Recognizer } from './recognizer.ts'
import { resolve } from './resolve.ts'
import { scan } from './scan.ts'
import { Tokens } from './tokens.ts'
import { CLOSE_VETO_WORDS, VETO_WORDS } from './veto-words.ts'
import { view } from './view.ts'

/** Finds what the recognizers know in a text: disjoint findings in the order of the text. */
export type Find = (text: string) => Finding[]

/** Builds the tables for a set of recognizers, once, and returns the function that finds. */
export function compile(recognizers: readonly Recognizer[]): Find {
  const kinds = new Map<string, number>()
  const lists: (readonly string[])[] = []
  const addKind = (name: string, phrases: readonly string[]): void => {
    kinds.set(name, lists.push(phrases) - 1)
  }
  addKind(VETO, VETO_WORDS)
  addKind(CLOSE_VETO, CLOSE_VETO_WORDS)
  addKind(IDENTITY, IDENTITY_WORDS)
  for (const recognizer of recognizers) {
    if (recognizer.context) addKind(recognizer.type, recognizer.context)
    for (const [name, phrases] of Object.entries(recognizer.phrases ?? {})) addKind(name, phrases)
  }
  const phrases = compilePhrases(lists)
  const classifyTokens = compileTokenRules(recognizers)
  const finders = recognizers.flatMap(({ find }) => find ?? [])

  const tokens = new Tokens()
  const places = lists.map(() => new Places())
  const readsAll = recognizers.some((recognizer) => recognizer.readsAll)

  return (text) => {
    const { text: read, positions } = view(text)
    const anchors = scan(read, phrases, places, tokens)
    if (!anchors.any && !readsAll) return []
    const page = new Page(read, anchors, kinds)
    if (anchors.tokens.count > 0) classifyTokens(page)
    for (const find of finders) find(page)
    const findings = withoutPlaceholders(resolve(page.findings), anchors.placeholders)
    if (positions) {
      for (const finding of findings) {
        finding.start = positions[finding.start] as number
        finding.end = (positions[finding.end - 1] as number) + 1
      }
    }
    return findings
  }
}

/** Drops what touches a placeholder. Both lists are in the order of the text. */
function withoutPlaceholders(findings: Finding[], placeholders: readonly number[]): Finding[] {
  if (placeholders.length === 0) return findings
  let at = 0
  return findings.filter((finding) => {
    while (at < placeholders.length && (placeholders[at + 1] as number) <= finding.start) at += 2
    return at >= placeholders.length || (placeholders[at] as number) >= finding.end
  })
}
