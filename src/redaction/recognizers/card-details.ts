import type { Finding } from '../engine/finding.ts'
import { firstIndex } from '../engine/first-index.ts'
import type { Page } from '../engine/page.ts'
import type { Recognizer } from '../engine/recognizer.ts'
import { CARD_CODE_WORDS } from './secret-words.ts'

const TYPE = 'CARD_DETAILS'
const MONTH = '(?:0?[1-9]|1[0-2])\\s?[/.-]\\s?(?:20)?[2-4]\\d'
const BEHIND = new RegExp(
  `^(?:[^\\d\\n]{1,24}\\d{3,4}(?![\\d./-]))?[^\\d\\n]{1,40}(${MONTH})(?![\\d/.-])(?:[^\\d\\n]{1,24}(\\d{3,4})(?![\\d./-]))?`,
)
const BEFORE = new RegExp(`(?:^|[^\\d/.-])(${MONTH})[^\\d\\n]{1,30}$`)
const REACH = 100

/** The greatest distance between the word for a security code and the code. */
const LABEL_REACH = 16

/** The month in which a card expires, beside its number, and the security code behind the month or a word for it. */
export const cardDetails: Recognizer = {
  type: TYPE,
  label: 'Expiry or security code of a card',
  example: '12/27',
  phrases: { cardCode: CARD_CODE_WORDS },
  find(page) {
    const cards = page.findings
      .filter(({ type }) => type === 'CREDIT_CARD')
      .toSorted((a, b) => a.start - b.start)
    for (const { start, end } of cards) addAround(page, start, end)
    if (cards.length > 0 && page.has('cardCode')) takeCodes(page, cards)
  },
  examples: [
    '«CREDIT_CARD|4111 1111 1111 1111» exp «12/27»',
    '«CREDIT_CARD|4111 1111 1111 1111» cvv «598» exp «08/27»',
    '«CREDIT_CARD|4111 1111 1111 1111» cvv «123»',
    'CVC: «1234», Karte «CREDIT_CARD|5500005555555559», PIN: «SECRET|4821»',
    'Mi tarjeta es «CREDIT_CARD|4111111111111111», el código de seguridad es «123»',
    'gültig bis «03/2028», Karte «CREDIT_CARD|5500005555555559»',
    '«CREDIT_CARD|4111111111111111» «12/27» «123»',
  ],
  counterExamples: ['the coupon expires 12/27', 'card 4111 1111 1111 1111 used on 12/03/2024'],
}

/**
 * Makes the codes behind words for them the details of the cards that are near. Elsewhere such a code is a secret.
 * @param cards in the order of the text
 */
function takeCodes(page: Page, cards: readonly Finding[]): void {
  const secrets = new Map<number, Finding>()
  for (const finding of page.findings)
    if (finding.type === 'SECRET' && finding.end - finding.start <= 4) secrets.set(finding.start, finding)
  page.eachPhrase('cardCode', (_, end) => {
    for (let at = end; at <= end + LABEL_REACH; at++) {
      const code = secrets.get(at)
      if (!code) continue
      const next = cards[firstIndex(cards.length, (index) => (cards[index]?.end ?? 0) + REACH >= code.start)]
      if (next && next.start <= code.end + REACH) code.type = TYPE
      return
    }
  })
}

function addAround(page: Page, start: number, end: number): void {
  const behind = BEHIND.exec(page.text.slice(end, end + REACH))
  if (behind) {
    const [whole, month = '', security] = behind
    const from = end + whole.indexOf(month)
    page.add(TYPE, from, from + month.length, 'checked')
    const until = end + whole.length
    if (security) page.add(TYPE, until - security.length, until, 'checked')
    return
  }
  const before = BEFORE.exec(page.text.slice(Math.max(0, start - REACH), start))?.[0]
  const month = before && new RegExp(MONTH).exec(before)
  if (!before || !month) return
  const from = start - before.length + month.index
  page.add(TYPE, from, from + month[0].length, 'checked')
}
