import type { Recognizer } from '../engine/recognizer.ts'
import { creditCard } from './credit-card.ts'
import { email } from './email.ts'
import { ipAddress } from './ip-address.ts'
import { phoneNumber } from './phone-number.ts'

/** Every recognizer; where two find the same and their evidence is alike, the first one names it. */
export const recognizers: readonly Recognizer[] = [email, creditCard, ipAddress, phoneNumber]
