import { streetAddress } from './addresses.ts'
import { accountNumber, bicCode, cardNumber, ibanNumber, routingNumber, sortCode } from './banking.ts'
import { bitcoinAddress, ethereumAddress } from './crypto-addresses.ts'
import { birthDate } from './dates.ts'
import { licenceNumber, passportNumber } from './documents.ts'
import { harmless } from './harmless.ts'
import { emailAddress, ipv4Address, ipv6Address, macAddress, personalUrl } from './internet.ts'
import { nationalIds } from './national-ids.ts'
import { personName } from './people.ts'
import { phoneNumber } from './phones.ts'
import { apiKey, jsonWebToken, password, pemBlock, secretAccessKey } from './secrets.ts'
import type { Generator } from './slot.ts'

/** The generators of the values for each `{slot}` in the sets. */
export const GENERATORS: Record<string, Generator> = {
  ...harmless,
  ...nationalIds,
  account: accountNumber,
  address: streetAddress,
  apikey: apiKey,
  awssecret: secretAccessKey,
  bic: bicCode,
  birth: birthDate,
  btc: bitcoinAddress,
  card: cardNumber,
  email: emailAddress,
  eth: ethereumAddress,
  iban: ibanNumber,
  ipv4: ipv4Address,
  ipv6: ipv6Address,
  jwt: jsonWebToken,
  licence: licenceNumber,
  mac: macAddress,
  name: personName,
  passport: passportNumber,
  password,
  pem: pemBlock,
  phone: phoneNumber,
  routing: routingNumber,
  sortcode: sortCode,
  url: personalUrl,
}
