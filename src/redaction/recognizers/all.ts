import type { Recognizer } from '../engine/recognizer.ts'
import { bankAccount } from './bank-account.ts'
import { cardDetails } from './card-details.ts'
import { coordinates } from './coordinates.ts'
import { creditCard } from './credit-card.ts'
import { cryptoAddress } from './crypto-address.ts'
import { dateOfBirth } from './date-of-birth.ts'
import { driverLicense } from './driver-license.ts'
import { email } from './email.ts'
import { iban } from './iban.ts'
import { americanIds } from './ids/american.ts'
import { asianAndAfricanIds } from './ids/asian-and-african.ts'
import { deviceIds } from './ids/devices.ts'
import { southernAndEasternEuropeanIds } from './ids/southern-and-eastern-european.ts'
import { westernAndNorthernEuropeanIds } from './ids/western-and-northern-european.ts'
import { ipAddress } from './ip-address.ts'
import { labelledValues } from './labelled.ts'
import { location } from './location.ts'
import { macAddress } from './mac-address.ts'
import { nationalId } from './national-id.ts'
import { passport } from './passport.ts'
import { person } from './person.ts'
import { phoneNumber } from './phone-number.ts'
import { secret } from './secret.ts'
import { swiftCode } from './swift-code.ts'
import { url } from './url.ts'

/** Every recognizer. If two find the same value with equal evidence, the type of the first one counts. */
export const recognizers: readonly Recognizer[] = [
  ...[secret, url, email, creditCard, cardDetails, iban, swiftCode, ipAddress, macAddress, cryptoAddress],
  ...[
    ...americanIds,
    ...westernAndNorthernEuropeanIds,
    ...southernAndEasternEuropeanIds,
    ...asianAndAfricanIds,
    ...deviceIds,
  ],
  ...labelledValues,
  ...[
    coordinates,
    location,
    person,
    dateOfBirth,
    passport,
    driverLicense,
    bankAccount,
    phoneNumber,
    nationalId,
  ],
]
