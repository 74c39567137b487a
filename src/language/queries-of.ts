import { smallTalk } from './small-talk.ts'
import { tellingness } from './words/common-words.ts'
import { indexWords } from './words/words.ts'

/** The most sentences of a message that are searched for. */
const MOST_SENTENCES = 8
/** The most characters of a message that are read: more would cost time and tell nothing new. */
const LONGEST_MESSAGE = 10_000

/**
 * Returns what is searched for when somebody sends a message: each sentence by itself and together with its
 * neighbours, questions first. Greetings, signatures and quotes of earlier mails are left out. A message of one
 * sentence is searched for as it stands.
 */
export function queriesOf(message: string): string[] {
  const sentences = sentencesOf(message)
  if (sentences.length <= 1) return [sentences[0] ?? message]
  const places = [...sentences.keys()]
  const asks = (at: number) => ASKS.test(sentences[at] ?? '')
  // A sentence of common words only, such as "have a nice day", is not searched for by itself.
  const states = (at: number) =>
    !asks(at) && indexWords(sentences[at] ?? '').some((word) => tellingness(word) === 1)
  const telling = [...places.filter(asks), ...places.filter(states)]
  const chosen = (telling.length > 0 ? telling : places).slice(0, MOST_SENTENCES)
  const beside = chosen.map((at) => sentences.slice(Math.max(0, at - 1), at + 2).join(' '))
  return [...new Set([...chosen.map((at) => sentences[at] ?? ''), ...beside])]
}

/** Returns what a message asks in one sentence: its last question, or all of it. */
export function askedIn(message: string): string {
  return sentencesOf(message).findLast((sentence) => ASKS.test(sentence)) ?? message
}

const ASKS = /[?？؟]["”»)]*$/

const segmenter = new Intl.Segmenter(undefined, { granularity: 'sentence' })

/** Splits what somebody wrote into sentences, without those that only greet or thank. */
export function sentencesOf(message: string): string[] {
  return ownLines(message)
    .join('\n')
    .replace(HARD_BREAK, '$1 ')
    .split('\n')
    .flatMap((line) => Array.from(segmenter.segment(line), ({ segment }) => segment.trim()))
    .filter((sentence) => /\p{L}|\p{N}/u.test(sentence) && !isSalutation(sentence) && !isPleasantry(sentence))
}

/**
 * A line that a mail program broke: it is long, and the next goes on. Bound to the beginning of a line, or a text in one
 * line would be read again from each of its characters.
 */
const HARD_BREAK = /^(.{50,})\n(?=\S)/gm

/** The most words of a greeting or of thanks that stand at the beginning of a sentence. */
const LONGEST_PLEASANTRY = 5

const GREETS: ReadonlySet<string | undefined> = new Set(['greeting', 'thanks', 'goodbye'])

/** Tells whether a sentence greets or thanks and says nothing else, or nothing but common words. */
function isPleasantry(sentence: string): boolean {
  if (smallTalk(sentence) !== null) return true
  if (ASKS.test(sentence)) return false
  const words = sentence.split(/\s+/, LONGEST_PLEASANTRY)
  const begins = words.some((_, at) => GREETS.has(smallTalk(words.slice(0, at + 1).join(' '))?.kind))
  return begins && indexWords(sentence).every((word) => tellingness(word) < 1)
}

/** A line by which a mail is addressed. */
function isSalutation(sentence: string): boolean {
  return sentence.endsWith(',') && sentence.split(/\s+/).length <= 6
}

/** A line from which a mail repeats another one or says what all mails of the sender say. */
const END = new RegExp(
  [
    '^--\\s*$',
    '^_{5,}\\s*$',
    '^-{3,}.*\\p{L}.*-{3,}$',
    '^(?:from|von|de|da|van|fra|från|od|från|от|від|发件人|差出人|寄件者): \\S',
    '^sent from my ',
  ].join('|'),
  'iu',
)
/** A line that closes a letter. What follows is a signature. */
const CLOSING =
  /^(?:(?:with )?(?:best|kind|kindest|warm|warmest|many) (?:regards|wishes|thanks)|regards$|regards,|best,?$|cheers|(?:yours )?(?:sincerely|faithfully)|yours|all the best|thanks|thank you|mit (?:freundlichen|besten|lieben) gr[üu]|(?:viele|liebe|beste|sch[öo]ne) gr[üu]|gru[ßs]|vg\b|mfg\b|lg\b|cordialement|bien (?:à|a) vous|cdlt|salutations|un saludo|saludos|atentamente|cordiali saluti|distinti saluti|atenciosamente|com os melhores|met vriendelijke|groet|med v[äe]nlig|v[äe]nliga|hilsen|yst[äa]v[äa]llisin|pozdrawiam|s pozdravem|с уважением|з повагою)/iu

const LONGEST_CLOSING = 12
const LONGEST_OF_SIGNATURE = 200

function isClosing(line: string): boolean {
  return CLOSING.test(line) && !ASKS.test(line) && line.split(/\s+/).length <= LONGEST_CLOSING
}

/** The lines that somebody wrote, without what is quoted and without the signature. */
function ownLines(message: string): string[] {
  const lines = message
    .slice(0, LONGEST_MESSAGE)
    .split(/\r\n?|\n/)
    .map((line) => line.trim())
  const own: string[] = []
  for (const [at, line] of lines.entries()) {
    if (END.test(line)) break
    // A closing begins the signature, with which the sender's own text ends. Long lines after it are no signature.
    if (own.some((before) => before !== '' && !isSalutation(before)) && isClosing(line))
      if (lines.slice(at + 1).every(({ length }) => length < LONGEST_OF_SIGNATURE)) break
    const isQuoted =
      line.startsWith('>') ||
      (line.endsWith(':') && (lines.slice(at + 1).find((other) => other !== '') ?? '').startsWith('>'))
    if (!isQuoted) own.push(line)
  }
  return own
}
