import type { Recognizer } from '../../engine/recognizer.ts'
import { code, idNumber } from './id-number.ts'

const VIN = /(?=[A-Z]*\d)[A-HJ-NPR-Z\d]{17}/i
const VIN_LETTERS = 'ABCDEFGH-JKLMN-P-R-STUVWXYZ'
const VIN_VALUES = '12345678-12345-7-9-23456789'
const VIN_WEIGHTS = [8, 7, 6, 5, 4, 3, 2, 10, 0, 9, 8, 7, 6, 5, 4, 3, 2]

/** Checks the ninth character, which vehicles for North America and China have. */
function isVin(plain: string): boolean {
  let sum = 0
  for (let at = 0; at < 17; at++) {
    const char = plain.charAt(at)
    const letter = VIN_LETTERS.indexOf(char)
    sum += Number(letter < 0 ? char : VIN_VALUES.charAt(letter)) * (VIN_WEIGHTS[at] as number)
  }
  return '0123456789X'.charAt(sum % 11) === plain.charAt(8) && /[A-Z]/.test(plain) && /\d{4}$/.test(plain)
}

/** Numbers of vehicles and phones, which lead to their owners. */
export const deviceIds: readonly Recognizer[] = [
  idNumber({
    type: 'VIN',
    label: 'Vehicle identification number',
    example: '1HGCM82633A004352',
    words:
      'vin, vin number*, vin no*, vehicle identification*, chassis*, fin, fahrgestellnummer*, fahrzeugidentifi*, fahrzeug-ident*, numero de chassis, numero de serie du vehicule, numero de chasis, numero de bastidor, bastidor, chassi, numero do chassi, telaio, numero di telaio, chassisnummer*, numer vin, numer nadwozia, chassinummer*, stelnummer*, understellsnummer*, alustanumero*, cislo karoserie, alvazszam*, serie sasiu, sasi no*, вин, вин-код*, vin-код*, номер кузова, номер шасси, номер рами, αριθμος πλαισιου, מספר שלדה, رقم الهيكل, رقم الشاصي, चेसिस नंबर, चेसिस, 车架号*, 車架號*, 车辆识别*, 車台番号*, 차대번호*, เลขตัวถัง, หมายเลขตัวถัง, so khung, nomor rangka, nombor casis',
    codes: [code(VIN, 'checked', { letters: [0, 1, 2, 3, 4] }, isVin), code(VIN, 'context')],
    isIdentity: false,
    found: [
      'VIN «1HGCM82633A004352»',
      'Fahrgestellnummer: «WVWZZZ1JZ3W386752»',
      'my car is «1M8GDM9AXKP042788»',
    ],
    missed: ['1HGCM82633A004353', 'WVWZZZ1JZ3W386752'],
  }),
  idNumber({
    type: 'IMEI',
    label: 'IMEI of a phone',
    example: '490154203237518',
    words: 'imei*, meid*, имеи, иmei',
    context: '15|16|2-6-6-1|2 6 6 1|6-2-6-1|6 2 6 1|8 6 1|2-6-6-2',
    isIdentity: false,
    found: ['IMEI: «490154203237518»', 'imei 1 «49-015420-323751-8»'],
    missed: ['490154203237518', 'order 490154203237519'],
  }),
]
