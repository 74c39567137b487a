const AMOUNT_BEFORE = /[$€£¥₹₽₩₺₫฿₪₴]/
const AMOUNT_BEHIND =
  /\s?(?:[$€£¥₹₽₩₺₫฿₪₴%°]|(?:USD|EUR|GBP|JPY|INR|CHF|BRL|PLN|SEK|TRY|RUB|CNY|KRW|THB|VND|IDR|kr|zł|руб|km|kg|cm|mm|ms|MB|GB|KB|kB|TB|bytes|rows|px|pcs|units|views|users|tokens|mAh|Euro|(?:Werkt|T)agen?|Wochen?|Monaten?|Jahren?|Stunden?|Minuten?|Personen|Stück|円|元|원|บาท|đồng)(?![\p{L}\p{N}]))/uy

/** Tells whether a number is an amount of money, of data, of time or of other things. */
export function isAmount(text: string, start: number, end: number): boolean {
  const before = text.charAt(start - 1)
  if (AMOUNT_BEFORE.test(before) || (before === ' ' && AMOUNT_BEFORE.test(text.charAt(start - 2))))
    return true
  AMOUNT_BEHIND.lastIndex = end
  return AMOUNT_BEHIND.test(text)
}
