import assert from 'node:assert/strict'
import { it } from 'node:test'
import { createPatternRedactor } from '../../../src/redaction/pattern-redactor.ts'

const { redact } = createPatternRedactor()

/** Forms, records and tables, with what redaction makes of them. The names are in no list. */
const CASES: readonly (readonly [text: string, redacted: string])[] = [
  [
    '{"customer_name":"hannah morgan","homeAddress":"12 maple","passportNo":"X1234567"}',
    '{"customer_name":"[PERSON]","homeAddress":"[LOCATION]","passportNo":"[PASSPORT]"}',
  ],
  ['{"name":"oyelaran adewale","email":"a@b.co"}', '{"name":"[PERSON]","email":"[EMAIL_ADDRESS]"}'],
  [
    'name,email,phone,city\nhannah morgan,h@x.org,5550132,Leeds\noyelaran adewale,o@x.org,5550199,Ibadan',
    'name,email,phone,city\n[PERSON],[EMAIL_ADDRESS],[PHONE_NUMBER],[LOCATION]\n[PERSON],[EMAIL_ADDRESS],[PHONE_NUMBER],[LOCATION]',
  ],
  [
    'first_name\tlast_name\tssn\nada\tobi\t536904399',
    'first_name\tlast_name\tssn\n[PERSON]\t[PERSON]\t[US_SSN]',
  ],
  [
    '| Name | Phone | Notes |\n|---|---|---|\n| ada obi | 5550132 | likes tea |',
    '| Name | Phone | Notes |\n|---|---|---|\n| [PERSON] | [PHONE_NUMBER] | likes tea |',
  ],
  [
    '<tr><th>Name</th><th>Phone</th></tr><tr><td>ada obi</td><td>5550132</td></tr>',
    '<tr><th>Name</th><th>Phone</th></tr><tr><td>[PERSON]</td><td>[PHONE_NUMBER]</td></tr>',
  ],
  [
    '<customer><firstName>ada</firstName><passportNo>X1234567</passportNo></customer>',
    '<customer><firstName>[PERSON]</firstName><passportNo>[PASSPORT]</passportNo></customer>',
  ],
  [
    "INSERT INTO users (name, phone) VALUES ('ada obi', '5550132'), ('chi eze', '5550199');",
    "INSERT INTO users (name, phone) VALUES ('[PERSON]', '[PHONE_NUMBER]'), ('[PERSON]', '[PHONE_NUMBER]');",
  ],
  ["UPDATE users SET last_name='obi' WHERE id=3", "UPDATE users SET last_name='[PERSON]' WHERE id=3"],
  [
    'BEGIN:VCARD\nN:obi;ada;;;\nADR;TYPE=HOME:;;12 hill;Lagos;;100001;Nigeria\nEND:VCARD',
    'BEGIN:VCARD\nN:[PERSON];[PERSON];;;\nADR;TYPE=HOME:;;[LOCATION]\nEND:VCARD',
  ],
  ['From: ada obi <a@b.co>\nSubject: hello', 'From: [PERSON] <[EMAIL_ADDRESS]>\nSubject: hello'],
  ['Vorname - ada\nNachname - obi', 'Vorname - [PERSON]\nNachname - obi'.replace('obi', '[PERSON]')],
  ['Nombre completo: ada obi\nDomicilio: calle 12', 'Nombre completo: [PERSON]\nDomicilio: [LOCATION]'],
  ['Фамилия: обиева', 'Фамилия: [PERSON]'],
  ['customer.first_name=ada', 'customer.first_name=[PERSON]'],
]

/** Structures in which nothing is personal. */
const HARMLESS = [
  '{"name":"Premium plan","price":12}',
  'name,price\nPremium plan,12\nBasic plan,5',
  '| Name | Type |\n|---|---|\n| id | integer |',
  'Product name: garden chair',
  'file name = report',
  '<product><name>chair</name></product>',
  'AccountName=acc;Timeout=30',
  '{"first_name":"string","address":"required"}',
]

for (const [text, redacted] of CASES) {
  it(`finds in ${text}`, () => {
    assert.equal(redact(text), redacted)
    assert.equal(redact(redacted), redacted)
  })
}
for (const text of HARMLESS) it(`leaves ${text}`, () => assert.equal(redact(text), text))
