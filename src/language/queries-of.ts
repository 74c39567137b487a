import { headPartIn } from './mail-head.ts'
import { ASKS, smallTalk } from './small-talk.ts'
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
  return beginsPolitely(sentence) && indexWords(sentence).every((word) => tellingness(word) < 1)
}

function beginsPolitely(sentence: string): boolean {
  const words = sentence.split(/\s+/, LONGEST_PLEASANTRY)
  return words.some((_, at) => GREETS.has(smallTalk(words.slice(0, at + 1).join(' '))?.kind))
}

/** A line by which a mail is addressed. */
function isSalutation(sentence: string): boolean {
  return sentence.endsWith(',') && wordsOf(sentence).length <= 6
}

function wordsOf(line: string): string[] {
  return line.split(/\s+/)
}

/** A line behind which a mail says what all mails of its sender say, or repeats another one. */
const END = /^(?:--|_{5,})$/u
/** A line that the mail program of a phone adds. */
const FROM_PHONE =
  /^(?:sent from my |(?:sent (?:from|via|with)|gesendet (?:von|vom|mit|über)|envoyé (?:de|depuis|avec|à partir)|enviad[oa] (?:desde|de|do|a partir|con|com|via)|enviat des|inviat[oa] (?:da|dal|con)|(?:verzonden|verstuurd) (?:met|vanaf|vanuit|via)|skickat från|sendt fra|lähetetty|wysłan[eo] z|odesláno z|odoslané z|poslano s|trimis de|отправлено с|надіслано з|изпратено от|στάλθηκε από|נשלח) ?.{0,30}(?:iphon|ipad|android|outlook|galaxy|samsung|smartphone|handy|mobil|tel[eé]fon|téléphone|telemóvel|celular|yahoo|gmail|айфон|телефон)|von meinem .{1,40} gesendet\.?$|(?:get|télécharge[rz]|obtenir|obtener|obter|scarica|ottieni|download|hämta|hent|pobierz) outlook \S+ (?:ios|android)$|(?:从我的.{1,20}发送|[发發]自我的.{1,20}|.{0,5}(?:iphone|ipad|android).{0,7}(?:から送信|에서 보냄| gönderildi))$)/iu
/** A line that mail programs put above such a head. People mark their own headings in the same way. */
const RULE = /^-{3,}[^-].{1,60}[^-]-{3,}$/
const LONGEST_HEAD = 8

/** Tells whether a mail that is repeated begins at a line. */
function beginsMail(lines: readonly string[], at: number): boolean {
  const [line = '', ...head] = lines.slice(at, at + LONGEST_HEAD)
  const parts = head.map(headPartIn)
  if (RULE.test(line)) return parts[0] === 'from' || parts[0] === 'subject'
  // A journey has a line `From:`, too.
  return headPartIn(line) === 'from' && parts.includes('subject')
}

/** A line that closes a letter. What follows is a signature. */
const CLOSING =
  /^(?:(?:with )?(?:best|kind|kindest|warm|warmest|many) (?:regards|wishes|thanks)|regards$|regards,|best,?$|cheers|(?:yours )?(?:sincerely|faithfully)|yours|all the best|thanks|thank you|mit (?:freundlichen|besten|lieben) gr[üu]|(?:viele|liebe|beste|sch[öo]ne|freundliche|herzliche) gr[üu]|gru[ßs]|vg\b|mfg\b|lg\b|(?:(?:bien|très) )?cordialement|bien (?:à|a) vous|cdlt|salutations|un saludo|saludos|atentamente|atte\b|att\b|atentament|salutacions|cordiali saluti|distinti saluti|cordialmente|atenciosamente|com os melhores|(?:melhores )?cumprimentos|met vriendelijke|groet|med v[äe]nlig|v[äe]nliga|mvh\b|hilsen|yst[äa]v[äa]llisin|(?:serdecznie )?pozdrawiam|z poważaniem|z wyrazami szacunku|s pozdrav[eo]m|s úctou|s poštovanjem|cu (?:stimă|respect)|üdvözlettel|tisztelettel|sayg[ıi]lar[ıi]m[ıi]?z?la|iyi çalışmalar|trân trọng|hormat (?:saya|kami)|salam hormat|с уважени(?:ем|е)|з повагою|с поздрав|с поштовањем|με εκτίμηση|φιλικά|בברכה|مع (?:أطيب )?التحي|تحياتي|با احترام|(?:よろ|宜)しくお願い|敬具|ขอแสดงความนับถือ)/iu

const LONGEST_CLOSING = 12
const LONGEST_OF_SIGNATURE = 200

function isClosing(line: string): boolean {
  return CLOSING.test(line) && !/\d/.test(line) && wordsOf(line).length <= LONGEST_CLOSING
}

/** The name of a person. */
const NAME = /^(?:(?:\p{Lu}[\p{L}\p{M}.'’-]*|van|von|zu|ter|de[lnr]?|d[aio]s?|la|le|bin)(?:\s+|$)){1,5}$/u

const CLOSES: ReadonlySet<string | undefined> = new Set(['thanks', 'goodbye'])

/** Tells whether a line thanks or says goodbye above the name of the sender. */
function isFarewell(line: string, behind: string): boolean {
  return NAME.test(behind) && wordsOf(line).length <= LONGEST_PLEASANTRY && CLOSES.has(smallTalk(line)?.kind)
}

/** The lines that somebody wrote, without what is quoted and without the signature. */
function ownLines(message: string): string[] {
  const lines = message
    .slice(0, LONGEST_MESSAGE)
    .split(/\r\n?|\n/)
    .map((line) => line.trim())
  const end = lines.findIndex((line, at) => END.test(line) || FROM_PHONE.test(line) || beginsMail(lines, at))
  const own = (end < 0 ? lines : lines.slice(0, end)).filter((line, at) => {
    const isAboveQuote = line.endsWith(':') && lineBehind(lines, at).startsWith('>')
    return !line.startsWith('>') && !isAboveQuote
  })
  const closing = closingAt(own)
  return closing < 0 ? own : own.slice(0, closing)
}

/**
 * Returns the line with which the sender's own text ends; -1 if there is none. Many a text only thanks in between: then
 * nothing stands before the thanks, or a question, a long line or a sentence behind them.
 */
function closingAt(lines: readonly string[]): number {
  const first = lines.findIndex((line) => line !== '' && !isOpening(line))
  const last = lines.findLastIndex((line) => ASKS.test(line) || line.length >= LONGEST_OF_SIGNATURE)
  if (first < 0) return -1
  return lines.findIndex(
    (line, at) =>
      at > first &&
      at > last &&
      (isClosing(line) ? !isSentence(lineBehind(lines, at)) : isFarewell(line, lineBehind(lines, at))),
  )
}

/** Tells whether a line only opens a letter, as `Hi Anna`. */
function isOpening(line: string): boolean {
  return isSalutation(line) || isPleasantry(line) || (wordsOf(line).length <= 3 && beginsPolitely(line))
}

/** Tells whether a line is a sentence and no name, title or address. */
function isSentence(line: string): boolean {
  const words = wordsOf(line)
  return words.length > 3 && (/[.!]$/.test(line) || words.filter((word) => /^\p{Ll}/u.test(word)).length > 2)
}

/** Returns the next line that is not empty. */
function lineBehind(lines: readonly string[], at: number): string {
  return lines.slice(at + 1).find((line) => line !== '') ?? ''
}
