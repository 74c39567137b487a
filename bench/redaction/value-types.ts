import { moreNationalIds } from './values/more-national-ids.ts'
import { nationalIds } from './values/national-ids.ts'

/** The types of slots whose name is not that of their type. */
const TYPES: Record<string, string> = {
  account: 'BANK_ACCOUNT',
  address: 'LOCATION',
  'ae-id': 'AE_EMIRATES_ID',
  apikey: 'SECRET',
  'at-svnr': 'AT_SOCIAL_SECURITY',
  awssecret: 'SECRET',
  'be-nrn': 'BE_NATIONAL_NUMBER',
  birth: 'DATE_OF_BIRTH',
  card: 'CREDIT_CARD',
  cbu: 'BANK_ACCOUNT',
  clabe: 'BANK_ACCOUNT',
  'cloud-key': 'SECRET',
  'cn-id': 'CN_RESIDENT_ID',
  coin: 'CRYPTO',
  connection: 'SECRET',
  cookie: 'SECRET',
  curl: 'SECRET',
  cvv: 'CARD_DETAILS',
  'de-steuer-id': 'DE_TAX_ID',
  'ee-id': 'EE_ISIKUKOOD',
  email: 'EMAIL_ADDRESS',
  'es-dni': 'ES_NIF',
  expiry: 'CARD_DETAILS',
  'fi-hetu': 'FI_PERSONAL_IDENTITY_CODE',
  iban: 'IBAN_CODE',
  insurance: 'INSURANCE_NUMBER',
  ipv4: 'IP_ADDRESS',
  ipv6: 'IP_ADDRESS',
  'it-cf': 'IT_FISCAL_CODE',
  jwt: 'SECRET',
  'kz-iin': 'NATIONAL_ID',
  licence: 'DRIVER_LICENSE',
  'lt-id': 'LT_ASMENS_KODAS',
  'lu-id': 'LU_MATRICULE',
  'lv-id': 'LV_PERSONAS_KODS',
  mac: 'MAC_ADDRESS',
  'mistyped-card': 'CREDIT_CARD',
  mrz: 'PASSPORT',
  name: 'PERSON',
  'no-fnr': 'NO_FODSELSNUMMER',
  otp: 'SECRET',
  password: 'SECRET',
  phone: 'PHONE_NUMBER',
  plate: 'LICENSE_PLATE',
  routing: 'ABA_ROUTING_NUMBER',
  'sg-nric': 'SG_NRIC_FIN',
  'sk-birth-number': 'CZ_BIRTH_NUMBER',
  sortcode: 'BANK_ACCOUNT',
  'th-id': 'TH_TNIN',
  'ua-tax-id': 'UA_RNOKPP',
  'us-a-number': 'US_ALIEN_NUMBER',
  vat: 'VAT_NUMBER',
  webhook: 'SECRET',
  wifi: 'SECRET',
}

/** Further types that are right too. */
const ALSO: Record<string, string[]> = {
  connection: ['URL'],
  curl: ['URL'],
  'hu-tax-id': ['VAT_NUMBER'],
  vat: ['PL_NIP'],
  webhook: ['URL'],
}

/** Returns the type of the slot that a value came from. */
export function typeOf(slot: string): string {
  return TYPES[base(slot)] ?? base(slot).toUpperCase().replaceAll('-', '_')
}

export function isRightType(slot: string, type: string): boolean {
  const name = base(slot)
  if (type === typeOf(slot) || ALSO[name]?.includes(type)) return true
  return type === 'NATIONAL_ID' && (name in moreNationalIds || name in nationalIds)
}

const base = (slot: string) => slot.replace(/:.*/, '')
