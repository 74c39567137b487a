import { type FindWords, isDenied, withoutAllowed } from './custom/own-words.ts'
import { addTagged, sureOf } from './engine/add-tagged.ts'
import { CLOSE_VETO, compileTokenRules, IDENTITY, VETO } from './engine/classify-tokens.ts'
import type { Finding } from './engine/finding.ts'
import { IDENTITY_WORDS } from './engine/identity-words.ts'
import { Page } from './engine/page.ts'
import { compilePhrases } from './engine/phrases.ts'
import type { Places } from './engine/places.ts'
import type { Recognizer } from './engine/recognizer.ts'
import { resolve } from './engine/resolve.ts'
import { Anchors, scan } from './engine/scan.ts'
import type { Part, Stretch } from './engine/stretch.ts'
import { CLOSE_VETO_WORDS, VETO_WORDS } from './engine/veto-words.ts'
import { view, viewStretches } from './engine/view.ts'
import { readStructure } from './structure/read-structure.ts'
import { saysNothing } from './structure/values.ts'
import type { FindTagged } from './tagger/find-tagged.ts'

/**
 * Finds the personal data in a text that the recognizers know. With `part`, finds it only in this part, and the same
 * values also elsewhere in the text. The findings are disjoint and in the order of the text.
 */
export type Find = {
  (text: string, part?: Part): Finding[]
  /** Finds without the tagger, which has read the text before and sees nothing new in it. */
  again: (text: string, part?: Part) => Finding[]
}

/**
 * Builds the tables for a set of recognizers, once, and returns the function that finds.
 * @param findAllowed finds the words that are never personal data unless they are denied; null: there are none
 * @param tag finds what the recognizers may not know
 */
export function compile(
  recognizers: readonly Recognizer[],
  findAllowed: FindWords | null = null,
  tag?: FindTagged,
): Find {
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
  const repeating = recognizers.filter(({ findAgain }) => findAgain)

  const anchors = new Anchors(lists.length)
  const readsAll = recognizers.some((recognizer) => recognizer.readsAll)

  const types = new Set(recognizers.map(({ type }) => type))
  /** Reads a text whose anchors were recorded. */
  const readPage = (text: string, anchors: Anchors): Page => {
    const page = new Page(text, anchors, kinds)
    if (anchors.tokens.count > 0) classifyTokens(page)
    for (const find of finders) find(page)
    return page
  }
  const inner = new Anchors(lists.length)
  /** Finds in a key and its value, which stand apart in the text that is being read. */
  const findInField = (text: string): Finding[] => {
    scan(text, phrases, inner)
    return resolve(readPage(text, inner).findings)
  }

  /** Finds what the recognizers know in a text whose anchors were recorded. */
  const findKnown = (text: string): Finding[] => {
    const page = readPage(text, anchors)
    readStructure(page, types, findInField)
    return page.findings
  }

  const find = (text: string, part: Part | undefined, tag: FindTagged | undefined): Finding[] => {
    const viewed = view(text)
    const { text: read, positions } = viewed
    scan(read, phrases, anchors, part && viewStretches(viewed, part.read))
    const isBare = !anchors.any && !readsAll
    if (isBare && !tag) return []
    const known = isBare ? [] : findKnown(read)
    const allowed = findAllowed?.(read) ?? []
    const told = part ? known.filter(({ strength }) => strength !== 'again') : known
    let findings = resolve(unallowed(told, allowed))
    if (tag) {
      const { tagged, bounded } = tag(read, findings)
      const telling = tagged.filter(({ start, end }) => !saysNothing(read.slice(start, end)))
      const joined = addTagged(read, bounded, unallowed(telling, allowed))
      const sure = sureOf(joined)
      if (sure.length > 0) for (const recognizer of repeating) addAgain(joined, recognizer, read, sure)
      findings = resolve(unallowed(joined, allowed))
    }
    findings = withoutPlaceholders(findings, anchors.placeholders)
    if (part) {
      findings = within(findings, viewStretches(viewed, part.asked))
      for (const recognizer of repeating) addAgain(findings, recognizer, read, findings)
      findings = resolve(unallowed(findings, allowed))
    }
    if (positions) {
      for (const finding of findings) {
        finding.start = positions[finding.start] as number
        finding.end = (positions[finding.end - 1] as number) + 1
      }
    }
    return findings
  }
  return Object.assign((text: string, part?: Part) => find(text, part, part ? undefined : tag), {
    again: (text: string, part?: Part) => find(text, part, undefined),
  })
}

/** Drops the findings that lie within an allowed word, except denied words. */
function unallowed(findings: Finding[], allowed: readonly Stretch[]): Finding[] {
  if (allowed.length === 0) return findings
  const others = findings.filter((finding) => !isDenied(finding)).sort((a, b) => a.start - b.start)
  return [...findings.filter(isDenied), ...withoutAllowed(others, allowed)]
}

/** Returns the findings that touch one of the stretches. Both lists are in the order of the text. */
function within(findings: Finding[], stretches: readonly Stretch[]): Finding[] {
  let at = 0
  return findings.filter(({ start, end }) => {
    while (at < stretches.length && (stretches[at] as Stretch).end <= start) at++
    return (stretches[at]?.start ?? Infinity) < end
  })
}

/** Adds the places where the values of a recognizer's type stand in the text again. */
function addAgain(
  findings: Finding[],
  { type, findAgain }: Recognizer,
  text: string,
  values: readonly Finding[],
): void {
  const places = findAgain ? values.filter((value) => value.type === type) : []
  findAgain?.(text, places, (start, end) => findings.push({ type, start, end, strength: 'again' }))
}

/** Drops the findings that touch a placeholder. Both lists are in the order of the text. */
function withoutPlaceholders(findings: Finding[], { length, numbers }: Places): Finding[] {
  if (length === 0) return findings
  let at = 0
  return findings.filter((finding) => {
    while (at < length && (numbers[at + 1] as number) <= finding.start) at += 2
    return at >= length || (numbers[at] as number) >= finding.end
  })
}
