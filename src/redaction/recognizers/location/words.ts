import { wordList } from '../../engine/word-list.ts'

/** Words for streets that are separate from the street's name. */
export const STREET_WORDS: readonly string[] = wordList(
  'street, st, avenue, ave, av, road, rd, lane, ln, drive, dr, boulevard, blvd, court, ct, place, pl, square, sq, terrace, ter',
  'close, crescent, cres, way, parkway, pkwy, highway, hwy, circle, cir, grove, gardens, gdns, mews, walk, row, hill, rise, quay',
  'trail, trl, alley, plaza, loop, pike, turnpike, freeway, esplanade, promenade, broadway, parade, green, view, heights, park',
  'straße, strasse, str, allee, gasse, weg, platz, ring, damm, ufer, chaussee, rue, chemin, impasse, allée, place, quai, cours, sentier, route, faubourg, passage, bd, square',
  'calle, c/, avenida, avda, av., plaza, pza, paseo, ps, camino, carretera, ctra, ronda, travesia, pasaje, glorieta, carrera, cra, diagonal, calz, calzada, jiron, jr',
  'via, viale, v.le, piazza, p.za, piazzale, corso, c.so, largo, vicolo, strada, lungomare, lungotevere, contrada, localita, borgo',
  'rua, r., travessa, praca, alameda, estrada, largo, rodovia, beco, calcada, quadra, laan, straat, plein, gracht, kade, singel, weg, steeg, dreef',
  'ulica, ul, al, aleja, aleje, plac, pl, osiedle, os, rondo, gatan, vagen, gata, vag, grand, torget, plats, stig, gade, vej, gate, vei, tie, katu, utca, ut, ter, strada, str, bulevardul, calea, soseaua',
  'caddesi, cadde, cad, cd, sokak, sokagi, sok, sk, bulvari, bulvar, blv, mahallesi, mah, meydani, yolu, ulice, trida, namesti, nam, nabrezi, odos, οδος, λεωφορος, ул',
  'улица, улице, улицу, ул., проспект, проспекте, пр-т, просп, пр., переулок, переулке, пер, бульвар, бул, площадь, пл, шоссе, ш., набережная, наб, проезд, пр-д, тупик, аллея, вулиця, вул, провулок, пров, площа, шосе, узвіз, бул.',
  'شارع, طريق, جادة, حي, ميدان, زنقة, نهج, خیابان, کوچه, רחוב, שדרות, मार्ग, रोड, नगर, गली, चौक, सड़क, कॉलोनी, विहार, पथ, लेन, স্ট্রিট, রোড, সড়ক',
  'ถนน, ซอย, ถ., ซ., duong, pho, ngo, ngach, hem, duong pho, dai lo, jalan, jl, jln, gang, gg, lorong, jalan raya, persiaran, kalye, calle, kalsada',
)

/** Phrases that an address follows. */
export const ADDRESS_INTRODUCTIONS: readonly string[] = wordList(
  'my address is, address is, address:, address, home address, mailing address, shipping address, billing address, delivery address, postal address, i live at, i live on, live at, lives at, living at',
  'reside at, residing at, located at, ship to, deliver to, send it to, send to, ship it to, deliver it to, moved to, mail it to, residence, residential address, street address, new address, pick up at, office is at',
  'meine adresse ist, meine anschrift, adresse, anschrift, lieferadresse, rechnungsadresse, wohnhaft in, wohnhaft, ich wohne in der, ich wohne am, ich wohne in, ich wohne, wohne in, wohnt in, liefern sie an, lieferung an, senden sie es an, bitte an, postanschrift, versandadresse, wohnort, neue adresse',
  "mon adresse est, adresse, adresse de livraison, adresse postale, j'habite au, j'habite, j'habite a, habite au, domicilie au, demeurant au, livrer au, livrez au, livrez a, envoyer au, envoyez a, envoyez au, adresse de facturation, nouvelle adresse, courrier",
  'mi direccion es, direccion, mi direccion, domicilio, mi domicilio es, vivo en, vive en, direccion de envio, direccion de entrega, enviar a, envielo a, envien a, entregar en, entreguen en, domiciliado en, resido en',
  'il mio indirizzo e, il mio indirizzo è, indirizzo, indirizzo di spedizione, indirizzo di consegna, abito in, vivo in, residente in, risiedo in, spedire a, spedite a, consegnare in, consegnare a, recapito, domicilio',
  'meu endereco e, meu endereço é, endereco, endereco de entrega, moro na, moro no, moro em, morada, a minha morada e, a minha morada é, minha morada, resido na, enviar para, entregar na, entregar em, residente na, vivo na',
  'mijn adres is, adres, bezorgadres, afleveradres, ik woon op, ik woon aan, ik woon aan de, ik woon in de, ik woon in, woon op, woonachtig, verzenden naar, sturen naar, bezorgen op, postadres, stuur het naar',
  'moj adres to, moj adres, adres, adres dostawy, adres zamieszkania, mieszkam przy, mieszkam na, mieszkam w, zamieszkaly, zamieszkala, prosze wyslac na, wyslac na adres, dostarczyc na, adres do wysylki',
  'min adress ar, adress, leveransadress, jag bor pa, jag bor i, bor pa, skicka till, leverera till, hemadress, min adresse er, adresse, jeg bor pa, bor i, cim, leveringsadresse, osoitteeni on, osoite, asun, cimem, lakcim, adresa, adresa mea, locuiesc pe, locuiesc in',
  'adresim, adres, adresi, teslimat adresi, ev adresi, ikamet, ikametgah, oturuyorum, adresime, moje adresa je, adresa, dorucovaci adresa, bydlim na, bydlim v, bydlim, doructe na, bydliste, η διευθυνση μου, διευθυνση, μενω',
  'мой адрес, адрес, адрес доставки, домашний адрес, проживаю по адресу, по адресу, живу на, живу в, живу по адресу, проживаю, доставить по адресу, доставьте на, отправьте на, место жительства, моя адреса, адреса, адреса доставки, живу за адресою, за адресою, мешкаю, проживаю за адресою, доставте на, надішліть на',
  'عنواني, عنواني هو, العنوان, عنوان, عنوان التوصيل, عنوان المنزل, أسكن في, اسكن في, أقيم في, اقيم في, أعيش في, التوصيل إلى, أرسلوه إلى, ارسلوا الى, عنوان السكن, آدرس, הכתובת שלי, כתובת, אני גר ב',
  'मेरा पता, पता, पता है, घर का पता, डिलीवरी का पता, पते पर, मैं रहता हूँ, मैं रहती हूँ, निवास, ঠিকানা, முகவரி',
  '地址, 我的地址是, 住址, 收货地址, 家庭地址, 送到, 寄到, 我住在, 住在, 请送到, 请寄到, 邮寄地址, 收貨地址, 配送地址, 住所, 住所は, ご住所, お届け先, 配送先, 送り先, 送付先, 宛先, に住んで, 주소, 제 주소는, 주소는, 배송지, 집 주소, 배송 주소, 로 보내',
  'ที่อยู่, ที่อยู่ของฉัน, ที่อยู่จัดส่ง, บ้านเลขที่, อาศัยอยู่ที่, ส่งไปที่, ส่งที่, จัดส่งที่, อยู่ที่, dia chi, dia chi cua toi, dia chi giao hang, toi song o, toi o, song tai, o tai, giao den, giao hang den, gui den, cu tru tai',
  'alamat, alamat saya, alamat rumah, alamat pengiriman, saya tinggal di, tinggal di, kirim ke, dikirim ke, antar ke, berdomisili di, domisili, tirahan, nakatira ako sa, alamat penghantaran',
)

/** Words for post boxes, whose number follows them. */
export const BOX_WORDS: readonly string[] = wordList(
  'po box, p.o. box, p o box, post office box, p.o.box, pobox, gpo box, private bag, postfach, boite postale, bp, b.p, cs, apartado de correos, apartado postal, apartado, apdo, apdo. correos, casilla de correo, casilla',
  'casella postale, c.p, caixa postal, cx. postal, apartado, postbus, skrytka pocztowa, skr. poczt, box, postboks, pl, pk, p.k, posta kutusu, p.o. box, postovni prihradka, ταχ. θυρ, т.д',
  'а/я, абонентский ящик, а/с, абонентська скринька, ص.ب, صندوق بريد, صندوق البريد, ת.ד, पोस्ट बॉक्स, पी.ओ. बॉक्स, 邮政信箱, 信箱, 郵政信箱, 私書箱, 사서함, ตู้ ปณ, ตู้ป.ณ, ตู้ไปรษณีย์, hom thu, hop thu, kotak pos, tromol pos',
)

/** Words for postcodes. */
export const POSTCODE_WORDS: readonly string[] = wordList(
  'postcode*, post code, zip, zip code*, zipcode*, postal code*, pin code, pincode, eircode, plz, postleitzahl*, code postal, codigo postal, cp, c.p, codice postale, cap, cep, codigo-postal, postcode, kod pocztowy, kodu pocztowego',
  'postnummer*, postnr*, posta kodu, posta kodum, posta kodumuz, psc, smerovaci cislo, postinumero*, iranyitoszam*, cod postal, postanski broj, ταχυδρομικος κωδικας, τ.κ, τκ, индекс*, почтовый индекс, поштовий індекс, індекс*, пощенски код',
  'الرمز البريدي, رمز بريدي, كود بريدي, کد پستی, מיקוד, पिन कोड, पिनकोड, डाक कोड, 邮编, 邮政编码, 郵遞區號, 郵編, 郵便番号, 〒, 우편번호, รหัสไปรษณีย์, ma buu dien, ma buu chinh, zip code, ma zip, kode pos, kode pos saya, kode pos kami, kode pos rumah, poskod, poskod saya',
)

/** Endings of street names that are a single word. */
export const STREET_ENDINGS: readonly string[] =
  'straße strasse str gasse weg allee platz ring damm ufer steig stieg chaussee markt hof berg graben brücke brucke promenade pfad twiete straat laan plein gracht kade singel steeg dreef dijk hof pad baan gatan vägen vagen gränd grand torget allén stigen backen gade vej vejen alle veien gata gaten plass katu tie polku utca sétány körút'.split(
    ' ',
  )

/** Words that end as names of streets do, and have a number, too. */
export const NO_STREETS: ReadonlySet<string> = new Set(
  'speicherplatz steckplatz arbeitsplatz sitzplatz stehplatz stellplatz parkplatz liegeplatz lagerplatz ablageplatz startplatz listenplatz tabellenplatz fensterplatz gangplatz studienplatz ausbildungsplatz praktikumsplatz kitaplatz campingplatz zeltplatz zahlungsweg versandweg lieferweg rechtsweg rückweg hinweg arbeitsweg anfahrtsweg vertriebsweg kommunikationsweg kontaktweg lösungsweg bestellweg bildungsweg ausbildungsweg lernweg meldeweg transportweg bremsweg fertigungsstraße produktionsstraße montagestraße verpackungsstraße waschstraße fertigungsstrasse produktionsstrasse montagestrasse verpackungsstrasse waschstrasse parkeringsplass arbeidsplass sitteplass lagringsplass parkeringsplads arbejdsplads productiestraat wasstraat'.split(
    ' ',
  ),
)

/** Words for parts of a building or a place, such as flats and floors. A number or a name follows them. */
export const UNITS =
  '(?:apt|apartment|flat|unit|suite|ste|floor|fl|room|rm|building|bldg|block|lot|level|penthouse|piso|planta|puerta|pta|escalera|esc|bloque|portal|depto|dpto|departamento|interior|int|interno|scala|piano|apto|apartamento|andar|sala|bloco|lote|fracao|bat|batiment|bât|bâtiment|etage|étage|esc|appt|appartement|app|residence|résidence|wohnung|whg|stock|og|top|stiege|haus|bus|lokal|lok|m|kl|lgh|van|vån|tr|daire|kat|blok|kapi|no|nr|nº|n\\.º|n|d|num|numero|número|house|byt|patro|кв|квартира|корп|корпус|к|стр|строение|под|подъезд|эт|этаж|оф|офис|д|дом|буд|будинок|під|пов|شقة|مبنى|عمارة|الطابق|طابق|الدور|رقم|بناية|फ्लैट|मकान|मकान नं|प्लॉट|मंजिल|ब्लॉक|rt|rw|lt|lantai|blok|phường|quận|p|q|căn hộ|tầng|lầu|tổ|khu phố|ấp|xã|huyện|số|หมู่|ม|ชั้น|ห้อง|อาคาร)'

/** Words and signs between a street and its number. */
export const NUMBER_MARKS: ReadonlySet<string> = new Set(
  'nº n° no nr n num núm número numero nummer number č čp д дом буд будинок № # رقم مبنى بناية عمارة नं नंबर भवन km number: số lok'.split(
    ' ',
  ),
)
