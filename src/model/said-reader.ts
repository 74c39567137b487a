import { CALL_MARKS, type RawCall, rawCalls } from './raw-calls.ts'

/** The parts of what a model wrote as one text. */
export interface Said {
  text: string
  /** The thoughts before the answer. */
  thoughts: string
  calls: RawCall[]
}

/** Takes thoughts and calls out of a text that comes in pieces. */
interface SaidReader {
  /** Takes a piece. @returns what is certain now; a mark that may go on in the next piece is held back */
  feed(piece: string): Said
  /** Ends the text. @returns what was held back */
  end(): Said
  /**
   * True if thoughts ended that never began: the server's template begins them, and sends only their end. False if they
   * were expected and did not end; null: the text does not show it.
   */
  readonly hasBegunInThoughts: boolean | null
}

const FENCE = 3
const END_OF_THOUGHTS = '</think>'
/** The marks before and behind thoughts. The last but one are Kimi's, the last those of gpt-oss. */
const THOUGHT_MARKS: readonly (readonly [begin: string, end: string])[] = [
  ['<think>', END_OF_THOUGHTS],
  ['<thinking>', '</thinking>'],
  ['<thought>', '</thought>'],
  ['[THINK]', '[/THINK]'],
  ['◁think▷', '◁/think▷'],
  ['<|channel|>analysis<|message|>', '<|channel|>final<|message|>'],
]

/** A part of the text that is not said to the user, and the mark that ends it; null: the end of the answer. */
interface Unsaid {
  kind: 'thoughts' | 'likely thoughts' | 'call'
  end: string | null
}

/**
 * Reads the text of one answer. Thoughts are what it begins with, between marks; what stands in a block of code or
 * behind a backtick is text.
 * @param startsInThoughts true if the answers of this server begin with thoughts without a mark
 */
export function saidReader(startsInThoughts = false): SaidReader {
  let held = ''
  let isStart = !startsInThoughts
  let unsaid: Unsaid | null = startsInThoughts ? { kind: 'likely thoughts', end: END_OF_THOUGHTS } : null
  /** The text of a call or of likely thoughts so far. */
  let inner = ''
  let isAfterThoughts = false
  let hasBegunInThoughts: boolean | null = null
  let fences = 0
  /** The number of backticks at the end of the text. */
  let ticks = 0

  function read(isEnd: boolean): Said {
    const said: Said = { text: '', thoughts: '', calls: [] }
    while (
      (isStart ? readStart(isEnd) : true) &&
      (unsaid ? readUnsaid(said, isEnd, unsaid) : readText(said, isEnd))
    );
    return said
  }

  /** Looks for thoughts at the beginning. @returns false when the beginning is not there yet */
  function readStart(isEnd: boolean): boolean {
    const begin = held.trimStart()
    const marks = THOUGHT_MARKS.find(([mark]) => begin.startsWith(mark))
    if (!marks && !isEnd && THOUGHT_MARKS.some(([mark]) => mark.startsWith(begin))) return false
    isStart = false
    if (marks) {
      held = begin.slice(marks[0].length)
      unsaid = { kind: 'thoughts', end: marks[1] }
    }
    return true
  }

  /** @returns false when everything is read */
  function readUnsaid(said: Said, isEnd: boolean, { kind, end }: Unsaid): boolean {
    const at = end === null ? -1 : held.indexOf(end)
    const isOver = at >= 0 || isEnd
    const part = take(at >= 0 ? at : held.length - (isEnd || end === null ? 0 : begunLength(held, [end])))
    if (kind === 'thoughts') said.thoughts += part
    else inner += part
    if (!isOver) return false
    if (at >= 0) take(end?.length ?? 0)
    if (kind === 'call') said.calls.push(...rawCalls(inner))
    else if (at >= 0) said.thoughts += inner
    else {
      // What was taken for thoughts is the answer.
      held = inner
      isStart = true
    }
    if (kind === 'likely thoughts' && (at >= 0 || inner.trim() !== '')) hasBegunInThoughts = at >= 0
    isAfterThoughts = kind !== 'call' && at >= 0
    inner = ''
    unsaid = null
    return held !== ''
  }

  /** @returns false when everything is read */
  function readText(said: Said, isEnd: boolean): boolean {
    const found = firstOf(MARKS, held)
    write(said, take(found ? found.at : held.length - (isEnd ? 0 : begunLength(held, MARKS))))
    if (!found) return false
    const { mark } = found
    if (fences % 2 === 1 || ticks > 0) write(said, take(mark.length))
    else if (mark === END_OF_THOUGHTS) {
      take(mark.length)
      hasBegunInThoughts = isAfterThoughts = true
    } else {
      // This mark names the tool, and so is a part of the call.
      if (mark !== '<function=') take(mark.length)
      unsaid = { kind: 'call', end: new Map(CALL_MARKS).get(mark) ?? null }
    }
    return true
  }

  function take(length: number): string {
    const taken = held.slice(0, length)
    held = held.slice(length)
    return taken
  }

  function write(said: Said, text: string): void {
    const written = isAfterThoughts ? text.trimStart() : text
    if (written === '') return
    isAfterThoughts = false
    for (const character of written) {
      ticks = character === '`' ? ticks + 1 : 0
      if (ticks === FENCE) fences++
    }
    said.text += written
  }

  return {
    feed(piece) {
      held += piece
      return read(false)
    },
    end: () => read(true),
    get hasBegunInThoughts() {
      return hasBegunInThoughts
    },
  }
}

/** The marks in the middle of a text. */
const MARKS = [END_OF_THOUGHTS, ...CALL_MARKS.map(([begin]) => begin)]

function firstOf(marks: readonly string[], text: string): { mark: string; at: number } | null {
  const found = marks.map((mark) => ({ mark, at: text.indexOf(mark) })).filter(({ at }) => at >= 0)
  return found.length === 0 ? null : found.reduce((first, next) => (next.at < first.at ? next : first))
}

/** Returns the length of the end of a text with which one of the marks may begin. */
function begunLength(text: string, marks: readonly string[]): number {
  const longest = Math.max(...marks.map((mark) => mark.length - 1))
  for (let length = Math.min(longest, text.length); length > 0; length--) {
    const end = text.slice(text.length - length)
    if (marks.some((mark) => mark.length > length && mark.startsWith(end))) return length
  }
  return 0
}
