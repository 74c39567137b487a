import { wordList } from './word-list.ts'

/** Words for identity numbers in general, in any country. */
export const IDENTITY_WORDS: readonly string[] = wordList(
  'national id*, id number, id no, id card, identity number, identity card, identification number',
  'personal number, personal id*, citizen id*, tax id*, tax number, tax file number, taxpayer id*',
  'social security, social insurance, insurance number, government id, my id is, my id, resident id',
  'personalausweis*, ausweisnummer*, steuernummer, steuer-id, steuerid, identifikationsnummer*, ausweis',
  "carte d'identite, numero d'identite, identifiant fiscal, securite sociale, piece d'identite",
  'documento de identidad, documento nacional, numero de identidad, identificacion, cedula*',
  'carteira de identidade',
  "documento de identidade, identidade, contribuinte, codice fiscale, carta d'identita",
  "documento d'identita",
  'identiteitskaart*, identiteitsnummer, burgerservicenummer*, dowod osobisty, dowodu osobistego',
  'numer dowodu',
  'rodne cislo, obcansky prukaz, personnummer*, legitimation*, kimlik*, nufus*, идентификационн*, инн',
  'снилс',
  'удостоверени*, посвідченн*, податков*, الهوية, هويتي, بطاقة الهوية, الرقم القومي, الرقم الوطني',
  'पहचान*',
  'आईडी, 身份证, 身份證, 证件号, 證件, 身分證, マイナンバー, 個人番号, 身分証*, 주민등록*, 주민번호, 신분증, 외국인등록*',
  'บัตรประชาชน, เลขประจำตัว, เลขบัตร, chung minh nhan dan, can cuoc*, cccd, cmnd, so dinh danh, ktp',
  'nik',
  'nomor identitas, nomor induk kependudukan, npwp',
  // The names of numbers whose check digits a recognizer knows. A number with a wrong check digit is personal too.
  'ssn*, soc. sec*, s.s.n, nino*, s.i.n, aadhaar*, aadhar*, dni, nif, cpf*, rg, cartao de cidadao*, c.c, rut, cuit*, cuil*, curp*',
  'partita iva*, p.iva, p. iva, numero fiscal, numero fiscal de reference, cni, bsn*, sofi*, pesel*, nip, nr dowodu',
  'sozialversicherungsnummer*, rentenversicherungsnummer*, krankenversichertennummer*, versichertennummer*, kvnr',
  'sozialversicherungsnr*, rentenversicherungsnr*, krankenversicherungsnr*, rvnr, sv-nr*, sv-nummer*, rv-nr*, rv-nummer*, kv-nr*, kv-nummer*, steuernr*, steuer-nr*, st.-nr*',
  'seguridad social, nuss, niss, regon, sgk no, sgk numara*, sgk sicil no, ein:, ein number',
  '年金番号, 在留カード*',
  'personnr*, fodselsnummer*, fodselsnr*, cpr*, henkilotunnus*, hetu*, r.c, cnp*, adoazonosito*, taj, taj szam*',
  'szemelyi igazolvany*, αφμ, αμκα, ταυτοτητα*, егн, oib, jmbg, emso, рнокпп, іпн, ідентифікаційн*, کد ملی, شماره ملی, ת.ז, ת״ז, תעודת זהות',
  'tckn*, вид на жительство, nric*, emirates id*',
)
