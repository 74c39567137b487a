/** The longest text that one message of a platform may have. */
export interface TextLimit {
  length: number
  unit: 'utf16' | 'code_points' | 'utf8'
}

/** Places at which to cut a text, best first: after a paragraph, a line, a sentence, a word. */
const PLACES = [/\n\s*\n/g, /\n/g, /[.!?…](?:["'”’)\]]*)(?=\s)|[。！？]/g, /\s+/g]

const characters = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

/**
 * Cuts a text into messages within a platform's limit, at the end of a paragraph or sentence if there is one in the
 * last half of a message. Only white space at the cuts is lost. A text of only white space gives no message.
 */
export function cutText(text: string, limit: TextLimit): string[] {
  const parts: string[] = []
  let rest = text.trim()
  while (rest !== '') {
    const end = endWithin(rest, limit)
    const cut = end === rest.length ? end : bestCut(rest, end)
    parts.push(rest.slice(0, cut).trimEnd())
    rest = rest.slice(cut).trimStart()
  }
  return parts
}

/** Returns the furthest end of the text within the limit, in UTF-16 units, without splitting a character. */
function endWithin(text: string, { length, unit }: TextLimit): number {
  if (unit === 'utf16') {
    if (text.length <= length) return text.length
    return wholeCharacters(text, length)
  }
  const cost = unit === 'utf8' ? bytesOf : () => 1
  let left = length
  let end = 0
  while (end < text.length) {
    const code = text.codePointAt(end) ?? 0
    left -= cost(code)
    if (left < 0) break
    end += code > 0xffff ? 2 : 1
  }
  return end === text.length ? end : wholeCharacters(text, end)
}

/** Returns the bytes of a character in UTF-8. */
function bytesOf(code: number): number {
  return code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4
}

/**
 * Moves the end so that it splits no character as people see it, unless a single character is longer than the limit.
 */
function wholeCharacters(text: string, end: number): number {
  const from = Math.max(0, end - 64)
  const start = isLowSurrogate(text, from) ? from - 1 : from
  const safe = isLowSurrogate(text, end) ? end - 1 : end
  const found = characters.segment(text.slice(start, end + 64)).containing(safe - start)
  const whole = found ? start + found.index : safe
  return whole > start ? whole : safe
}

function isLowSurrogate(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  return code >= 0xdc00 && code <= 0xdfff
}

function bestCut(text: string, end: number): number {
  const from = Math.floor(end / 2)
  // Includes one more character, which shows whether the last one that fits ends a sentence.
  const window = text.slice(from, end + 1)
  for (const place of PLACES) {
    let cut = 0
    for (const match of window.matchAll(place)) {
      const at = match.index + match[0].length
      if (from + at <= end) cut = at
    }
    if (cut > 0) return from + cut
  }
  return end
}
