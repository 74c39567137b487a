import { digitAt, isUniform, weigh } from '../engine/check-digits.ts'
import type { Recognizer } from '../engine/recognizer.ts'
import { wordList } from '../engine/word-list.ts'

/** Account numbers near a word for them. */
export const bankAccount: Recognizer = {
  type: 'BANK_ACCOUNT',
  label: 'Bank account number',
  example: '000123456789',
  context: wordList(
    'account number*, account no*, acct*, bank account*, account #, checking account*, savings account*',
    'a/c no*, a/c, acc no*, account, sort code*, bsb',
    'kontonummer*, bankkonto*, konto-nr*, konto nr*, kto*, numero de compte, compte bancaire, compte, rib',
    'cuenta bancaria, numero de cuenta, cuenta, clabe, cbu, cvu, cta, nro de cuenta, n de cuenta',
    'tilinumero*, pankkitili*, szamlaszam*, bankszamla*, cont bancar, numar de cont, cont, cislo uctu, racun, broj racuna, tekuci racun, transakcijski racun, сметка, банкова сметка, банківськ*, номер рахунку',
    'λογαριασμος*, τραπεζικος λογαριασμος, חשבון בנק, מספר חשבון, شماره حساب, شماره کارت, ব্যাংক অ্যাকাউন্ট, வங்கி கணக்கு, akaun bank, nombor akaun, bank account ko, akaunti, cont nr, account nr, acc nr, konto-nr.*, kontonr*, kto.-nr*',
    'conta bancaria, numero da conta, conta corrente, conta, conto corrente, numero di conto',
    'numero conto, rekeningnummer*, bankrekening*, numer konta, numer rachunku, rachunek bankowy',
    'nr konta, konto, kontonr*, cislo uctu, ucet, uctu, bankovni ucet, bankkonto*, hesap no*, hesap numara*, banka hesab*, номер счета',
    'номер счёта, расчетн*, лицевой счет, рахунок, номер рахунку',
    'رقم الحساب, الحساب البنكي, حساب بنكي, खाता*, खाता संख्या, बैंक खाता, 银行账号, 银行账户, 账号, 帳號, 账户, 口座番号',
    '口座, 계좌*, 계좌번호, บัญชี, เลขบัญชี, เลขที่บัญชี, บัญชีธนาคาร',
    'so tai khoan, tai khoan ngan hang, stk, nomor rekening, no rekening, rekening*, norek, no rek, no. rek, ifsc',
  ),
  numbers: [
    { shapes: ['22', '8 14', '8-14'], judge: (digits) => (isCbu(digits) ? 'alone' : undefined) },
    { shapes: ['18', '3 3 11 1', '4 4 4 4 2'], judge: (digits) => (isClabe(digits) ? 'checked' : undefined) },
    { shapes: ['20'], judge: (digits) => (RUSSIAN.test(digits) ? 'alone' : undefined) },
    { shapes: ['26', '2 4 4 4 4 4 4'], judge: (digits) => (isPolish(digits) ? 'alone' : undefined) },
  ],
  codes: [
    { pattern: /\d{6,20}(?![A-Za-z0-9])/y, judge: () => 'context' },
    { pattern: /\d{1,7}(?:[ .-]\d{1,10}){1,6}(?:\/\d{4})?(?![A-Za-z0-9])/y, judge },
    { pattern: /\d{5} ?\d{5} ?[A-Z\d]{11} ?\d\d(?![A-Za-z0-9])/y, judge },
    { pattern: /\d{2,10}\/\d{4}(?![A-Za-z0-9])/y, judge: () => 'context' },
    { pattern: /[A-Z]{4}0[A-Z\d]{6}(?![A-Za-z0-9])/y, judge: () => 'context' },
  ],
  examples: [
    'account number «000123456789»',
    'CBU «2850590940090418135201»',
    'CLABE «032180000118359719»',
    'tilinumeroni on «123456-785»',
    'Kontonummer: «1234567890»',
    '계좌번호 «110-123-456789»',
    '口座番号«1234567»',
    'sort code «20-00-00»',
    'счёт «40817810099910004312»',
    'nr konta «61 1090 1014 0000 0712 1981 2874»',
    'RIB «30002 00550 0000157845Z 02»',
    'číslo účtu: «19-2000145399/0800»',
  ],
  counterExamples: [
    '000123456789',
    'account opened on 2024-01-15',
    'my account on 127.0.0.1',
    'account settings: set 6-4 3-6 7-6',
    'invoice 000123456789 for my account',
  ],
}

/** Accounts of people and companies in roubles, dollars, euros and yuan, in the Bank of Russia's numbering. */
const RUSSIAN = /^4(?:0[578]|2[0-6])\d{2}(?:810|840|978|156)/

/** Tells whether digits are an Argentine CBU: the bank and the account, each with its check digit. */
function isCbu(digits: string): boolean {
  const bank = weigh(digits, [7, 1, 3, 9, 7, 1, 3, 1])
  const account = weigh(digits.slice(8), [3, 9, 7, 1, 3, 9, 7, 1, 3, 9, 7, 1, 3, 1])
  return bank % 10 === 0 && account % 10 === 0 && !isUniform(digits)
}

/** Tells whether digits are a Mexican CLABE. */
function isClabe(digits: string): boolean {
  const sum = [...digits.slice(0, 17)].reduce(
    (sum, digit, at) => sum + ((Number(digit) * Number('371'.charAt(at % 3))) % 10),
    0,
  )
  return (10 - (sum % 10)) % 10 === digitAt(digits, 17)
}

/** Tells whether digits are a Polish number: an IBAN (ISO 13616) without the country code, mod 97. */
function isPolish(digits: string): boolean {
  return BigInt(`${digits.slice(2)}2521${digits.slice(0, 2)}`) % 97n === 1n
}

function judge(code: string): 'context' | undefined {
  const digits = code.replace(/\D/g, '').length
  const isDate = /^\d{4}-\d\d-\d\d|^\d{1,2}[.-]\d{1,2}[.-]\d{4}/.test(code)
  const isOther = /^\d{1,3}(?:\.\d{1,3}){3}$|^\d-\d(?: \d-\d)*$/.test(code)
  return digits >= 6 && digits <= 26 && !isDate && !isOther ? 'context' : undefined
}
