import { CLASS, UNSPACED, wordEnd } from '../engine/characters.ts'
import type { Recognizer } from '../engine/recognizer.ts'
import { step } from '../engine/step.ts'
import { wordList } from '../engine/word-list.ts'

/** A kind of value that is known only by the label directly before it, as a row of a table. */
interface Labelled {
  type: string
  label: string
  example: string
  /** The labels, separated by commas. */
  words: readonly string[]
  /** A sticky pattern for the value. */
  value: RegExp
  accepts?: (value: string) => boolean
  /** Tells whether a colon, an equals sign or a verb must stand between a label and a value. */
  needsSign?: (label: string, value: string) => boolean
  found: readonly string[]
  missed: readonly string[]
}

const JOINT =
  /\.?["'”]?(?:[^\S\n]{0,3}(?:(?:numbers?|no|nr|n\.?[°ºo]|num|id|code|numero|número|numéro|nummer|numer|номер|رقم|नंबर|is|are|was|ist|lautet|est|es|é|è|e|jest|to|är|er|on|je|это|هو|है|la|là|adalah)(?![\p{L}\p{M}\d_]|-\d)[.]?|号码|號碼|号|號|番号|번호|是|为|為|は|가|는|은|คือ|[:：=#|–—-])){0,4}[^\S\n]{0,3}["'“«(`]?/iuy
const SIGN = /[:：=|]|(?:^|\s)(?:is|ist|est|es|é|è|jest|to|är|er|это|هو|है|là|adalah)\s|[是为為は가는은]|คือ/iu

/** Makes the recognizer for a row. */
function labelled(row: Labelled): Recognizer {
  const { type, label, example, words, value, accepts = () => true } = row
  const kind = `label ${type}`
  return {
    type,
    label,
    example,
    phrases: { [kind]: wordList(...words) },
    find(page) {
      const { text } = page
      let read = 0
      page.eachPhrase(kind, (start, end) => {
        if (start < read || /[\w@]/.test(text.charAt(start - 1))) return
        const behind = wordEnd(text, end)
        const from = step(JOINT, text, behind)
        // Scripts without spaces have nothing between a label and its value.
        const isJoined = from > behind || CLASS[text.charCodeAt(behind - 1)] === UNSPACED
        const to = isJoined ? step(value, text, from) : from
        const found = text.slice(from, to)
        if (to === from || !accepts(found)) return
        if (row.needsSign?.(text.slice(start, end), found) && !SIGN.test(text.slice(behind, from))) return
        page.add(type, from, to, 'alone')
        read = to
      })
    },
    examples: row.found,
    counterExamples: row.missed,
  }
}

const digitsOf = (value: string) => value.replace(/\D/g, '').length

/** A number with letters before, between or behind its digits. */
const CODE =
  /(?:[A-Z]{1,6}[-/ ]?|[a-z]{1,4}-?)?\d[\dA-Za-z]{0,15}(?:[-/.][\dA-Za-z]{1,12}|[ ][\dA-Z]{1,12}){0,4}(?![\p{Script=Latin}\p{Script=Cyrillic}\p{N}_]|[.,]\d)/uy
const hasFourDigits = (value: string) => digitsOf(value) >= 4 && !IS_DATE.test(value)
const IS_DATE = /^(?:\d{4}([./-])\d{1,2}\1\d{1,2}|\d{1,2}([./-])\d{1,2}\2(?:\d{4}|\d\d))$|^(?:19|20)\d\d$/

const PLATE =
  /[\p{Lu}\p{Lo}\p{M}\d]{1,10}(?:[ ·.-]{1,2}[\p{Lu}\p{Lo}\p{M}\d]{1,5}){0,4}(?![\p{L}\p{N}])|[a-z\d]{1,8}(?:[ -][a-z\d]{1,5}){0,2}(?![\p{L}\p{N}])/uy
const SMALL_PLATE =
  /^(?:[a-z]{1,3}[ -]?[a-z]{0,2}[ -]?\d{1,4}|[a-z]{1,3}[ -]?\d{1,4}[ -]?[a-z]{1,3}|\d{1,4}[ -]?[a-z]{1,3}[ -]?\d{0,4}|[a-z]{2}[ -]?\d\d[ -]?[a-z]{1,2}[ -]?\d{4})$/

function isPlate(value: string): boolean {
  const plain = value.replace(/[ ·.-]/g, '')
  if (/^(?:of|in|on|at|is|to|no|and|for|with|from|by|my|the|an?) /.test(value)) return false
  const isPlain = plain.length >= 4 && plain.length <= 14 && /\d/.test(plain) && !IS_DATE.test(value)
  const letters = plain.replace(/\d/g, '').length
  return isPlain && (letters > 0 || plain.length >= 5) && (!/[a-z]/.test(value) || SMALL_PLATE.test(value))
}

/** Networks whose names stand before other words, too. */
const NETWORK = /^(?:skype|discord|insta|snapchat|twitter|tiktok|twitch|github)/i
const ENDS_WITH_DIGITS = /^[a-z]{3,}[._]?[a-z]*\d{2,}$/i

/** Values that documentation and forms contain in place of a name. */
const NO_NAME =
  /^(?:string|str|text|null|none|nil|undefined|true|false|required|optional|name|your.*|my.*|user(?:name)?|admin|root|test|example|here|and|or|password|field|not|the|an?|is|was|must|should|invalid|wrong|incorrect|unknown|forgotten|already|taken|available|too|empty|missing|varchar|char|int|process\..*|os\..*|this\..*|self\..*|req\..*|env.*)$/i

/** Values that only a label before them tells. */
export const labelledValues: readonly Recognizer[] = [
  labelled({
    type: 'LICENSE_PLATE',
    label: 'Number plate of a vehicle',
    example: 'B-MW 1234',
    words: [
      'license plate*, licence plate*, license_plate*, licence_plate*, plate_number, number plate*, plate number*, plate no*, plate, reg plate*, vehicle registration*, car registration*, vehicle reg, car reg',
      "registration plate*, vrm, kennzeichen*, kfz-kennzeichen*, autokennzeichen*, nummernschild*, immatriculation*, immatricule*, plaque d'immatriculation, plaque*, matricula*",
      'placa*, placa do carro, placa del coche, numero de placa, placas, patente, targa*, kenteken*, numer rejestracyjny*, tablica rejestracyjna, tablice*, nr rejestracyjny, nr rej, rejestracja',
      'registreringsnummer*, regnr*, reg.nr*, registreringsskylt*, bilskilt*, nummerplade*, rekisterinumero*, rekisteritunnus*, spz, registracni znacka, evc, ecv',
      'rendszam*, numar de inmatriculare, nr de inmatriculare, nr inmatriculare, plaka*, registarska oznaka, registracija, registrska, registrska st*, valstybinis numeris, numura zime',
      'госномер*, гос номер*, гос. номер*, номер машины, номер авто*, номерной знак, регистрационен номер, рег. номер*, номерний знак, держномер*, номер авто',
      'αριθμος κυκλοφοριας, πινακιδα*, לוחית רישוי, מספר רכב, رقم اللوحة, لوحة السيارة, اللوحة, رقم السيارة, پلاک*, गाड़ी नंबर, गाड़ी का नंबर, वाहन नंबर, वाहन संख्या',
      '车牌*, 車牌*, ナンバープレート*, 車のナンバー, 車両番号, 차량번호*, 차 번호, 자동차번호*, ทะเบียนรถ*, ป้ายทะเบียน*, bien so*, bien so xe, plat nomor*, nomor polisi*, nopol, no plat, nombor plat*',
    ],
    value: PLATE,
    accepts: isPlate,
    found: [
      'Kennzeichen «B-MW 1234»',
      'my license plate is «7ABC123»',
      'immatriculation : «AB-123-CD»',
      'number plate «AB12 CDE»',
      'госномер «А123ВС777»',
      '车牌号是«京A12345»',
      'plaka: «34 ABC 123»',
      'kenteken «12-ABC-3»',
      'reg plate: «ab12 cde»',
      '"license_plate": "«XK05 CIW»"',
      '| plate | «DTD-9434» |',
      'bilskilt «LA-6272»',
    ],
    missed: [
      'a plate of 12 cookies',
      'the plaque weighs 1200 g',
      'license plate lights are broken',
      'B-MW 1234',
    ],
  }),
  labelled({
    type: 'USERNAME',
    label: 'User name or handle',
    example: 'jane_doe85',
    words: [
      "username, user name, user-name, user_name, userid, login name, login id, logged in as, log in as, signed in as, sign in as, angemeldet als, eingeloggt als, connecte en tant que, conectado como, conectada como, ingelogd als, zalogowany jako, inloggad som, screen name, handle, gamertag, nickname, account name, user handle, benutzername*, nutzername*, anmeldename*, nom d'utilisateur, identifiant",
      'nom de compte, pseudo, nombre de usuario, usuario, nome utente, nome de usuario, nome de utilizador, gebruikersnaam, nazwa uzytkownika, anvandarnamn, brugernavn, brukernavn, kayttajatunnus, kayttajanimi',
      'uzivatelske jmeno, pouzivatelske meno, felhasznalonev, nume de utilizator, kullanici adi*, korisnicko ime, uporabnisko ime, имя пользователя, логин, никнейм, потребителско име',
      "ім'я користувача, логін, ονομα χρηστη, שם משתמש, اسم المستخدم, اسم المستخدم الخاص بي, نام کاربری, उपयोगकर्ता नाम, यूज़रनेम, यूजरनेम",
      '用户名, 用戶名, 用户账号, ユーザー名, ユーザーid, ユーザid, 사용자명, 사용자 이름, 아이디, ชื่อผู้ใช้, ยูสเซอร์เนม, ten dang nhap, ten nguoi dung, nama pengguna, skype, discord, instagram, insta, snapchat, twitter, tiktok, twitch, github',
    ],
    value:
      /@?[A-Za-z\d][\w.@-]{1,38}[A-Za-z\d_](?:#\d{4})?(?![\p{Script=Latin}\p{Script=Cyrillic}\p{N}_@(/:]|\.\w)/uy,
    accepts: (value) => !NO_NAME.test(value) && !/^\d{1,3}$|^\d+\.\d+/.test(value),
    needsSign: (label, value) => NETWORK.test(label) || !ENDS_WITH_DIGITS.test(value),
    found: [
      'username: «jane_doe85»',
      'ユーザー名は«tanaka88»です',
      '用户名«zhang_wei88»的账号',
      'nome utente «cltj_rpvr51»',
      '{"username":"«jane.doe85»","age":4}',
      'my username is «jdoe.1990»',
      'someone logged in as «jdoe1990», not me',
      'Benutzername: «mschneider»',
      'usuario=«jgarcia77»',
      'логин: «ivan_petrov»',
      'instagram: «@jane.doe»',
      '用户名是«zhang_wei88»',
    ],
    missed: [
      'username: string',
      'the username is required',
      'username: req.body.username',
      'a handle of steel',
      'my username is wrong',
    ],
  }),
  labelled({
    type: 'VAT_NUMBER',
    label: 'VAT number',
    example: 'DE123456789',
    words: [
      'vat, vat number*, vat no*, vat id*, vat reg*, vat registration*, vatin, ust-id*, ust-idnr*, ustid*, ust.-id*, umsatzsteuer-id*, umsatzsteuer*, mwst-nr*, mwst-nummer*, uid-nummer*',
      'tva, numero de tva, n° tva, tva intracommunautaire, numero tva, partita iva*, p.iva, p. iva, iva, nif-iva, cif, btw*, btw-nummer*, btw-id*, moms*, momsnr*, momsnummer*, cvr*, alv*, alv-numero, vat-nummer*',
      'nip ue, dic, ic dph, dph, cui, cod fiscal, еик, ддс*, kdv, vkn, vergi no*, vergi numara*, ндс, пдв, gst*, gstin*, gst no*, pvm*, pvn*, kmkr*, ddv*, pdv*, kozossegi adoszam*',
    ],
    value:
      /(?:CHE[ -]?\d{3}[. ]?\d{3}[. ]?\d{3}(?: (?:MWST|TVA|IVA))?|[A-Z]{2}[ -]?(?=(?:[A-Z]{0,2}[ .-]?\d){6})[A-Z\d](?:[ .-]?[A-Z\d]){6,13}|\d{2}[A-Z]{5}\d{4}[A-Z][A-Z\d]Z[A-Z\d]|\d{8,12})(?![\p{L}\p{N}]|[.,]\d| ?[%€$£])/uy,
    found: [
      'VAT number «DE123456789»',
      'USt-IdNr.: «DE 123 456 789»',
      'TVA intracommunautaire : «FR40303265045»',
      'partita IVA «12345670017»',
      'btw-nummer: «NL123456789B01»',
      'VAT no. «GB 123 4567 82»',
      'GSTIN: «27ABCPE1234F1Z5»',
      'MWST-Nr. «CHE-123.456.788 MWST»',
    ],
    missed: ['VAT 20%', 'VAT: 19,00 EUR', 'DE123456789', 'TVA 20 % sur 12000000 €'],
  }),
  labelled({
    type: 'MEDICAL_RECORD',
    label: 'Medical record or patient number',
    example: 'MRN 00482913',
    words: [
      'mrn, medical record*, medical record number*, patient id*, patient number*, patient no*, hospital number*, hospital no*, chart number*, health record number*, patientennummer*, patienten-id*, patienten-nr*, fallnummer*',
      'numero de dossier medical, dossier medical, dossier patient, numero de patient, numero patient, ipp, historia clinica*, nhc, numero de historia*, numero de paciente, cartella clinica*, numero paziente, prontuario*, numero de utente, numero do utente, utente',
      'patientnummer*, patientennr*, zorgnummer*, numer pacjenta, karta pacjenta, journalnummer*, potilasnumero*, cislo pacienta, betegazonosito*, numar pacient, hasta no*, hasta numarasi, protokol no*',
      'номер карты пациента, номер медкарты, медкарта, история болезни, номер истории болезни, номер пациента, номер пацієнта, رقم الملف الطبي, الملف الطبي, رقم المريض, मरीज नंबर, मरीज आईडी, मरीज़ आईडी',
      '病历号*, 病歷號*, 住院号, 就诊卡号, 患者番号, 患者id, カルテ番号, 診察券番号, 환자번호, 환자 번호, 병록번호, เลขประจำตัวผู้ป่วย, hn, ma benh nhan, so benh an, nomor rekam medis, no rekam medis, no. rekam medis, no rm',
    ],
    value: CODE,
    accepts: hasFourDigits,
    found: [
      'MRN: «00482913»',
      '患者番号は«12345678»です',
      '病历号«12345678»',
      'MRN: «854-18-310»',
      'patient id «PT-10482913»',
      'Patientennummer «4711-2289»',
      'historia clínica n.º «HC 482913»',
      '病历号：«Z20231234»',
    ],
    missed: [
      'the medical record of 2019',
      'MRN: 2019-01-31',
      'medical record 31-01-2019',
      'patient ID is missing',
      'hospital number 3',
    ],
  }),
  labelled({
    type: 'INSURANCE_NUMBER',
    label: 'Insurance policy or member number',
    example: 'POL-48291376',
    words: [
      'policy number*, policy no*, policy id*, insurance policy*, insurance policy number*, health insurance number*, health insurance no*, insurance card*, insurance id*, insurance no*, member id*, member number*, membership number*, subscriber id*, health plan id*, group number*, claim number*',
      "versicherungsnummer*, versicherungsschein*, versicherungsscheinnummer*, policennummer*, krankenversichertennummer*, krankenversicherungsnummer*, versichertennummer*, versicherten-nr*, kvnr, kv-nummer*, mitgliedsnummer*, numero d'assure*, numero d'adherent, contrat d'assurance, numero de police, police n°, police d'assurance, numero de contrat",
      'numero de poliza, poliza*, numero de afiliado*, numero de afiliacion, numero de socio, numero polizza, polizza*, polizza n, tessera sanitaria, apolice*, numero da apolice, numero de beneficiario, carteirinha, cartao sus, cns',
      'polisnummer*, verzekeringsnummer*, verzekerdennummer*, lidmaatschapsnummer*, polis, numer polisy, nr polisy, polisa*, forsakringsnummer*, forsakringsbrev*, forsikringsnummer*, policenummer*, polisenummer*, medlemsnummer*, vakuutusnumero*, jasennumero*',
      'cislo pojistky, cislo pojistence, pojistka, cislo poistky, biztositasi szam*, kotvenyszam*, polita*, numar polita, police no*, sigorta no*, sigorta police*, broj police, номер полиса, полис*, полис омс, омс, поліс*, номер поліса, полица*',
      'رقم البوليصة, رقم بوليصة التأمين, رقم التأمين, وثيقة التأمين, بیمه‌نامه, मिसाल, पॉलिसी नंबर, पॉलिसी संख्या, बीमा नंबर, बीमा पॉलिसी, 保单号*, 保單號*, 保險號*, 社保号, 保険証番号, 保険証の番号, 被保険者番号, 証券番号',
      '증권번호, 보험증권*, 보험번호, กรมธรรม์*, เลขกรมธรรม์, เลขที่กรมธรรม์, so hop dong bao hiem, the bhyt, ma so bhyt, ma the bhyt, nomor polis*, no polis*, no. polis, nomor bpjs, no bpjs, bpjs*, nombor polisi*',
    ],
    value: CODE,
    accepts: hasFourDigits,
    found: [
      'policy number «POL-48291376»',
      'member id: «W123456789»',
      'Versichertennummer «A123456780»',
      'póliza n.º «48-291376»',
      'номер полиса «7712345678901234»',
      '保单号：«PD2023123456»',
    ],
    missed: ['the insurance policy of 2019', 'our privacy policy no longer applies', 'member ID is required'],
  }),
]
