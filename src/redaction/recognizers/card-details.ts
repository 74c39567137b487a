import type { Page } from '../engine/page.ts'
import type { Recognizer } from '../engine/recognizer.ts'

const TYPE = 'CARD_DETAILS'
const MONTH = '(?:0?[1-9]|1[0-2])\\s?[/.-]\\s?(?:20)?[2-4]\\d'
const BEHIND = new RegExp(
  `^(?:[^\\d\\n]{1,24}\\d{3,4}(?![\\d./-]))?[^\\d\\n]{1,40}(${MONTH})(?![\\d/.-])(?:[^\\d\\n]{1,24}(\\d{3,4})(?![\\d./-]))?`,
)
const BEFORE = new RegExp(`(?:^|[^\\d/.-])(${MONTH})[^\\d\\n]{1,30}$`)
const REACH = 100

/** The month in which a card expires, beside its number, and the security code behind the month. */
export const cardDetails: Recognizer = {
  type: TYPE,
  label: 'Expiry or security code of a card',
  example: '12/27',
  find(page) {
    for (const { type, start, end } of [...page.findings])
      if (type === 'CREDIT_CARD') addAround(page, start, end)
  },
  examples: [
    '«CREDIT_CARD|4111 1111 1111 1111» exp «12/27»',
    '«CREDIT_CARD|4111 1111 1111 1111» cvv «SECRET|598» exp «08/27»',
    'gültig bis «03/2028», Karte «CREDIT_CARD|5500005555555559»',
    '«CREDIT_CARD|4111111111111111» «12/27» «123»',
  ],
  counterExamples: ['the coupon expires 12/27', 'card 4111 1111 1111 1111 used on 12/03/2024'],
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
