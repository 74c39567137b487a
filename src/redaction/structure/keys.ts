import { FOLD, isCapital, isWord } from '../engine/characters.ts'
import { wordList } from '../engine/word-list.ts'

/**
 * The meaning of a key of a form, a record or a table. `PERSON`, `LOCATION`: the value is one. `person`,
 * `place`: it is one if the record around it belongs to a person or has an address. `contact`: the record does.
 */
type KeyKind = 'PERSON' | 'LOCATION' | 'person' | 'place' | 'contact'

/** A key, and what it says of its value, if anything. */
export interface Key {
  key: string
  kind: KeyKind | undefined
}

const KEYS: Record<KeyKind, readonly string[]> = {
  PERSON: wordList(
    'full name, fullname, first name, firstname, last name, lastname, surname, given name, givenname, given names, family name, familyname, middle name, middlename, maiden name, birth name, legal name, preferred name, display name, fname, lname, mname, forename, nickname, account holder, account owner, cardholder, card holder, cardholder name, name on card, policy holder, policyholder, passenger, patient name, beneficiary, beneficiary name, payee, emergency contact, next of kin, spouse, signed by, signatory, attention, attn, contact person, first and last name, mothers maiden name, father name, mother name, parent name, name of patient, name of applicant, recipient name, sender name, full legal name, insured, insured person, employee name, author name',
    'vorname, nachname, familienname, geburtsname, rufname, vor und nachname, vorname nachname, name vorname, nachname vorname, vollstandiger name, kontoinhaber, kontoinhaberin, karteninhaber, ansprechpartner, ansprechpartnerin, ansprechperson, empfanger, empfangerin, absender, absenderin, versicherter, versicherungsnehmer, versicherte person, antragsteller, mieter, fahrgast, notfallkontakt, sachbearbeiter, kundenname, patientenname',
    'prenom, prenoms, nom de famille, nom complet, nom et prenom, nom prenom, prenom nom, nom de naissance, nom de jeune fille, nom d usage, titulaire, titulaire du compte, destinataire, expediteur, beneficiaire, assure, personne a contacter, interlocuteur, signataire, nom du client, nom du patient',
    'apellido, apellidos, primer apellido, segundo apellido, nombre completo, nombre y apellidos, nombre y apellido, nombres, nombre de pila, primer nombre, titular, titular de la cuenta, destinatario, remitente, beneficiario, persona de contacto, asegurado, firmante, nombre del cliente, nombre del paciente, nombre del titular',
    'cognome, nome e cognome, cognome e nome, nome completo, nominativo, intestatario, mittente, assicurato, referente, persona di contatto, beneficiaria, sobrenome, apelido, nome e sobrenome, primeiro nome, ultimo nome, titular da conta, remetente, pessoa de contato, segurado, nome do cliente, nome do paciente, nome do titular, nome da mae, nome do pai',
    'voornaam, achternaam, familienaam, volledige naam, voornamen, rekeninghouder, kaarthouder, ontvanger, afzender, contactpersoon, geadresseerde, meisjesnaam, tussenvoegsel achternaam, verzekerde, imie, nazwisko, imie i nazwisko, imie nazwisko, nazwisko i imie, imiona, nazwisko rodowe, odbiorca, nadawca, osoba kontaktowa, ubezpieczony, wlasciciel konta',
    'fornamn, efternamn, for och efternamn, fullstandigt namn, mottagare, avsandare, kontaktperson, kontoinnehavare, fornavn, efternavn, etternavn, fulde navn, fullt navn, modtager, afsender, mottaker, kontohaver, etunimi, sukunimi, koko nimi, vastaanottaja, lahettaja, yhteyshenkilo',
    'jmeno a prijmeni, krestni jmeno, prijmeni, cele jmeno, prijemce, odesilatel, kontaktni osoba, priezvisko, meno a priezvisko, krstne meno, keresztnev, vezeteknev, csaladnev, teljes nev, cimzett, felado, kapcsolattarto, prenume, nume de familie, nume si prenume, nume complet, destinatar, expeditor, persoana de contact, prezime, ime i prezime, priimek, ime in priimek, primatelj, posiljatelj, vardas pavarde, pavarde, vards uzvards, uzvards, eesnimi, perekonnanimi, perenimi',
    'soyadi, soyad, soyisim, adi soyadi, ad soyad, ad soyadi, isim soyisim, alici, alici adi, gonderen, hesap sahibi, kart sahibi, ilgili kisi, фамилия, отчество, фио, полное имя, имя и фамилия, фамилия имя отчество, получатель, отправитель, контактное лицо, владелец счета, держатель карты, прізвище, піб, по батькові, повне ім я, отримувач, відправник, контактна особа, собствено име, презиме, получател, подател',
    'ονοματεπωνυμο, επωνυμο, επιθετο, παραληπτης, αποστολεας, שם פרטי, שם משפחה, שם מלא, איש קשר, נמען, الاسم الكامل, الاسم الأول, اسم العائلة, اسم العميل, اسم المريض, اسم المستلم, المستلم, المرسل, اسم الأب, اسم الأم, صاحب الحساب, نام خانوادگی, نام کامل, نام و نام خانوادگی, گیرنده',
    'पूरा नाम, पहला नाम, अंतिम नाम, उपनाम, कुलनाम, पिता का नाम, माता का नाम, ग्राहक का नाम, मरीज का नाम, खाताधारक, प्राप्तकर्ता, পুরো নাম, পিতার নাম, முழு பெயர், పూర్తి పేరు',
    '姓名, 全名, 收件人, 收货人, 寄件人, 联系人, 聯絡人, 收件人姓名, 客户姓名, 患者姓名, 持卡人, 开户人, 户名, 戶名, 真实姓名, 姓氏, 氏名, お名前, ご氏名, 名前, フリガナ, ふりがな, 宛名, 受取人, お届け先氏名, 送り主, 担当者, 担当者名, 口座名義, 名義人, 患者名, 顧客名, 契約者名, 성명, 성함, 수령인, 받는 사람, 받는분, 보내는 사람, 예금주, 고객명, 환자명, 담당자',
    'ชื่อ-นามสกุล, ชื่อนามสกุล, ชื่อ นามสกุล, ชื่อ-สกุล, นามสกุล, ชื่อผู้รับ, ผู้รับ, ผู้ส่ง, ชื่อเต็ม, ชื่อบัญชี, ho ten, ho va ten, ho ten khach hang, nguoi nhan, nguoi gui, ten day du, ten khach hang, chu tai khoan, nama lengkap, nama depan, nama belakang, nama penerima, penerima, pengirim, nama pelanggan, nama pasien, nama pemilik, atas nama, nama penuh, buong pangalan, apelyido, unang pangalan, jina kamili, jina la kwanza, jina la ukoo, volle naam, van, oruko, surname and other names, other names, othernames',
  ),
  person: wordList(
    'name, names, customer, client, contact, user, owner, guest, patient, recipient, sender, employee, applicant, tenant, student, member, author, reporter, assignee, manager, driver, buyer, seller, from, to, cc, first, last, holder, signature, by',
    'kunde, kundin, patientin, gast, mitarbeiter, mitarbeiterin, autor, teilnehmer, schuler, student, besteller, inhaber, nom, cliente, clienta, nombre, usuario, paciente, autor, alumno, empleado, nome, utente, paziente, dipendente, funcionario, naam, klant, gebruiker, medewerker, klient, pacjent, uzytkownik, pracownik, namn, navn, nimi, kund, asiakas, jmeno, meno, zakaznik, nev, ugyfel, nume, ime, musteri, ad, adi, isim, hasta, vardas, vards',
    'имя, клиент, пациент, заказчик, сотрудник, автор, ім я, клієнт, име, ονομα, πελατης, שם, לקוח, الاسم, اسم, العميل, المريض, نام, مشتری, नाम, ग्राहक, मरीज, নাম, பெயர், పేరు, 名字, 客户, 患者, 顧客, お客様名, 이름, 고객, 환자, ชื่อ, ลูกค้า, ten, khach hang, nama, pelanggan, pasien, pangalan, jina, mteja',
  ),
  LOCATION: wordList(
    'street address, home address, postal address, mailing address, shipping address, billing address, delivery address, residential address, physical address, permanent address, current address, work address, office address, correspondence address, address line, address line 1, address line 2, address1, address2, addressline1, addressline2, addr1, addr2, street, street name, street 1, streetaddress, street line, house number, zip, zip code, zipcode, postal code, postalcode, postcode, post code, eircode, pin code, pincode, ship to address, place of residence, residence',
    'adresse, anschrift, wohnanschrift, postanschrift, lieferadresse, rechnungsadresse, versandadresse, wohnadresse, heimatadresse, strasse, straße, strasse hausnummer, strasse und hausnummer, strasse nr, strase, hausnummer, plz, postleitzahl, plz ort, wohnort, adresse postale, adresse de livraison, adresse de facturation, rue, code postal, domicile, adresse du domicile, voie, numero et rue',
    'direccion, direccion de envio, direccion de entrega, direccion de facturacion, direccion postal, domicilio, calle, calle y numero, codigo postal, direccion particular, indirizzo, indirizzo di spedizione, indirizzo di consegna, indirizzo di fatturazione, indirizzo di residenza, via, residenza, codice postale, endereco, endereco de entrega, endereco de cobranca, endereco residencial, rua, logradouro, morada, codigo de endereco postal, bairro',
    'adres, bezorgadres, afleveradres, factuuradres, woonadres, postadres, straat, straatnaam, straat en huisnummer, huisnummer, adres dostawy, adres zamieszkania, adres korespondencyjny, ulica, ulica i numer, kod pocztowy, nr domu, adress, leveransadress, hemadress, postadress, faktureringsadress, gatuadress, gata, postnummer, postnr, leveringsadresse, faktureringsadresse, hjemmeadresse, bopael, gade, vejnavn, gateadresse, osoite, kotiosoite, toimitusosoite, postiosoite, katuosoite, postinumero, lahiosoite',
    'adresa, dorucovaci adresa, trvale bydliste, bydliste, psc, dodaci adresa, trvaly pobyt, cim, lakcim, szallitasi cim, szamlazasi cim, iranyitoszam, utca, adresa de livrare, domiciliu, strada, cod postal, adresa stanovanja, postanski broj, naslov, postna stevilka, adresas, gatve, pasto kodas, adrese, iela, pasta indekss, aadress, tanav, postiindeks, adresi, teslimat adresi, fatura adresi, ev adresi, posta kodu, sokak, cadde, acik adres, ikametgah',
    'адрес, домашний адрес, адрес доставки, адрес проживания, адрес регистрации, почтовый адрес, улица, индекс, почтовый индекс, место жительства, адреса, адреса доставки, домашня адреса, вулиця, поштовий індекс, пощенски код, διευθυνση, οδος, ταχυδρομικος κωδικας, τκ, διευθυνση κατοικιας, כתובת, כתובת למשלוח, רחוב, מיקוד, العنوان, عنوان السكن, عنوان التوصيل, عنوان المنزل, الشارع, الرمز البريدي, آدرس, کد پستی, نشانی',
    'पता, घर का पता, डाक पता, स्थायी पता, पिन कोड, गली, ঠিকানা, முகவரி, చిరునామా, 地址, 住址, 家庭住址, 家庭地址, 收货地址, 收貨地址, 邮寄地址, 通讯地址, 详细地址, 详细住址, 邮编, 邮政编码, 街道, 住所, ご住所, お届け先住所, 現住所, 郵便番号, 自宅住所, 送付先住所, 주소, 배송지, 배송 주소, 집 주소, 자택 주소, 우편번호, 도로명 주소, 상세주소',
    'ที่อยู่, ที่อยู่จัดส่ง, ที่อยู่ปัจจุบัน, ที่อยู่ตามทะเบียนบ้าน, รหัสไปรษณีย์, ถนน, dia chi, dia chi giao hang, dia chi nha, dia chi thuong tru, ma buu dien, alamat, alamat lengkap, alamat rumah, alamat pengiriman, alamat penagihan, kode pos, poskod, alamat surat menyurat, tirahan, anwani, anwani ya makazi, adiresi',
  ),
  place: wordList(
    'address, addr, city, town, county, state, province, district, region, suburb, location, ort, stadt, wohnort, ville, commune, ciudad, localidad, provincia, municipio, citta, comune, localita, cidade, localidade, municipio, estado, plaats, woonplaats, stad, miasto, miejscowosc, ort, stad, by, sted, kaupunki, postitoimipaikka, mesto, obec, varos, telepules, oras, localitate, grad, sehir, ilce, il, город, місто, град, πολη, עיר, المدينة, مدينة, شهر, शहर, 城市, 省份, 市区町村, 都道府県, 市, 도시, 시도, เมือง, จังหวัด, อำเภอ, ตำบล, thanh pho, tinh, quan, huyen, kota, provinsi, kecamatan, kelurahan, bandar, negeri, lungsod, mji',
  ),
  contact: wordList(
    'email, e mail, mail, email address, phone, phone number, telephone, tel, mobile, mobile number, cell, cell phone, cellphone, fax, whatsapp, date of birth, dob, birthday, birth date, birthdate, born, ssn, social security number, passport, passport number, passport no, iban, account number, salary, gender, sex, nationality, id number, national id, national id number, tax id, nin, bvn, age, age years, mrn, nhs number, policy number, card number, bic, insurance number, driver license, license number, employee id, customer id, patient id, user id, member id, username',
    'e mail adresse, telefon, telefonnummer, handy, handynummer, mobil, mobilnummer, geburtsdatum, geburtstag, geboren, geb, geschlecht, kontonummer, steuer id, ausweisnummer, kundennummer, courriel, telephone, portable, mobile, date de naissance, ne le, nee le, sexe, numero de telephone, numero client, correo, correo electronico, telefono, movil, celular, fecha de nacimiento, dni, nif, nie, curp, rfc, rut, sexo, numero de telefono, numero de cliente, cellulare, data di nascita, codice fiscale, sesso, telefone, telemovel, data de nascimento, cpf, rg, numero de telefone',
    'telefoon, telefoonnummer, mobiel, geboortedatum, bsn, geslacht, rekeningnummer, klantnummer, numer telefonu, komorka, data urodzenia, pesel, plec, telefonnr, fodelsedatum, personnummer, kon, fodselsdato, cpr, kjonn, kon, puhelin, puhelinnumero, sahkoposti, syntymaaika, henkilotunnus, telefonni cislo, datum narozeni, rodne cislo, mobil, telefonszam, szuletesi datum, szuletesi ido, taj, numar de telefon, data nasterii, cnp, datum rodenja, oib, jmbg, emso, dogum tarihi, e posta, eposta, telefon numarasi, tckn, tc kimlik no, cinsiyet, cep telefonu',
    'почта, эл почта, электронная почта, телефон, номер телефона, дата рождения, паспорт, снилс, инн, пол, моб, дата народження, іпн, τηλεφωνο, κινητο, ημερομηνια γεννησης, αφμ, αμκα, טלפון, נייד, תאריך לידה, ת ז, תעודת זהות, דוא ל, الهاتف, رقم الهاتف, الجوال, رقم الجوال, البريد الإلكتروني, تاريخ الميلاد, رقم الهوية, الجنس, تلفن, شماره تلفن, ایمیل, تاریخ تولد, کد ملی, फोन, मोबाइल, मोबाइल नंबर, ईमेल, जन्म तिथि, जन्मतिथि, लिंग, ফোন, மொபைல்',
    '电话, 電話, 手机, 手機, 手机号, 手机号码, 电话号码, 邮箱, 电子邮件, 身份证, 身份证号, 出生日期, 生日, 性别, 年龄, 電話番号, 携帯電話, 携帯, メール, メールアドレス, 生年月日, 性別, 年齢, 전화, 전화번호, 휴대폰, 휴대폰 번호, 이메일, 생년월일, 주민등록번호, 성별, 나이, 연락처, โทรศัพท์, เบอร์โทร, เบอร์โทรศัพท์, อีเมล, วันเกิด, เลขบัตรประชาชน, เพศ, so dien thoai, dien thoai, sdt, ngay sinh, cccd, cmnd, gioi tinh, nomor telepon, no telepon, telepon, no hp, nomor hp, tanggal lahir, nik, jenis kelamin, telefon bimbit, no telefon, tarikh lahir, simu, namba ya simu, tarehe ya kuzaliwa',
  ),
}

/** Words around "name" or "address" which say that it is a person's. */
const OF_PERSON = new Set(
  wordList(
    'customer, client, patient, contact, person, user, owner, guest, employee, applicant, tenant, student, member, holder, recipient, sender, passenger, billing, shipping, delivery, home, work, primary, secondary, emergency, buyer, seller, payer, payee, insured, parent, mother, father, spouse, child, driver, author, reporter, assignee, manager, agent, subscriber, traveler, traveller, candidate, doctor, teacher, borrower, landlord, donor, lead, visitor, card, on, of, the, your, my, his, her, full, legal, bill, ship, to, residential, mailing, postal, permanent, current, new, old, 1, 2, no, kunden, patienten, de, del, du, da, do, della, di, des, la, le, el, cliente, paciente, client, titular, contacto, envio, entrega, facturacion, livraison, facturation',
  ).map(plainKey),
)

/** The kind of each key in its plain form. A key of two kinds counts as the first of these. */
const KINDS = new Map<string, KeyKind>()
for (const kind of ['PERSON', 'LOCATION', 'contact', 'person', 'place'] as const)
  for (const key of KEYS[kind].map(plainKey)) if (!KINDS.has(key)) KINDS.set(key, kind)

/** The words of all keys. */
const VOCABULARY = new Set([...KINDS.keys()].flatMap((key) => key.split(' ')).concat(...OF_PERSON))

const LONGEST = 44
const known = new Map<string, KeyKind | null>()
const MOST_KNOWN = 4096

/** Returns a key with what it says of its value; undefined if it says nothing. */
export function readKey(key: string): Key | undefined {
  const kind = kindOfKey(key)
  return kind && { key, kind }
}

/** Returns a key with what it says of its value, if anything. */
export function keyOf(key: string): Key {
  return { key, kind: kindOfKey(key) }
}

/** Returns what a key says of its value; undefined if it says nothing. */
export function kindOfKey(key: string): KeyKind | undefined {
  if (key.length > LONGEST || !endsKey(key, lastWordEnd(key))) return
  let kind = known.get(key)
  if (kind === undefined) {
    kind = lookUp(plainKey(key)) ?? null
    if (known.size >= MOST_KNOWN) known.clear()
    known.set(key, kind)
  }
  return kind ?? undefined
}

function lastWordEnd(key: string): number {
  let end = key.length
  while (end > 0 && !isWord(key.charCodeAt(end - 1))) end--
  return end
}

/** Tells quickly whether the word that ends at a place may be the last of a key that says something. */
export function endsKey(text: string, end: number): boolean {
  let start = end
  while (start > end - LONGEST_WORD && isWord(text.charCodeAt(start - 1))) {
    start--
    // In `firstName`, the last word begins with the capital.
    if (isCapital(text.charCodeAt(start)) && !isCapital(text.charCodeAt(start - 1))) break
  }
  if (start === end) return false
  const word = text.slice(start, end)
  let isKnown = knownWords.get(word)
  if (isKnown === undefined) {
    isKnown = VOCABULARY.has(fold(word))
    if (knownWords.size >= MOST_KNOWN) knownWords.clear()
    knownWords.set(word, isKnown)
  }
  return isKnown
}

/** Words met lately, and whether they are words of keys. */
const knownWords = new Map<string, boolean>()

const LONGEST_WORD = 24

/** Looks a key up, and then the key without the words that name its owner. */
function lookUp(plain: string): KeyKind | undefined {
  const whole = KINDS.get(plain)
  if (whole) return whole
  const words = plain.split(' ')
  if (words.length < 2 || words.length > 6) return
  for (let from = 0; from < words.length; from++) {
    for (let to = words.length; to > from; to--) {
      const kind = KINDS.get(words.slice(from, to).join(' '))
      if (!kind || to - from === words.length) continue
      const around = [...words.slice(0, from), ...words.slice(to)]
      if (!around.every((word) => OF_PERSON.has(word) || KINDS.get(word) === 'person')) continue
      return kind === 'person' ? 'PERSON' : kind === 'place' && words[from] === 'address' ? 'LOCATION' : kind
    }
  }
  return
}

/** Returns a key in small letters without diacritics, its words parted by single spaces. */
function plainKey(key: string): string {
  const parted = key.replace(/(\p{Ll})(?=\p{Lu})/gu, '$1 ').replace(/[^\p{L}\p{M}\d]+/gu, ' ')
  return fold(parted).trim()
}

function fold(text: string): string {
  let folded = ''
  for (let at = 0; at < text.length; at++) {
    const code = FOLD[text.charCodeAt(at)] as number
    if (code !== 0) folded += String.fromCharCode(code)
  }
  return folded
}
