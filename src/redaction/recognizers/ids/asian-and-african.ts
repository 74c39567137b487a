import {
  digitAt,
  isBornAt,
  isDate,
  isUniform,
  mod11,
  passesLuhn,
  passesVerhoeff,
  weigh,
} from '../../engine/check-digits.ts'
import type { Recognizer } from '../../engine/recognizer.ts'
import { code, idNumber } from './id-number.ts'

const CHINESE = [7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2]

function isChinese(plain: string): boolean {
  const isBorn = isDate(Number(plain.slice(6, 10)), Number(plain.slice(10, 12)), Number(plain.slice(12, 14)))
  return isBorn && '10X98765432'.charAt(mod11(plain, CHINESE)) === plain.slice(-1)
}

function isTaiwanese(plain: string): boolean {
  const letter = 'ABCDEFGHJKLMNPQRSTUVXYWZIO'.indexOf(plain.charAt(0)) + 10
  const sum = Math.floor(letter / 10) + (letter % 10) * 9 + weigh(plain.slice(1), [8, 7, 6, 5, 4, 3, 2, 1, 1])
  return sum % 10 === 0
}

function isHongKong(plain: string): boolean {
  const padded = plain.padStart(9, ' ')
  let sum = 0
  for (let at = 0; at < 8; at++) {
    const char = padded.charAt(at)
    sum += (char === ' ' ? 36 : Number.parseInt(char, 36)) * (9 - at)
  }
  return '0A987654321'.charAt(sum % 11) === padded.charAt(8)
}

const SINGAPORE: Record<string, readonly [letters: string, offset: number]> = {
  S: ['JZIHGFEDCBA', 0],
  T: ['JZIHGFEDCBA', 4],
  F: ['XWUTRQPNMLK', 0],
  G: ['XWUTRQPNMLK', 4],
  M: ['KLJNPQRTUWX', 3],
}

function isSingaporean(plain: string): boolean {
  const [letters, offset] = SINGAPORE[plain.charAt(0)] as readonly [string, number]
  const rest = (weigh(plain.slice(1, 8), [2, 7, 6, 5, 4, 3, 2]) + offset) % 11
  return letters.charAt(plain.startsWith('M') ? 10 - rest : rest) === plain.slice(-1)
}

/** Numbers issued since October 2020 have no check digit, so the date and the sex digit must suffice. */
const isKorean = (digits: string) => /^.{6}[1-8]/.test(digits) && isBornAt(digits, 0, 2, 4)

function hasKoreanCheck(digits: string): boolean {
  const rest = (11 - mod11(digits, [2, 3, 4, 5, 6, 7, 8, 9, 2, 3, 4, 5])) % 10
  return rest === digitAt(digits, 12) || (rest + 2) % 10 === digitAt(digits, 12)
}

/** Numbers that countries of Asia, Oceania and Africa give to people and companies. */
export const asianAndAfricanIds: readonly Recognizer[] = [
  idNumber({
    type: 'AU_TFN',
    label: 'Australian tax file number',
    example: '123 456 782',
    words: 'tfn, tax file number*, tax file',
    checked: '3 3 3|3-3-3',
    context: '9',
    passes: (digits) => mod11(digits, [1, 4, 3, 7, 5, 8, 6, 9, 10]) === 0 && !isUniform(digits),
    found: ['TFN «123 456 782»', 'my tax file number is «123456782»'],
    missed: ['TFN 123 456 783', 'invoice 123 456 782'],
  }),
  {
    ...idNumber({
      type: 'AU_ABN',
      label: 'Australian business number',
      example: '51 824 753 556',
      words: 'abn, australian business number',
      alone: '2 3 3 3|2-3-3-3',
      passes: isAbn,
      isIdentity: false,
      found: ['the ABN on the invoice is «51824753556»', 'ABN «51 824 753 556»', 'abn: «51824753556»'],
      missed: ['ABN 51 824 753 557', '51 824 753 551 people'],
    }),
    look(page, token) {
      // Business numbers stand on invoices, so a word for an invoice does not speak against one.
      const start = page.tokenStart(token)
      const end = page.tokenEnd(token)
      if (end - start !== 11 || !page.isNumber(token) || page.distance('AU_ABN', start, end) === Infinity)
        return
      return isAbn(page.text.slice(start, end)) ? { start, end, strength: 'alone' } : undefined
    },
  },
  idNumber({
    type: 'AU_MEDICARE',
    label: 'Australian Medicare number',
    example: '2123 45670 1',
    words: 'medicare*',
    checked: '4 5 1|4-5-1|4 5 1/1|4-5-1-1',
    context: '10|11',
    passes: (digits) =>
      /^[2-6]/.test(digits) && weigh(digits, [1, 3, 7, 9, 1, 3, 7, 9]) % 10 === digitAt(digits, 8),
    isIdentity: false,
    found: ['Medicare «2123 45670 1»', 'medicare card number «2123456701»'],
    missed: ['Medicare 2123 45671 1', 'serial 2123 45670 1'],
  }),
  idNumber({
    type: 'IN_AADHAAR',
    label: 'Indian Aadhaar number',
    example: '2341 2341 2346',
    words: 'aadhaar*, aadhar*, adhar*, uidai, uid, आधार*, ஆதார், ఆధార్, আধার',
    checked: '4 4 4|4-4-4',
    context: '12',
    passes: (digits) => digits > '2' && passesVerhoeff(digits),
    found: ['Aadhaar «2341 2341 2346»', 'मेरा आधार नंबर «२३४१ २३४१ २३४६» है', 'aadhar no «234123412346»'],
    missed: ['Aadhaar 2341 2341 2347', 'tracking 2341 2341 2346'],
  }),
  idNumber({
    type: 'IN_PAN',
    label: 'Indian permanent account number',
    example: 'ABCPE1234F',
    words: 'pan, pan card*, permanent account*, पैन',
    // The fourth letter tells the kind of holder.
    codes: [
      code(/[A-Z]{3}[ABCFGHJLPT][A-Z]\d{4}[A-Z]/, 'checked', { letters: [5], digits: [4] }),
      code(/[a-z]{3}[abcfghjlpt][a-z]\d{4}[a-z]/, 'context'),
    ],
    found: ['PAN «ABCPE1234F»', 'मेरा पैन «ABCPE1234F» है', 'pan card «abcpe1234f»'],
    missed: ['model ABCPE1234F', 'ABCDE1234F'],
  }),
  idNumber({
    type: 'IL_ID',
    label: 'Israeli identity number',
    example: '123456782',
    words: 'teudat zehut, תעודת זהות, ת.ז, ת״ז, מספר זהות, israeli id*',
    context: '9|8-1|1-7-1|3 3 3',
    passes: passesLuhn,
    found: ['תעודת זהות «123456782»', 'teudat zehut «123456782»'],
    missed: ['teudat zehut 123456783'],
  }),
  idNumber({
    type: 'AE_EMIRATES_ID',
    label: 'Emirates ID number',
    example: '784-1979-1234567-1',
    words: 'emirates id*, الهوية الإماراتية, هوية',
    alone: '3-4-7-1|3 4 7 1',
    context: '15',
    passes: (digits) => /^784(?:19|20)/.test(digits),
    codes: [code(/784\d{12}/, 'checked', { letters: [0], digits: [15] }, passesLuhn)],
    found: ['Emirates ID «784-1979-1234567-1»', 'emirates id: «784197912345671»'],
    missed: ['order 784197912345672', '785-1979-1234567-1'],
  }),
  idNumber({
    type: 'ZA_ID',
    label: 'South African identity number',
    example: '8001015009087',
    words: 'south african id*, sa id*, rsa id*, id number*, id nommer*, identiteitsnommer*',
    checked: '13|6 4 3|6 4 2 1|6 4 1 1 1|6-4-3|6-4-2-1',
    passes: (digits) => digitAt(digits, 10) <= 2 && passesLuhn(digits) && isBornAt(digits, 0, 2, 4),
    found: ['SA ID «8001015009087»', 'my ID number is «800101 5009 087»'],
    missed: ['SA ID 8001015009088', 'barcode 8001015009087'],
  }),
  idNumber({
    type: 'NG_NIN',
    label: 'Nigerian national identification number',
    example: '12345678901',
    words: 'nin, nin number*, nimc, national identification number*',
    context: '11|4 4 3|4-4-3|3 4 4',
    isIdentity: false,
    found: ['my NIN is «12345678901»', 'NIN: «1234 5678 901»'],
    missed: ['12345678901', 'order 12345678901'],
  }),
  idNumber({
    type: 'NG_BVN',
    label: 'Nigerian bank verification number',
    example: '22123456789',
    words: 'bvn*, bank verification*',
    context: '11|4 4 3|4-4-3|3 4 4',
    passes: (digits) => digits.startsWith('2'),
    isIdentity: false,
    found: ['my BVN is «22123456789»', 'bank verification number: «2212 3456 789»'],
    missed: ['22123456789', 'BVN 12123456789'],
  }),
  idNumber({
    type: 'GH_CARD',
    label: 'Ghana card number',
    example: 'GHA-123456789-1',
    words: 'ghana card*, ghanacard*, nia',
    codes: [
      code(/\d{9}-\d/, 'alone', { letters: [0], digits: [9], lead: ['GHA-', 4] }),
      code(/GHA\d{10}/i, 'alone', { letters: [3], digits: [10] }),
      code(/\d{9}[ -]?\d/i, 'context', { lead: ['[Gg][Hh][Aa][ -]', 4] }),
    ],
    found: [
      'Ghana card «GHA-123456789-1»',
      'it is «GHA-712345678-0», ok',
      'ghana card no gha 1234567891'.replace(/gha \d+/, '«$&»'),
    ],
    missed: ['GHA-1234-1'],
  }),
  idNumber({
    type: 'KE_ID',
    label: 'Kenyan identity number or KRA PIN',
    example: 'A012345678Z',
    words: 'kra pin*, kra, huduma*, kitambulisho*',
    codes: [code(/[AP]\d{9}[A-Z]/i, 'context'), code(/\d{7,9}/, 'context')],
    isIdentity: false,
    found: ['KRA PIN: «A012345678Z»', 'kitambulisho «23456789»'],
    missed: ['A012345678Z'],
  }),
  idNumber({
    type: 'EG_ID',
    label: 'Egyptian national number',
    example: '29001011234567',
    words: 'الرقم القومي, رقم قومي, egyptian id*, egypt national id*',
    context: '14|1 2 2 2 2 4 1|7 7',
    passes: (digits) => /^[23]/.test(digits) && isBornAt(digits, 1, 3, 5),
    found: ['الرقم القومي «29001011234567»', 'Egyptian ID «29001011234567»'],
    missed: ['29001011234567'],
  }),
  idNumber({
    type: 'CN_RESIDENT_ID',
    label: 'Chinese resident identity number',
    example: '11010519491231002X',
    words: '身份证, 身份證, 证件号, 居民身份, resident id*, shenfenzheng',
    codes: [
      code(
        /[1-9]\d{5}[ -]?(?:18|19|20)\d{2}[ -]?[01]\d[ -]?[0-3]\d[ -]?\d{3}[\dXx]/,
        'alone',
        { letters: [0], digits: [6, 10, 12, 14, 17, 18] },
        isChinese,
      ),
    ],
    found: [
      '我的身份证号是«11010519491231002X»',
      '身份证：«１１０１０５１９４９１２３１００２Ｘ»',
      'ID «110105 19491231 002X»',
    ],
    missed: ['身份证号110105194912310021', '订单110105194913310020'],
  }),
  idNumber({
    type: 'TW_ID',
    label: 'Taiwanese identity number',
    example: 'A123456789',
    words: '身分證*, 身份證, taiwan id*',
    codes: [code(/[A-Z][1289]\d{8}/i, 'checked', { letters: [1], digits: [9] }, isTaiwanese)],
    found: ['身分證字號 «A123456789»'],
    missed: ['身分證字號 A123456788', '訂單 A123456789'],
  }),
  idNumber({
    type: 'HK_ID',
    label: 'Hong Kong identity card number',
    example: 'A123456(3)',
    words: 'hkid*, 身份證, 身份证, hong kong id*',
    codes: [
      code(/[A-Z]{1,2}\d{6}\([\dA]\)/i, 'alone', { letters: [1, 2], digits: [6] }, isHongKong),
      code(/[A-Z]{1,2}\d{6}[\dA]/i, 'context', {}, isHongKong),
    ],
    found: ['HKID «A123456(3)»', '身份證 «A1234563»'],
    missed: ['HKID A123456(4)', 'A1234563'],
  }),
  idNumber({
    type: 'SG_NRIC_FIN',
    label: 'Singapore NRIC or FIN',
    example: 'S1234567D',
    words: 'nric*, fin, fin number, singpass, 身份证',
    codes: [code(/[STFGM]\d{7}[A-Z]/i, 'checked', { letters: [1], digits: [7] }, isSingaporean)],
    found: ['NRIC «S1234567D»', 'my FIN: «F1234567N»'],
    missed: ['NRIC S1234567E', 'serial S1234567D'],
  }),
  idNumber({
    type: 'MY_NRIC',
    label: 'Malaysian identity card number',
    example: '900101-14-1234',
    words: 'mykad*, ic number*, ic no*, kad pengenalan, nric, no ic',
    alone: '6-2-4',
    context: '12|6 2 4',
    passes: (digits) => isBornAt(digits, 0, 2, 4),
    found: ['IC number «900101-14-1234»', 'no IC «900101141234»'],
    missed: ['901301-14-1234', 'order 900101141234'],
  }),
  idNumber({
    type: 'KR_RRN',
    label: 'Korean resident registration number',
    example: '900101-1234568',
    words: '주민등록*, 주민번호, 외국인등록*, rrn, resident registration*',
    alone: '6-7|6 7',
    context: '13',
    passes: isKorean,
    codes: [
      code(
        /\d{13}/,
        'checked',
        { letters: [0], digits: [13] },
        (digits) => isKorean(digits) && hasKoreanCheck(digits),
      ),
    ],
    found: ['주민등록번호는 «900101-1234568»입니다', '주민번호 «9001011234568»', '«850228-2345678»'],
    missed: ['901301-1234568', '주문 9001011234568'],
  }),
  idNumber({
    type: 'JP_MY_NUMBER',
    label: 'Japanese individual number',
    example: '1234 5678 9018',
    words: 'マイナンバー, 個人番号, my number, mynumber',
    checked: '4 4 4|4-4-4',
    context: '12',
    passes(digits) {
      const rest = mod11(digits, [6, 5, 4, 3, 2, 7, 6, 5, 4, 3, 2])
      return (rest <= 1 ? 0 : 11 - rest) === digitAt(digits, 11) && !isUniform(digits)
    },
    found: ['マイナンバーは«123456789018»です', 'マイナンバー：«１２３４－５６７８－９０１８»'],
    missed: ['マイナンバー 123456789017', '注文番号 1234 5678 9018'],
  }),
  idNumber({
    type: 'TH_TNIN',
    label: 'Thai national identification number',
    example: '1-1017-00230-70-8',
    words: 'บัตรประชาชน, เลขประจำตัว, เลขบัตร, เลขประชาชน, thai id*',
    alone: '1-4-5-2-1|1 4 5 2 1',
    context: '13',
    passes: (digits) =>
      /^[1-8]/.test(digits) &&
      (11 - mod11(digits, [13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2])) % 10 === digitAt(digits, 12),
    found: [
      'เลขบัตรประชาชน «1-1017-00230-70-8»',
      'เลขประจำตัวประชาชน «1101700230708»',
      'บัตร «๑-๑๐๑๗-๐๐๒๓๐-๗๐-๘»',
    ],
    missed: ['เลขบัตร 1-1017-00230-70-9', 'คำสั่งซื้อ 1101700230708'],
  }),
  idNumber({
    type: 'ID_NIK',
    label: 'Indonesian identity number',
    example: '3171234501900001',
    words: 'nik, ktp, nomor induk*, e-ktp',
    context: '16|4 4 4 4|6 6 4|6.6.4|2.2.2.6.4',
    passes(digits) {
      const day = Number(digits.slice(6, 8))
      return (
        /^(?:1[1-9]|[2-8]|9[0-6])/.test(digits) &&
        isBornAt(digits, 10, 8, 6, undefined, day > 40 ? day - 40 : day)
      )
    },
    found: ['NIK «3171234501900001»', 'nomor KTP saya «3171234501900001»'],
    missed: ['3171234501900001', 'NIK 3171237501900001'],
  }),
  idNumber({
    type: 'VN_CCCD',
    label: 'Vietnamese citizen identity number',
    example: '001085012345',
    words: 'cccd*, can cuoc*, cmnd*, chung minh*, so dinh danh*',
    context: '12|3 3 3 3|3 1 2 6|9|3 3 3',
    // The older card has nine digits.
    passes: (digits) => digits.length === 9 || /^0\d\d[0-3]/.test(digits),
    found: ['CCCD «001085012345»', 'số căn cước công dân: «001085012345»'],
    missed: ['001085012345', 'đơn hàng 001085012345'],
  }),
  idNumber({
    type: 'PK_CNIC',
    label: 'Pakistani identity card number',
    example: '35202-1234567-1',
    words: 'cnic*, nadra, شناختی کارڈ',
    alone: '5-7-1',
    context: '13',
    passes: (digits) => /^[1-7]/.test(digits),
    found: ['CNIC «35202-1234567-1»', 'my cnic is «3520212345671»'],
    missed: ['order 3520212345671', '95202-1234567-1'],
  }),
]

function isAbn(digits: string): boolean {
  return (weigh(digits, [10, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19]) - 10) % 89 === 0 && !digits.startsWith('0')
}
