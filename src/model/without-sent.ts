import { parseOrNull } from '../lib/parse-or-null.ts'

/** Words of the API itself, which servers use to say what is wrong. */
const KEPT = new Set([
  'assistant',
  'boolean',
  'developer',
  'function',
  'integer',
  'json_object',
  'json_schema',
])
/** The shortest run of letters and digits that two texts do not share by chance. */
const RUN = 15
/** Texts with fewer letters and digits are words that any message may contain. */
const SHORTEST_TEXT = 7
/** The most characters that are parsed as JSON, of the newest texts. All texts are also compared as they are. */
const MOST_PARSED = 1_000_000
/** The characters that are parsed in the time of starting and failing to. */
const COST_OF_PARSING = 1000
const BASE = 0x2f0b4c47
const BASE_TO_RUN = Array.from({ length: RUN }).reduce<number>((power) => Math.imul(power, BASE), 1)
const BUCKET_BITS = 18
const CODE_OF_NEWLINE = 10
/** 1 for each character of ASCII that is a letter or a digit. All other characters are compared, too. */
const IS_COMPARED = Uint8Array.from({ length: 128 }, (_, code) =>
  /[a-z\d]/i.test(String.fromCharCode(code)) ? 1 : 0,
)

/**
 * Cuts what a server's words have in common with what was sent to it. Only letters and digits are compared, because
 * servers cut, escape and reformat what they repeat. All that was sent is compared, in time that grows with its length
 * alone, even when it repeats itself.
 * @param text the server's words, without escapes
 * @param sent a text, or JSON with texts in it
 */
export function withoutSent(text: string, sent: unknown): string {
  const { letters, places } = comparedOf(text)
  const isSent = new Uint8Array(text.length)
  const indexes = new Map<number, Map<string, number[]>>()
  const indexOf = (length: number) => {
    const index = indexes.get(length) ?? startsByRun(letters, length)
    indexes.set(length, index)
    return index
  }
  /** The count of known runs by hash: most runs of a long text are ruled out by it. */
  const buckets = new Uint16Array(1 << BUCKET_BITS)
  const count = (run: string, by: number) => {
    const bucket = bucketOf(run)
    buckets[bucket] = (buckets[bucket] ?? 0) + by
  }
  for (const run of indexOf(RUN).keys()) count(run, 1)

  function mark(run: string): void {
    const index = indexOf(run.length)
    const starts = index.get(run)
    if (!starts) return
    for (const start of starts) isSent.fill(1, places[start], (places[start + run.length - 1] ?? 0) + 1)
    // Texts may repeat a run thousands of times, but it is marked everywhere now.
    index.delete(run)
    if (run.length === RUN) count(run, -1)
  }

  function compare(raw: string): void {
    if (raw.length < SHORTEST_TEXT || KEPT.has(raw)) return
    const whole = unescaped(raw)
    const codes = new Uint16Array(whole.length)
    let found = 0
    let lineStart = 0
    let hash = 0
    const endLine = () => {
      const length = found - lineStart
      if (length >= SHORTEST_TEXT && length < RUN)
        mark(String.fromCharCode(...codes.subarray(lineStart, found)))
      lineStart = found
    }
    for (let at = 0; at < whole.length; at++) {
      const code = whole.charCodeAt(at)
      if (code < 128 && !IS_COMPARED[code]) {
        if (code === CODE_OF_NEWLINE) endLine()
        continue
      }
      codes[found++] = code
      hash = (Math.imul(hash, BASE) + code) | 0
      if (found > RUN) hash = (hash - Math.imul(codes[found - RUN - 1] ?? 0, BASE_TO_RUN)) | 0
      if (found >= RUN && buckets[hash >>> (32 - BUCKET_BITS)])
        mark(String.fromCharCode(...codes.subarray(found - RUN, found)))
    }
    endLine()
  }

  for (const one of textsIn(sent)) compare(one)
  let left = ''
  for (let at = 0; at < text.length; at++)
    if (!isSent[at]) left += text[at]
    else if (!isSent[at - 1]) left += '[text]'
  return left
}

/** Yields the texts and numbers in JSON, also in JSON that is a text of it, as the arguments of tool calls are. */
function* textsIn(json: unknown): Generator<string> {
  let budget = MOST_PARSED
  const rest: { value: unknown; hasOwnNames: boolean }[] = [{ value: json, hasOwnNames: false }]
  for (let next = rest.pop(); next; next = rest.pop()) {
    const { value, hasOwnNames } = next
    if (typeof value === 'number') yield String(value)
    else if (typeof value === 'string') {
      yield value
      const cost = value.length + COST_OF_PARSING
      if (cost > budget || !/^\s*[[{]/.test(value)) continue
      budget -= cost
      rest.push({ value: parseOrNull(value), hasOwnNames: true })
    } else if (typeof value === 'object' && value !== null)
      for (const [name, inner] of Object.entries(value)) {
        // Other names are words of the API.
        if (hasOwnNames) yield name
        rest.push({ value: inner, hasOwnNames: name === 'properties' })
      }
  }
}

/** Undoes the escapes of JSON, so that words that a server repeats look as they were sent. */
export function unescaped(text: string): string {
  if (!text.includes('\\')) return text
  return text
    .replace(/\\+u([\da-f]{4})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    .replace(/\\+[nrt]/g, '\n')
    .replace(/\\+/g, '')
}

/** Picks the characters that are compared. @returns also the place of each in the text */
function comparedOf(text: string): { letters: string; places: number[] } {
  let letters = ''
  const places: number[] = []
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code < 128 && !IS_COMPARED[code]) continue
    letters += text[at]
    places.push(at)
  }
  return { letters, places }
}

function startsByRun(letters: string, length: number): Map<string, number[]> {
  const starts = new Map<string, number[]>()
  for (let at = 0; at + length <= letters.length; at++) {
    const run = letters.slice(at, at + length)
    const known = starts.get(run)
    if (known) known.push(at)
    else starts.set(run, [at])
  }
  return starts
}

function bucketOf(run: string): number {
  let hash = 0
  for (let at = 0; at < run.length; at++) hash = (Math.imul(hash, BASE) + run.charCodeAt(at)) | 0
  return hash >>> (32 - BUCKET_BITS)
}
