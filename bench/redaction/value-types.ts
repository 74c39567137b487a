import { moreNationalIds } from './values/more-national-ids.ts'
import { nationalIds } from './values/national-ids.ts'

/** Slots whose type is not named as they are. */
const TYPES: Record<string, string> = {
  account: 'BANK_ACCOUNT',
  apikey: 'SECRET',
  awssecret: 'SECRET',
  address: 'LOCATION',
  'ae-id': 'AE_EMIRATES_ID',
  'at-svnr': 'AT_SOCIAL_SECURITY',
  'be-nrn': 'BE_NATIONAL_NUMBER',
  birth: 'DATE_OF_BIRTH',
  card: 'CREDIT_CARD',
  cbu: 'AR_CBU',
  clabe: 'MX_CLABE',
  'cloud-key': 'SECRET',
  'cn-id': 'CN_RESIDENT_ID',
  coin: 'CRYPTO',
  connection: 'SECRET',
  cookie: 'SECRET',
  curl: 'SECRET',
  cvv: 'CARD_SECURITY_CODE',
  'de-steuer-id': 'DE_TAX_ID',
  'ee-id': 'EE_PERSONAL_CODE',
  email: 'EMAIL_ADDRESS',
  'es-dni': 'ES_NIF',
  expiry: 'CARD_EXPIRY',
  'fi-hetu': 'FI_PERSONAL_IDENTITY_CODE',
  'gh-card': 'GH_CARD',
  iban: 'IBAN_CODE',
  insurance: 'INSURANCE_NUMBER',
  ipv4: 'IP_ADDRESS',
  ipv6: 'IP_ADDRESS',
  'it-cf': 'IT_FISCAL_CODE',
  jwt: 'SECRET',
  licence: 'DRIVER_LICENSE',
  'lt-id': 'LT_PERSONAL_CODE',
  'lv-id': 'LV_PERSONAL_CODE',
  'mistyped-card': 'CREDIT_CARD',
  mac: 'MAC_ADDRESS',
  mrz: 'PASSPORT',
  name: 'PERSON',
  'no-fnr': 'NO_FODSELSNUMMER',
  otp: 'ONE_TIME_CODE',
  password: 'SECRET',
  phone: 'PHONE_NUMBER',
  plate: 'LICENSE_PLATE',
  'sk-birth-number': 'CZ_BIRTH_NUMBER',
  routing: 'ABA_ROUTING_NUMBER',
  'sg-nric': 'SG_NRIC_FIN',
  sortcode: 'BANK_ACCOUNT',
  'th-id': 'TH_TNIN',
  vat: 'VAT_NUMBER',
  webhook: 'SECRET',
  wifi: 'SECRET',
}

/** Further types that are right too. */
const ALSO: Record<string, string[]> = {
  cbu: ['BANK_ACCOUNT'],
  clabe: ['BANK_ACCOUNT'],
  connection: ['URL'],
  curl: ['URL'],
  'hu-tax-id': ['VAT_NUMBER'],
  insurance: ['NATIONAL_ID'],
  mrz: ['MRZ'],
  plate: ['VEHICLE_PLATE'],
  username: ['USER_NAME'],
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
