import { parsePhoneNumberFromString } from 'libphonenumber-js/min'

/** Returns a phone number as in E.164, such as +15550100; null for a text that is none with its country code. */
export function toPhoneNumber(text: string): string | null {
  // Without its country code, a number may belong to somebody else in another country.
  if (!text.trim().startsWith('+')) return null
  const number = parsePhoneNumberFromString(text)
  return number?.isPossible() && number.ext === undefined ? number.number : null
}
