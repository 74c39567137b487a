import type { Recognizer } from '../engine/recognizer.ts'
import { wordList } from '../engine/word-list.ts'

/** Account numbers where a word says so. */
export const bankAccount: Recognizer = {
  type: 'BANK_ACCOUNT',
  label: 'Bank account number',
  example: '000123456789',
  context: wordList(
    'account number*, account no*, acct*, bank account*, account #, checking account*, savings account*',
    'a/c no*, a/c, acc no*, account, sort code*, bsb',
    'kontonummer*, bankkonto*, konto-nr*, konto nr*, kto*, numero de compte, compte bancaire, rib',
    'cuenta bancaria, numero de cuenta, cuenta, clabe',
    'conta bancaria, numero da conta, conta corrente, conta, conto corrente, numero di conto',
    'numero conto, rekeningnummer*, bankrekening*, numer konta, numer rachunku, rachunek bankowy',
    'cislo uctu, bankovni ucet, bankkonto*, hesap no*, hesap numara*, banka hesab*, номер счета',
    'номер счёта, расчетн*, лицевой счет, рахунок, номер рахунку',
    'رقم الحساب, الحساب البنكي, حساب بنكي, खाता*, खाता संख्या, बैंक खाता, 银行账号, 银行账户, 账号, 帳號, 账户, 口座番号',
    '口座, 계좌*, 계좌번호, เลขบัญชี, เลขที่บัญชี, บัญชีธนาคาร',
    'so tai khoan, tai khoan ngan hang, stk, nomor rekening, no rekening, rekening*, norek, ifsc',
  ),
  codes: [
    { pattern: /\d{6,20}(?![A-Za-z0-9])/y, judge: () => 'context' },
    { pattern: /\d{1,7}(?:[ .-]\d{1,9}){1,6}(?:\/\d{4})?(?![A-Za-z0-9])/y, judge },
    { pattern: /\d{2,10}\/\d{4}(?![A-Za-z0-9])/y, judge: () => 'context' },
    { pattern: /[A-Z]{4}0[A-Z\d]{6}(?![A-Za-z0-9])/y, judge: () => 'context' },
  ],
  examples: [
    'account number «000123456789»',
    'Kontonummer: «1234567890»',
    '계좌번호 «110-123-456789»',
    '口座番号«1234567»',
    'sort code «20-00-00»',
  ],
  counterExamples: ['000123456789', 'account opened on 2024-01-15', 'invoice 000123456789 for my account'],
}

function judge(code: string): 'context' | undefined {
  const digits = code.replace(/\D/g, '').length
  const isDate = /^\d{4}-\d\d-\d\d|^\d{1,2}[.-]\d{1,2}[.-]\d{4}/.test(code)
  return digits >= 6 && digits <= 26 && !isDate ? 'context' : undefined
}
