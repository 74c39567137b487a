import type { ModelAnswer } from './model.ts'
import { textOfContent } from './text-of-content.ts'

const CUT_OFF = new Set(['length', 'content_filter'])

/** Returns the text of an answer; null when the answer has none, or was cut off. */
export function wholeText({ content, finish_reason }: ModelAnswer): string | null {
  const text = textOfContent(content).trim()
  return text === '' || CUT_OFF.has(finish_reason) ? null : text.toWellFormed()
}
