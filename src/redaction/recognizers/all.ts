import type { Recognizer } from '../engine/recognizer.ts'
import { abaRouting } from './aba-routing.ts'
import { aeEmiratesId } from './ae-emirates-id.ts'
import { arCuit } from './ar-cuit.ts'
import { atSvnr } from './at-svnr.ts'
import { auAbn } from './au-abn.ts'
import { auMedicare } from './au-medicare.ts'
import { auTfn } from './au-tfn.ts'
import { bankAccount } from './bank-account.ts'
import { beNrn } from './be-nrn.ts'
import { brCnpj } from './br-cnpj.ts'
import { brCpf } from './br-cpf.ts'
import { caSin } from './ca-sin.ts'
import { chAhv } from './ch-ahv.ts'
import { clRut } from './cl-rut.ts'
import { cnResidentId } from './cn-resident-id.ts'
import { creditCard } from './credit-card.ts'
import { cryptoAddress } from './crypto-address.ts'
import { czRodneCislo } from './cz-rodne-cislo.ts'
import { dateOfBirth } from './date-of-birth.ts'
import { deTaxId } from './de-tax-id.ts'
import { dkCpr } from './dk-cpr.ts'
import { driverLicense } from './driver-license.ts'
import { email } from './email.ts'
import { esNie } from './es-nie.ts'
import { esNif } from './es-nif.ts'
import { fiHetu } from './fi-hetu.ts'
import { frNir } from './fr-nir.ts'
import { hkId } from './hk-id.ts'
import { iban } from './iban.ts'
import { idNik } from './id-nik.ts'
import { ilId } from './il-id.ts'
import { inAadhaar } from './in-aadhaar.ts'
import { inPan } from './in-pan.ts'
import { ipAddress } from './ip-address.ts'
import { itFiscalCode } from './it-fiscal-code.ts'
import { jpMyNumber } from './jp-my-number.ts'
import { krRrn } from './kr-rrn.ts'
import { location } from './location.ts'
import { macAddress } from './mac-address.ts'
import { mxCurp } from './mx-curp.ts'
import { mxRfc } from './mx-rfc.ts'
import { myNric } from './my-nric.ts'
import { nationalId } from './national-id.ts'
import { nlBsn } from './nl-bsn.ts'
import { noFodselsnummer } from './no-fodselsnummer.ts'
import { passport } from './passport.ts'
import { person } from './person.ts'
import { phoneNumber } from './phone-number.ts'
import { pkCnic } from './pk-cnic.ts'
import { plNip } from './pl-nip.ts'
import { plPesel } from './pl-pesel.ts'
import { ptNif } from './pt-nif.ts'
import { roCnp } from './ro-cnp.ts'
import { ruInn } from './ru-inn.ts'
import { ruSnils } from './ru-snils.ts'
import { sePersonnummer } from './se-personnummer.ts'
import { secret } from './secret.ts'
import { sgNricFin } from './sg-nric-fin.ts'
import { swiftCode } from './swift-code.ts'
import { thTnin } from './th-tnin.ts'
import { trTckn } from './tr-tckn.ts'
import { twId } from './tw-id.ts'
import { ukNhs } from './uk-nhs.ts'
import { ukNino } from './uk-nino.ts'
import { url } from './url.ts'
import { usItin } from './us-itin.ts'
import { usSsn } from './us-ssn.ts'
import { vnCccd } from './vn-cccd.ts'
import { zaId } from './za-id.ts'

/** Every recognizer. If two find the same value with equal evidence, the type of the first one counts. */
export const recognizers: readonly Recognizer[] = [
  ...[secret, url, email, creditCard, iban, swiftCode, ipAddress, macAddress, cryptoAddress],
  ...[usSsn, usItin, ukNino, ukNhs, caSin, auTfn, auAbn, auMedicare, inAadhaar, inPan, brCpf, brCnpj],
  ...[
    esNif,
    esNie,
    itFiscalCode,
    frNir,
    deTaxId,
    nlBsn,
    plPesel,
    plNip,
    sePersonnummer,
    noFodselsnummer,
    dkCpr,
  ],
  ...[
    fiHetu,
    beNrn,
    chAhv,
    atSvnr,
    czRodneCislo,
    roCnp,
    ptNif,
    trTckn,
    ilId,
    aeEmiratesId,
    zaId,
    ruSnils,
    ruInn,
  ],
  ...[cnResidentId, twId, hkId, sgNricFin, myNric, krRrn, jpMyNumber, thTnin, idNik, vnCccd, pkCnic],
  ...[mxCurp, mxRfc, clRut, arCuit],
  ...[
    location,
    person,
    dateOfBirth,
    passport,
    driverLicense,
    abaRouting,
    bankAccount,
    phoneNumber,
    nationalId,
  ],
]
