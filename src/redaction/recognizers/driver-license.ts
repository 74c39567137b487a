import type { Recognizer } from '../engine/recognizer.ts'
import { wordList } from '../engine/word-list.ts'

/** Driving licence numbers near a word for them. Every state has its own form. */
export const driverLicense: Recognizer = {
  type: 'DRIVER_LICENSE',
  label: 'Driving licence number',
  example: 'D123-4567-8901',
  context: wordList(
    "driver license*, drivers license*, driver's license*, driver licence*, driver's licence*",
    'drivers licence*, driving licence*, driving license*',
    "driver's lic*, drivers lic*, dl, d.l",
    'dl number, dl no, license number, licence number, license no, licence no, fuhrerschein*, permis de conduire, permis',
    'licencia de conducir, carnet de conducir',
    'permiso de conducir, licencia, carteira de motorista, carta de conducao, cnh, patente, rijbewijs*',
    'prawo jazdy, prawa jazdy, korkort*, korekort*, forerkort*, ajokortti*, permis auto, jogositvany*',
    'ehliyet*, surucu belgesi, водительск*, права, посвідчення водія, ridicsky prukaz*, ridicskeho prukaz*, vodicsky preukaz*, adeia odigisis, αδεια οδηγησης, διπλωμα οδηγησης, רישיון נהיגה, رخصة القيادة, رخصة',
    'ड्राइविंग लाइसेंस, लाइसेंस, 驾驶证, 驾照, 駕照',
    '運転免許*, 免許証*, 운전면허*, 면허번호, ใบขับขี่, ใบอนุญาตขับ, giay phep lai xe, bang lai, gplx, sim a, sim c',
    'nomor sim, surat izin mengemudi',
  ),
  codes: [
    { pattern: /[A-Z]{0,6}\d[A-Z\d]{4,19}(?:[- ]\d{2,8}){0,3}(?![A-Za-z0-9])/iy, judge },
    { pattern: /[A-Z]?\d{1,4}(?:[- ][A-Z\d]{1,9}){1,5}(?![A-Za-z0-9])/y, judge },
    { pattern: /\d{5}\/\d{2}\/\d{4}(?![\d/])/y, judge },
    { pattern: /[A-Z]{2}\d{2} \d{11}(?!\d)/y, judge },
    {
      before: 3,
      pattern: /(?<=(?:^|[^A-Za-z0-9])[A-Z]{2}[ -])\d{2}(?:[ -]?\d{2,11}){1,3}(?!\d)/y,
      judge: () => 'context',
    },
    {
      before: 6,
      pattern: /(?<=(?:^|[^A-Za-z0-9])[A-Z]{5} )\d{6} ?[A-Z\d]{2}\d ?[A-Z]{2}(?:[ -]?\d\d)?(?![A-Za-z0-9])/y,
      judge: () => 'context',
    },
  ],
  examples: [
    "driver's license «D123-4567-8901»",
    'Führerschein: «B072RRE2I55»',
    'driving licence «MORGA753116SM9IJ»',
    '운전면허번호 «11-12-345678-90»',
    '驾照号 «110105194912310»',
  ],
  counterExamples: ['D123-4567-8901', 'driving license costs 120 dollars', 'software license 2024'],
}

function judge(code: string): 'context' | undefined {
  const digits = code.replace(/\D/g, '').length
  return digits >= 5 && digits <= 18 ? 'context' : undefined
}
