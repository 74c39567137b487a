import {
  digitAt,
  isBornAt,
  isUniform,
  mod11,
  passesLuhn,
  passesMod11And10,
  weigh,
} from '../../engine/check-digits.ts'
import type { Recognizer } from '../../engine/recognizer.ts'
import { code, idNumber } from './id-number.ts'

const SPANISH = 'TRWAGMYFPDXBNJZSQVHLCKE'
const isSpanish = (plain: string) => SPANISH.charAt(Number(plain.slice(0, -1)) % 23) === plain.slice(-1)
const isForeignSpanish = (plain: string) => isSpanish('XYZ'.indexOf(plain.charAt(0)) + plain.slice(1))

/** The values of an Italian code's characters at odd positions. At even ones, each stands for its own value. */
const ODD = [1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 2, 4, 18, 20, 11, 3, 6, 8, 12, 14, 16, 10, 22, 25, 24, 23]

function isItalian(plain: string): boolean {
  let sum = 0
  for (let at = 0; at < 15; at++) {
    const value = Number.parseInt(plain.charAt(at), 36)
    const index = value > 9 ? value - 10 : value
    sum += at % 2 === 0 ? (ODD[index] as number) : index
  }
  return plain.length === 16 && String.fromCharCode(65 + (sum % 26)) === plain.charAt(15)
}

/** Sums for the check digit of Estonian and Lithuanian codes: the second counts if the first leaves 10. */
function isBaltic(digits: string): boolean {
  const first = mod11(digits, [1, 2, 3, 4, 5, 6, 7, 8, 9, 1])
  const rest = first < 10 ? first : mod11(digits, [3, 4, 5, 6, 7, 8, 9, 1, 2, 3]) % 10
  return digits >= '1' && digits < '7' && isBornAt(digits, 1, 3, 5) && rest === digitAt(digits, 10)
}

function isCzech(digits: string): boolean {
  const month = Number(digits.slice(2, 4)) % 50
  return (
    isBornAt(digits, 0, 2, 4, month > 20 ? month - 20 : month) &&
    (Number(digits) % 11 === 0 || (Number(digits.slice(0, 9)) % 11 === 10 && digits.endsWith('0')))
  )
}

function isCypriot(plain: string): boolean {
  let sum = 0
  for (let at = 0; at < 8; at++)
    sum += at % 2 === 0 ? (ODD[digitAt(plain, at)] as number) : digitAt(plain, at)
  return String.fromCharCode(65 + (sum % 26)) === plain.charAt(8)
}

/** Numbers that countries in the south and east of Europe give to people and companies. */
export const southernAndEasternEuropeanIds: readonly Recognizer[] = [
  idNumber({
    type: 'ES_NIF',
    label: 'Spanish DNI',
    example: '12345678Z',
    words: 'dni, nif, documento nacional*, d.n.i*',
    codes: [
      code(/\d{8}[- ]?[A-Z]/i, 'checked', { letters: [0], digits: [8] }, isSpanish),
      code(/\d\d[. ]\d{3}[. ]\d{3}[- ]?[A-Z]/i, 'checked', { letters: [0], digits: [2] }, isSpanish),
      code(/\d{7}[- ]?[A-Z]/i, 'context', {}, isSpanish),
    ],
    found: ['DNI «12345678Z»', 'mi dni es «12.345.678-Z»', '«12345678-Z»'],
    missed: ['DNI 12345678A', 'pedido 12345678Z'],
  }),
  idNumber({
    type: 'ES_NIE',
    label: 'Spanish NIE',
    example: 'X1234567L',
    words: 'nie, extranjero*, n.i.e*',
    codes: [
      code(/[XYZ]\d{7}[- ]?[A-Z]/i, 'checked', { letters: [1], digits: [7] }, isForeignSpanish),
      code(
        /(?:\d{7}|\d[. ]\d{3}[. ]\d{3})[- ]?[A-Z]/i,
        'checked',
        { letters: [0], digits: [1, 7], lead: ['[XYZ][- ]', 2] },
        isForeignSpanish,
      ),
    ],
    found: ['NIE «X1234567L»', 'mi NIE: «X-1234567-L»'],
    missed: ['NIE X1234567M', 'factura X1234567L'],
  }),
  idNumber({
    type: 'IT_FISCAL_CODE',
    label: 'Italian codice fiscale',
    example: 'RSSMRA85T10A562S',
    words: 'codice fiscale, cod. fisc*, cod fisc*, c.f, cf, fiscal code',
    // Letters stand in place of digits where two people would have the same code.
    codes: [
      code(
        /[A-Z]{6}[\dLMNP-V]{2}[A-EHLMPRST][\dLMNP-V]{2}[A-Z][\dLMNP-V]{3}[A-Z]/i,
        'alone',
        { letters: [6, 7, 8] },
        isItalian,
      ),
      code(
        /\d\d[A-EHLMPRST]\d\d [A-Z]\d{3} ?[A-Z]/i,
        'alone',
        { letters: [0], digits: [2], lead: ['[A-Z]{3} [A-Z]{3} ', 8] },
        isItalian,
      ),
      // One with a slip, such as O for 0, near a word.
      code(
        /(?=(?:[A-Z]*\d){4})[A-Z]{5,7}[\dILMNOP-V]{2}[A-Z][\dILMNOP-V]{2}[A-Z][\dILMNOP-V]{2,4}[A-Z]?/i,
        'context',
      ),
    ],
    found: [
      'codice fiscale «RSSMRA85T10A562S»',
      'CF: «rssmra85t10a562s»',
      'CF «RSS MRA 85T10 A562S»',
      'codice fiscale «RSSMRA85T10A562T»',
      'il mio codice fiscale è «RSSMRA85TI0A562S»',
      'codice fiscale: «RSSMRA85T10A562»',
    ],
    missed: ['RSSMRA85T10A562T', 'RSSMRA85T10A562', 'cf. WINDOWS11', 'codice fiscale non valido: ERRORE2024'],
  }),
  idNumber({
    type: 'PL_PESEL',
    label: 'Polish PESEL',
    example: '44051401359',
    words: 'pesel*, numer ewidencyjny',
    checked: '11|6 5|6-5',
    passes: (digits) =>
      weigh(digits, [1, 3, 7, 9, 1, 3, 7, 9, 1, 3, 1]) % 10 === 0 &&
      isBornAt(digits, 0, 2, 4, Number(digits.slice(2, 4)) % 20),
    found: ['PESEL «44051401359»', 'mój pesel to «44051401359»'],
    missed: ['PESEL 44051401358', 'faktura 44051401359'],
  }),
  idNumber({
    type: 'PL_NIP',
    label: 'Polish tax identification number',
    example: '123-456-32-18',
    words: 'nip, numer identyfikacji podatkowej',
    checked: '3-3-2-2|3-2-2-3',
    context: '10|3 3 2 2',
    passes: (digits) => mod11(digits, [6, 5, 7, 2, 3, 4, 5, 6, 7]) === digitAt(digits, 9),
    found: ['NIP «123-456-32-18»', 'nip: «1234563218»'],
    missed: ['NIP 123-456-32-19', 'faktura 123-456-32-18'],
  }),
  idNumber({
    type: 'CZ_BIRTH_NUMBER',
    label: 'Czech or Slovak birth number',
    example: '736028/5163',
    words: 'rodne cislo*, rodneho cisla, r.c, rc',
    alone: '6/4',
    context: '10|6-4|6 4|6/3',
    passes: (digits) => digits.length < 10 || isCzech(digits),
    found: ['rodné číslo «736028/5163»', 'RČ: «7360285163»'],
    missed: ['rodné číslo 736028/5164'],
  }),
  idNumber({
    type: 'RO_CNP',
    label: 'Romanian personal numeric code',
    example: '1800101221144',
    words: 'cnp*, cod numeric personal, codul numeric personal',
    checked: '13|1 6 6|1 2 2 2 2 3 1',
    passes(digits) {
      const rest = mod11(digits, [2, 7, 9, 1, 4, 6, 3, 5, 8, 2, 7, 9])
      return digits >= '1' && isBornAt(digits, 1, 3, 5) && (rest === 10 ? 1 : rest) === digitAt(digits, 12)
    },
    found: ['CNP «1800101221144»'],
    missed: ['CNP 1800101221145'],
  }),
  idNumber({
    type: 'PT_NIF',
    label: 'Portuguese tax identification number',
    example: '501442600',
    words: 'nif*, contribuinte, numero fiscal, identificacao fiscal',
    context: '9|3 3 3|3-3-3|3.3.3',
    passes(digits) {
      const rest = mod11(digits, [9, 8, 7, 6, 5, 4, 3, 2])
      return digits >= '1' && (rest < 2 ? 0 : 11 - rest) === digitAt(digits, 8)
    },
    found: ['NIF «501442600»', 'contribuinte n.º «501 442 600»'],
    missed: ['NIF 501442601', '501442600'],
  }),
  idNumber({
    type: 'BG_EGN',
    label: 'Bulgarian EGN',
    example: '7523169263',
    words: 'егн*, единен граждански номер, лнч*, egn',
    context: '10|6 4|6-4',
    // The month tells the century: plus 20 before 1900, plus 40 since 2000.
    passes: (digits) =>
      isBornAt(digits, 0, 2, 4, Number(digits.slice(2, 4)) % 20) &&
      mod11(digits, [2, 4, 8, 5, 10, 9, 7, 3, 6]) % 10 === digitAt(digits, 9),
    found: ['ЕГН: «7523169263»', 'my EGN is «7523169263»'],
    missed: ['ЕГН 7523169264', '7523169263'],
  }),
  idNumber({
    type: 'HR_OIB',
    label: 'Croatian OIB',
    example: '33392005961',
    words: 'oib*, osobni identifikacijski*',
    checked: '11',
    passes: passesMod11And10,
    found: ['OIB: «33392005961»', 'moj oib je «33392005961»'],
    missed: ['OIB 33392005962', 'narudžba br. 33392005962'],
  }),
  idNumber({
    type: 'CY_TIC',
    label: 'Cypriot tax identification code',
    example: '10259033P',
    words: 'tic, αφτ*, αριθμος φορολογικης ταυτοτητας, tax identification code*, tax id*',
    codes: [code(/\d{8} ?[A-Z]/i, 'context', {}, isCypriot)],
    found: ['TIC: «10259033P»', 'Cyprus tax id «10259033P»'],
    missed: ['TIC 10259033Z', '10259033P'],
  }),
  idNumber({
    type: 'EE_ISIKUKOOD',
    label: 'Estonian personal code',
    example: '36805280109',
    words: 'isikukood*, personal code*, личный код*',
    checked: '11',
    passes: isBaltic,
    found: ['isikukood «36805280109»', 'minu isikukood on «36805280109»'],
    missed: ['isikukood 36805280108', 'order 36805280109'],
  }),
  idNumber({
    type: 'LT_ASMENS_KODAS',
    label: 'Lithuanian personal code',
    example: '33309240064',
    words: 'asmens kod*, a.k, a. k',
    checked: '11',
    passes: isBaltic,
    found: ['asmens kodas «33309240064»', 'mano asmens kodas: «38703181745»'],
    missed: ['asmens kodas 33309240065'],
  }),
  idNumber({
    type: 'LV_PERSONAS_KODS',
    label: 'Latvian personal code',
    example: '161175-19997',
    words: 'personas kod*, personas koda',
    checked: '6-5',
    context: '11|6 5',
    // Codes given out since 2017 begin with 32 and have no check digit.
    passes: (digits) =>
      digits.startsWith('32') ||
      (isBornAt(digits, 4, 2, 0) &&
        ((1 + weigh(digits, [10, 5, 8, 4, 2, 1, 6, 3, 7, 9])) % 11) % 10 === digitAt(digits, 10)),
    found: ['personas kods «161175-19997»', 'mans personas kods ir «16117519997»'],
    missed: ['personas kods 161375-19997', 'pasūtījums 16117519997'],
  }),
  idNumber({
    type: 'GR_AFM',
    label: 'Greek tax number (AFM)',
    example: '094259216',
    words: 'αφμ*, α.φ.μ, afm, αριθμος φορολογικου μητρωου',
    context: '9',
    passes: (digits) =>
      (weigh(digits, [256, 128, 64, 32, 16, 8, 4, 2]) % 11) % 10 === digitAt(digits, 8) && !isUniform(digits),
    found: ['ΑΦΜ: «094259216»', 'to AFM mou einai «094259216»'],
    missed: ['ΑΦΜ 094259217', '094259216'],
  }),
  idNumber({
    type: 'GR_AMKA',
    label: 'Greek social security number (AMKA)',
    example: '01013099997',
    words: 'αμκα*, α.μ.κ.α, amka',
    checked: '11|6 5|6-5',
    passes: (digits) => isBornAt(digits, 4, 2, 0) && passesLuhn(digits),
    found: ['ΑΜΚΑ «01013099997»', 'AMKA: «01013099997»'],
    missed: ['ΑΜΚΑ 01013099998'],
  }),
  idNumber({
    type: 'HU_TAX_ID',
    label: 'Hungarian tax identification number',
    example: '8071592153',
    words: 'adoazonosito*, adoszam*, ado azonosito*, tax id*',
    context: '10',
    passes: (digits) =>
      digits.startsWith('8') && mod11(digits, [1, 2, 3, 4, 5, 6, 7, 8, 9]) === digitAt(digits, 9),
    found: ['adóazonosító jel: «8071592153»', 'adóazonosítóm «8071592153»'],
    missed: ['adóazonosító jel: 8071592154', '8071592153'],
  }),
  idNumber({
    type: 'HU_TAJ',
    label: 'Hungarian health insurance number (TAJ)',
    example: '031 633 068',
    words: 'taj*, taj szam*, tajszam*, tarsadalombiztositas*',
    checked: '3 3 3',
    context: '9|3-3-3',
    passes: (digits) =>
      weigh(digits, [3, 7, 3, 7, 3, 7, 3, 7]) % 10 === digitAt(digits, 8) && !isUniform(digits),
    found: ['TAJ szám: «031 633 068»', 'a TAJ-számom «031633068»'],
    missed: ['TAJ szám: 031 633 069', '031633068'],
  }),
  idNumber({
    type: 'MT_ID',
    label: 'Maltese identity card number',
    example: '0123456M',
    words: 'malta id*, maltese id*, karta tal-identita*, numru tal-karta, identity card*, id card*',
    codes: [code(/\d{3,7} ?\(?[MGAPLHBZ]\)?/i, 'context', {}, (plain) => plain.length >= 6)],
    found: ['Maltese ID card «0123456M»', 'karta tal-identità: «234567M»'],
    missed: ['0123456M', 'identity card issued in 2019'],
  }),
  idNumber({
    type: 'SI_EMSO',
    label: 'EMŠO or JMBG',
    example: '0101006500006',
    words: 'emso*, jmbg*, jmb, јмбг*, matični broj*, maticni broj*, матични број*, емшо*',
    checked: '13',
    passes(digits) {
      const rest = (11 - mod11(digits, [7, 6, 5, 4, 3, 2, 7, 6, 5, 4, 3, 2])) % 11
      return isBornAt(digits, 5, 2, 0) && rest === digitAt(digits, 12)
    },
    found: ['EMŠO: «0101006500006»', 'moj JMBG je «0101006500006»'],
    missed: ['EMŠO 0101006500007', 'naročilo 0101006500006'.replace('naročilo', 'order')],
  }),
  idNumber({
    type: 'SI_TAX_ID',
    label: 'Slovenian tax number',
    example: '15012557',
    words: 'davcna stevilka*, davcna st*, davcno*',
    context: '8',
    passes: (digits) => (11 - mod11(digits, [8, 7, 6, 5, 4, 3, 2])) % 10 === digitAt(digits, 7),
    found: ['davčna številka: «15012557»', 'moja davčna številka je «15012557»'],
    missed: ['davčna številka: 15012558', '15012557'],
  }),
  idNumber({
    type: 'TR_TCKN',
    label: 'Turkish identity number',
    example: '10000000146',
    words: 'tc kimlik*, t.c. kimlik*, tckn*, kimlik*, t.c. no*, tc no*, vatandaslik*',
    checked: '11|3 3 3 2|3-3-3-2',
    passes(digits) {
      const tenth = ((weigh(digits, [7, -1, 7, -1, 7, -1, 7, -1, 7]) % 10) + 10) % 10
      const eleventh = weigh(digits, [1, 1, 1, 1, 1, 1, 1, 1, 1, 1]) % 10
      return digits >= '1' && tenth === digitAt(digits, 9) && eleventh === digitAt(digits, 10)
    },
    found: ['TC kimlik no «10000000146»', 'TCKN: «10000000146»'],
    missed: ['TC kimlik no 10000000147', 'sipariş 10000000146'],
  }),
  idNumber({
    type: 'RU_SNILS',
    label: 'Russian SNILS',
    example: '112-233-445 95',
    words: 'снилс*, snils, пенсионн*',
    alone: '3-3-3 2|3-3-3-2|3 3 3 2',
    checked: '11',
    passes: (digits) => (weigh(digits, [9, 8, 7, 6, 5, 4, 3, 2, 1]) % 101) % 100 === Number(digits.slice(9)),
    found: ['СНИЛС «112-233-445 95»', 'мой снилс «11223344595»'],
    missed: ['СНИЛС 112-233-445 96', 'заказ 11223344595'],
  }),
  idNumber({
    type: 'RU_INN',
    label: 'Russian taxpayer number',
    example: '500100732259',
    words: 'инн, inn',
    checked: '12',
    context: '10',
    // Companies have ten digits and one check digit, people twelve and two.
    passes: (digits) =>
      digits.length === 10
        ? mod11(digits, [2, 4, 10, 3, 5, 9, 4, 6, 8]) % 10 === digitAt(digits, 9)
        : mod11(digits, [7, 2, 4, 10, 3, 5, 9, 4, 6, 8]) % 10 === digitAt(digits, 10) &&
          mod11(digits, [3, 7, 2, 4, 10, 3, 5, 9, 4, 6, 8]) % 10 === digitAt(digits, 11),
    found: ['ИНН «500100732259»', 'инн: «7830002293»'],
    missed: ['ИНН 500100732258', 'заказ 500100732259'],
  }),
  idNumber({
    type: 'UA_RNOKPP',
    label: 'Ukrainian taxpayer number',
    example: '1759013776',
    words: 'рнокпп*, іпн*, ідентифікаційний код*, ідентифікаційний номер*, податковий номер*, rnokpp',
    context: '10',
    passes: (digits) => {
      const sum = weigh(digits, [-1, 5, 7, 9, 4, 6, 10, 5, 7])
      return (((sum % 11) + 11) % 11) % 10 === digitAt(digits, 9)
    },
    found: ['РНОКПП: «1759013776»', 'мій ІПН «1759013776»'],
    missed: ['РНОКПП 1759013777', '1759013776'],
  }),
]
