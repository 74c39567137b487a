import { type RefObject, useLayoutEffect } from 'react'

const NAME = 'found'

/**
 * Marks the line to which the reader has jumped, and words in it. Only colours change, so that text drawn by other
 * components is not touched.
 * @param words null to mark nothing
 * @param drawn changes when lines do
 */
export function useMarks(
  thread: RefObject<HTMLElement | null>,
  words: readonly string[] | null,
  drawn: unknown,
): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs after each change of the drawn lines
  useLayoutEffect(() => {
    const line = thread.current?.querySelector('[data-target]')
    if (!line || words === null) return
    line.setAttribute('data-found', '')
    // Browsers without highlights still mark the line.
    CSS.highlights?.set(NAME, new Highlight(...rangesOf(line, words)))
    return () => {
      line.removeAttribute('data-found')
      CSS.highlights?.delete(NAME)
    }
  }, [words, drawn])
}

function rangesOf(line: Element, words: readonly string[]): Range[] {
  const bubble = line.querySelector('.bubble') ?? line
  const texts = document.createTreeWalker(bubble, NodeFilter.SHOW_TEXT)
  const ranges: Range[] = []
  for (let node = texts.nextNode(); node; node = texts.nextNode()) {
    for (const { index, length } of matchesIn(node.nodeValue ?? '', words)) {
      const range = new Range()
      range.setStart(node, index)
      range.setEnd(node, index + length)
      ranges.push(range)
    }
  }
  return ranges
}

function matchesIn(text: string, words: readonly string[]): { index: number; length: number }[] {
  return words.flatMap((word) =>
    [...text.matchAll(new RegExp(RegExp.escape(word), 'giu'))].map(({ index, 0: { length } }) => ({
      index,
      length,
    })),
  )
}
