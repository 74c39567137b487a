import type { Random } from '../random.ts'
import { type Filled, fillMask, toFullWidth } from './slot.ts'

interface Plan {
  country: string
  code: string
  /** The prefix before national numbers, which is dropped abroad. */
  trunk: string
  /** Subscriber numbers without the trunk prefix, in their usual grouping. */
  masks: string[]
  languages: string[]
}

const plan = (country: string, code: string, trunk: string, languages: string, ...masks: string[]): Plan => ({
  country,
  code,
  trunk,
  masks,
  languages: languages.split(' '),
})

/** Numbering plans of ITU-T and the national regulators; `#` is any digit, `N` is 2 to 9. */
export const PLANS: Plan[] = [
  plan('US', '1', '', 'en', '212-N##-####', '(415) N##-####', '312.N##.####', '617 N## ####'),
  plan('CA', '1', '', 'en fr', '416-N##-####', '(514) N##-####', '604 N## ####'),
  plan('GB', '44', '0', 'en', '7400 1#####', '20 79## ####', '161 4## ####', '7911 1#####'),
  plan('IE', '353', '0', 'en', '87 2## ####', '1 6## ####'),
  plan('AU', '61', '0', 'en', '412 ### ###', '2 92## ####', '3 96## ####'),
  plan('NZ', '64', '0', 'en sm', '21 4## ###', '9 37# ####'),
  plan('ZA', '27', '0', 'en zu af', '82 4## ####', '21 42# ####'),
  plan('NG', '234', '0', 'en yo', '803 4## ####'),
  plan('KE', '254', '0', 'en sw', '722 4## ###'),
  plan('SG', '65', '', 'en zh', '91## ####', '67## ####'),
  plan('IN', '91', '', 'hi en bn ta', '98### #####', '70### #####', '99########'),
  plan('DE', '49', '0', 'de', '151 2#######', '170 4######', '30 4#######', '221 4######', '89/4######'),
  plan('AT', '43', '0', 'de', '664 4######', '1 4######'),
  plan('CH', '41', '0', 'de fr it', '79 4## ## ##', '44 2## ## ##', '78 6## ## ##'),
  plan('FR', '33', '0', 'fr', '6 12 ## ## ##', '1 42 ## ## ##', '7.56.##.##.##', '4 91 ## ## ##'),
  plan('BE', '32', '0', 'fr nl', '470 ## ## ##', '2 51# ## ##'),
  plan('ES', '34', '', 'es ca', '612 ### ###', '91 4## ## ##', '654 ## ## ##', '93 4## ## ##'),
  plan('MX', '52', '', 'es', '55 5### ####', '33 36## ####'),
  plan('AR', '54', '0', 'es', '11 4### ####', '351 4##-####'),
  plan('CO', '57', '', 'es', '310 4## ####', '320 4######'),
  plan('CL', '56', '', 'es', '9 8### ####', '9 77## ####'),
  plan('PE', '51', '', 'es', '987 ### ###'),
  plan('IT', '39', '', 'it', '347 4## ####', '335 4######', '06 69## ####', '02 45######'),
  plan('PT', '351', '', 'pt', '912 ### ###', '961 ### ###', '21 3## ## ##'),
  plan('BR', '55', '', 'pt', '(11) 9#### ####', '(21) 98###-####', '11 97###-####', '(31) 32##-####'),
  plan('NL', '31', '0', 'nl', '6 12######', '6-4#######', '20 62# ####'),
  plan('PL', '48', '', 'pl', '501 ### ###', '602-###-###', '22 62# ## ##'),
  plan('SE', '46', '0', 'sv', '70-4## ## ##', '73 6## ## ##', '8-50# ### ##'),
  plan('NO', '47', '', 'sv en nb', '406 ## ###', '91 ## ## ##'),
  plan('DK', '45', '', 'sv en da', '26 1# ## ##', '51 2# ## ##'),
  plan('FI', '358', '0', 'sv en fi', '40 5######', '50 4## ####'),
  plan('TR', '90', '0', 'tr', '532 4## ## ##', '(212) 29# ## ##', '505 4## ####'),
  plan('RU', '7', '8', 'ru', '916 4##-##-##', '(495) 62#-##-##', '903 4######'),
  plan('UA', '380', '0', 'uk', '67 4## ## ##', '50 4##-##-##', '44 23# ## ##'),
  plan('CZ', '420', '', 'cs', '602 ### ###', '777 ### ###'),
  plan('SK', '421', '0', 'cs sk', '905 4## ###'),
  plan('HU', '36', '06', 'en hu', '30 4## ####', '20 9## ####'),
  plan('RO', '40', '0', 'en ro', '722 4## ###', '21 31# ####'),
  plan('BG', '359', '0', 'en bg', '88 84# ####'),
  plan('GR', '30', '', 'en el', '694 4## ####', '210 32# ####'),
  plan('IL', '972', '0', 'en he', '52-4## ####', '54 4######'),
  plan('SA', '966', '0', 'ar', '50 4## ####', '55 4######'),
  plan('AE', '971', '0', 'ar en', '50 4## ####', '4 3## ####'),
  plan('EG', '20', '0', 'ar', '100 4## ####', '122 4######'),
  plan('MA', '212', '0', 'ar fr', '661-4#####', '6 12 ## ## ##'),
  plan('CN', '86', '', 'zh', '138 #### ####', '139########', '186-####-####'),
  plan('TW', '886', '0', 'zh', '912 ### ###'),
  plan('HK', '852', '', 'zh en', '66## ####', '92## ####'),
  plan('JP', '81', '0', 'ja', '90-4###-####', '3-35##-####', '80-4###-####', '6-62##-####'),
  plan('KR', '82', '0', 'ko', '10-4###-####', '10-9###-####', '2-73#-####'),
  plan('TH', '66', '0', 'th', '81 4## ####', '89-4##-####', '2 25# ####'),
  plan('VN', '84', '0', 'vi', '912 4## ###', '98 4## ####'),
  plan('ID', '62', '0', 'id', '812-4###-####', '813 4### ####'),
  plan('MY', '60', '0', 'en ms', '12-4## ####', '3-21## ####'),
  plan('PH', '63', '0', 'en tl', '917 4## ####'),
]

const EXTENSIONS: Record<string, string[]> = {
  en: [' ext. %', ' x%', ', extension %', ' ext %'],
  de: [' Durchwahl %', '-%'],
  fr: [' poste %'],
  es: [' ext. %', ' extensión %'],
  it: [' int. %', ' interno %'],
  pt: [' ramal %'],
  nl: [' toestel %'],
  pl: [' wew. %'],
  ru: [' доб. %'],
  ja: [' 内線%'],
  zh: [' 转%', ' 分机%'],
  ko: [' 내선 %'],
}

/** Fills `{phone}` with an international number, `{phone:national}`, `{phone:wide}` and `{phone:extension}`. */
export function phoneNumber(random: Random, language: string, variant: string): string | Filled {
  const home = PLANS.filter((candidate) => candidate.languages.includes(language))
  const own = home.length > 0 ? home : PLANS
  if (variant === 'national') return national(random, random.pick(own))
  if (variant === 'wide') return toFullWidth(national(random, random.pick(own)).replaceAll(' ', '-'))
  if (variant === 'extension') return withExtension(random, language, own)
  return international(random, random.pick(random.chance(0.4) ? own : PLANS))
}

/** Makes a national number. A lone 0 joins the area code, also in brackets; other prefixes stay apart: `8 (495)`. */
function national(random: Random, { masks, trunk }: Plan): string {
  const mask = random.pick(masks)
  if (trunk.length > 0 && trunk !== '0') return fillMask(random, `${trunk} ${mask}`)
  return fillMask(random, mask.startsWith('(') ? mask.replace('(', `(${trunk}`) : trunk + mask)
}

function international(random: Random, from: Plan): string {
  const bare = fillMask(random, random.pick(from.masks)).replace(/[()]/g, '').replace('/', ' ')
  const together = bare.replace(/\D/g, '')
  return random.pick([
    `+${from.code} ${bare}`,
    `+${from.code} ${bare}`,
    `+${from.code}${together}`,
    `00${from.code} ${bare}`,
    `00${from.code}${together}`,
    `+${from.code}-${bare.replaceAll(/[ .]/g, '-')}`,
    `+${from.code}.${bare.replaceAll(/[ -]/g, '.')}`,
    from.trunk === '0' ? `+${from.code} (0)${bare}` : `(+${from.code}) ${bare}`,
  ])
}

function withExtension(random: Random, language: string, own: Plan[]): Filled {
  const extension = String(10 + random.below(990))
  const number = random.chance(0.5)
    ? international(random, random.pick(own))
    : national(random, random.pick(own))
  const written = random.pick(EXTENSIONS[language] ?? EXTENSIONS.en ?? []).replace('%', extension)
  return { text: number + written, secrets: [number, extension] }
}
