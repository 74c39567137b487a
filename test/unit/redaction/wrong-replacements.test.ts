import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createPatternRedactor } from '../../../src/redaction/pattern-redactor.ts'

const { redact } = createPatternRedactor()

/** Texts, by class of mistake, with what redaction makes of them. */
const CASES: Record<string, readonly (readonly [text: string, redacted: string])[]> = {
  'each of two labelled numbers keeps its own type': [
    ['passport C01X00T47, driver license D12345678', 'passport [PASSPORT], driver license [DRIVER_LICENSE]'],
    [
      'my passport number is 523456789, account number 12345678',
      'my passport number is [PASSPORT], account number [BANK_ACCOUNT]',
    ],
    ['DNI 30123456 teléfono 912345678', 'DNI [NATIONAL_ID] teléfono [PHONE_NUMBER]'],
    ['phone: 2125550187, SSN: 536904399', 'phone: [PHONE_NUMBER], SSN: [US_SSN]'],
    ['Reisepass C01X00T47 Kontonummer 87654321', 'Reisepass [PASSPORT] Kontonummer [BANK_ACCOUNT]'],
    ['compte 12345678901 passeport 12AB34567', 'compte [BANK_ACCOUNT] passeport [PASSPORT]'],
    ['паспорт 4510 123456, телефон 5550132', 'паспорт [PASSPORT], телефон [PHONE_NUMBER]'],
    ['护照号码E12345678，电话55501329', '护照号码[PASSPORT]，电话[PHONE_NUMBER]'],
    [
      '5550132 is my phone and 12345678 is my account',
      '[PHONE_NUMBER] is my phone and [BANK_ACCOUNT] is my account',
    ],
  ],
  'a number ends before the date that follows it': [
    ['call me at 5550132 2024-05-03', 'call me at [PHONE_NUMBER] 2024-05-03'],
    ['phone 555 0132 12/05/2024', 'phone [PHONE_NUMBER] 12/05/2024'],
    ['tel. 030 901820 12.03.2024', 'tel. [PHONE_NUMBER] 12.03.2024'],
    ['driver license 12345678 12-03-2024', 'driver license [DRIVER_LICENSE] 12-03-2024'],
    ['national id 123456 78 2024-03-12', 'national id [NATIONAL_ID] 2024-03-12'],
    ['Phone 5550132 2025', 'Phone [PHONE_NUMBER] 2025'],
    ['rekeningnummer 1234 56 789 01/02/2024', 'rekeningnummer [BANK_ACCOUNT] 01/02/2024'],
    ['компания, тел. 555 0132 01.02.2024', 'компания, тел. [PHONE_NUMBER] 01.02.2024'],
  ],
  'a password ends before the next parameter': [
    ['password=hunter2&next=2', 'password=[SECRET]&next=2'],
    ['password=hunter2;next=2', 'password=[SECRET];next=2'],
    ['POST user=bob&pwd=hunter2&page=2 HTTP/1.1', 'POST user=bob&pwd=[SECRET]&page=2 HTTP/1.1'],
    ['api_key=9f8e7d6c5b4a&limit=20', 'api_key=[SECRET]&limit=20'],
    ['senha=Verao2024,lang=pt', 'senha=[SECRET],lang=pt'],
    ['password: a&b=c1', 'password: [SECRET]'],
  ],
  'a postcode is no secret and an ISBN no phone number': [
    ['my pincode is 110001', 'my pincode is [LOCATION]'],
    ['the PIN code is 560001 here', 'the PIN code is [LOCATION] here'],
    ['CEP 01310-100 telefone', 'CEP [LOCATION] telefone'],
    ['PIN code: 4821', 'PIN code: [SECRET]'],
    ['ISBN-10 0-306-40615-2 ring me', 'ISBN-10 0-306-40615-2 ring me'],
    ['call me about 978-3-16-148410-0', 'call me about 978-3-16-148410-0'],
    [
      'telefonisch bestellen: 3-16-148410-X, 0-306-40615-2',
      'telefonisch bestellen: 3-16-148410-X, 0-306-40615-2',
    ],
  ],
  'a street word beside a counted thing makes no address': [
    ...[
      'Gate 5 Close 3',
      'Google Drive 15 GB',
      'Row 5 Seat 12',
      '10 Best Way to do it',
      'Top 10 Best Drive',
      'Phase 1 Road Map',
      'Tabelle 2 Platz 3 Berlin',
      'Take 2 Road Trips',
      'Chapter 4 Market Square',
      'Schritt 2 Straße sperren',
      'Runde 3 Ring 2',
      '2 Hard Drive slots',
    ].map((text) => [text, text] as const),
    ['12 Market Square', '[LOCATION]'],
    ['take the parcel to 7 Maple Drive', 'take the parcel to [LOCATION]'],
  ],
  'a noun after a verb that also introduces names is no person': [
    ...[
      'signed by Contract',
      'ask for Refund',
      'The patient Portal is down',
      'in the name of God',
      'op naam van Bedrijf',
      'au nom de Dieu',
    ].map((text) => [text, text] as const),
    ['signed by Maria', 'signed by [PERSON]'],
    ['ask for Hannah Morgan', 'ask for [PERSON]'],
  ],
  'a password of several words ends at its closing mark': [
    ['mot de passe : « mon chien rex »', 'mot de passe : « [SECRET] »'],
    ['password is "my dog bello" and PIN: 4821', 'password is "[SECRET]" and PIN: [SECRET]'],
    ['password: "must be longer", pw: "my dog"', 'password: "must be longer", pw: "[SECRET]"'],
  ],
}

for (const [rule, cases] of Object.entries(CASES)) {
  describe(rule, () => {
    for (const [text, redacted] of cases) it(text, () => assert.equal(redact(text), redacted))
  })
}
