import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as check from '../../../bench/redaction/check-digits.ts'
import { base58check, segwitAddress } from '../../../bench/redaction/values/crypto-addresses.ts'

/** Published examples of each scheme: body, what completes it, and what the bench computes. */
const SAMPLES: [scheme: string, computed: string | undefined, published: string][] = [
  ['Luhn (Wikipedia)', check.luhnDigit('7992739871'), '3'],
  ['Luhn (test Visa)', check.luhnDigit('411111111111111'), '1'],
  ['Luhn (personnummer, Skatteverket)', check.luhnDigit('811228987'), '4'],
  ['Luhn (South African id)', check.luhnDigit('800101500908'), '7'],
  ['IBAN (ISO 13616, GB)', check.ibanDigits('GB', 'WEST12345698765432'), '82'],
  ['IBAN (DE)', check.ibanDigits('DE', '370400440532013000'), '89'],
  ['Verhoeff (Wikipedia)', check.verhoeffDigit('236'), '3'],
  ['Verhoeff (12345)', check.verhoeffDigit('12345'), '1'],
  ['NHS', check.nhsDigit('943476591'), '9'],
  ['TFN (ATO test)', check.tfnDigit('12345678'), '2'],
  ['ABN (ATO)', check.abnDigits('824753556'), '51'],
  ['Medicare', check.medicareDigit('21234567'), '0'],
  ['CPF', check.brazilianDigits('111444777'), '35'],
  ['CNPJ', check.brazilianDigits('112223330001'), '81'],
  ['DNI', check.dniLetter('12345678'), 'Z'],
  ['NIE', check.dniLetter('X1234567'), 'L'],
  ['codice fiscale', check.codiceFiscaleLetter('RSSMRA85T10A562'), 'S'],
  ['NIR', check.nirKey('2951099126111'), '93'],
  ['Steuer-ID (BZSt test)', check.steuerIdDigit('8609574271'), '9'],
  ['BSN', check.bsnDigit('11122233'), '3'],
  ['PESEL (Wikipedia)', check.peselDigit('4405140135'), '9'],
  ['TCKN', check.tcknDigits('100000001'), '46'],
  ['Chinese id (GB 11643)', check.chineseDigit('11010519491231002'), 'X'],
  ['NRIC', check.nricLetter('S', '1234567'), 'D'],
  ['FIN F', check.nricLetter('F', '1234567'), 'N'],
  ['FIN G', check.nricLetter('G', '1234567'), 'X'],
  ['RRN', check.rrnDigit('971013901990'), '2'],
  ['My Number', check.myNumberDigit('12345678901'), '8'],
  ['Thai id', check.thaiDigit('123454567878'), '1'],
  ['ABA routing', check.routingDigit('02100002'), '1'],
  ['EAN-13', check.gs1Digit('400638133393'), '1'],
  ['ISBN-13', check.gs1Digit('978030640615'), '7'],
  ['EGN', check.egnDigit('752316926'), '3'],
  ['isikukood', check.balticDigit('3760503029'), '9'],
  ['asmens kodas', check.balticDigit('3330924006'), '4'],
  ['EMŠO', check.emsoDigit('010100650000'), '6'],
  ['rodné číslo', check.birthNumberDigit('736028516'), '3'],
  ['adóazonosító', check.hungarianTaxDigit('807159215'), '3'],
  ['AFM', check.afmDigit('09425921'), '6'],
  ['PPSN', check.ppsnLetter('6433435'), 'F'],
  ['PPSN with A', check.ppsnLetter('6433435', 'A'), 'O'],
  ['Cypriot TIC', check.cypriotLetter('10259033'), 'P'],
  ['national register', check.nationalRegisterDigits('850730033'), '28'],
  ['SVNR', check.svnrDigit('123010180'), '7'],
  ['CPR', check.cprDigit('211062562'), '9'],
  ['HETU', check.hetuSign('131052308'), 'T'],
  ['CNP', check.cnpDigit('163061512345'), '7'],
  ['Portuguese NIF', check.portugueseNifDigit('50144260'), '0'],
  ['fødselsnummer', check.fodselsnummerDigits('150780100'), '85'],
  ['SNILS', check.snilsDigits('112233445'), '95'],
  ['Ukrainian taxpayer number', check.ukrainianTaxDigit('175901377'), '6'],
  ['RUT', check.rutDigit('12531909'), '2'],
  ['CUIT', check.cuitDigit('2026756539'), '3'],
  ['UTR', check.utrDigit('955839661'), '1'],
  ['NIP', check.nipDigit('856734621'), '5'],
  ['Austrian VAT', check.austrianVatDigit('1358562'), '7'],
  ['French VAT', check.frenchVatKey('303265045'), '40'],
  ['VIN', check.vinSign('1M8GDM9A0KP042788'), 'X'],
  ['CBU bank', check.cbuBankDigit('2850590'), '9'],
  ['CBU account', check.cbuAccountDigit('4009041813520'), '1'],
  ['CLABE', check.clabeDigit('03218000011835971'), '9'],
  ['MRZ (ICAO 9303)', check.mrzDigit('L898902C3'), '6'],
]

for (const [scheme, computed, published] of SAMPLES) {
  test(`bench check digit: ${scheme}`, () => assert.equal(computed, published))
}

test('bench Bitcoin addresses: genesis, BIP 173 and BIP 350 examples', () => {
  const hex = (text: string) => Buffer.from(text, 'hex')
  assert.equal(
    base58check(0, hex('62e907b15cbf27d5425399ebf6f0fb50ebb88f18')),
    '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa',
  )
  assert.equal(
    segwitAddress(0, hex('751e76e8199196d454941c45d1b3a323f1433bd6')),
    'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
  )
  assert.equal(
    segwitAddress(1, hex('79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798')),
    'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0',
  )
})
