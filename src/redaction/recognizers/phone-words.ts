import { wordList } from '../engine/word-list.ts'

/** Words that show that a phone number follows or precedes. */
export const PHONE_WORDS: readonly string[] = wordList(
  // English
  'phone*, telephone*, tel, mobile*, cell, cellphone*, call, calling, call me, ring me, text me',
  'text, sms, whatsapp, fax, hotline, landline, reach me, reach him, reach her, reach us, dial',
  'contact number*, my number, his number, her number, voicemail, signal, telegram, viber',
  'ring, ph',
  // German, Dutch, Scandinavian
  'telefon*, handy*, mobil*, rufnummer*, anruf*, ruf mich, rufen sie, erreichbar, festnetz*, durchwahl',
  'meine nummer, telefoon*, mobiel*, bel me, bel mij, bellen, gsm, mijn nummer, bereikbaar, 06-nummer',
  'ring mig, ring pa, mobilnummer, mitt nummer, mit nummer, na mig pa, tlf, tfn, puhelin*, soita',
  'numeroni',
  // French, Spanish, Portuguese, Italian
  'portable, numero de tel*, mon numero, appelez*, appelle*, joindre, joignable, telecopie, rappel*',
  'telefono*, movil*, cel, celular*, llama*, mi numero, marca al, llamar, contacto, telefone*, telemovel*',
  'ligue, ligar, liga para, me liga, meu numero, contato, zap, whats, cellulare*, chiama*, mio numero',
  'recapito, numero di tel*, fisso, fone, fixo, contactar, wapp',
  // Polish, Czech, Hungarian, Romanian, Turkish
  'komork*, zadzwon*, dzwonic, moj numer, numer kontaktowy, kom, zavolej*, volejte, moje cislo, hivj*',
  'telefonszam*, suna*, numarul, cep, cep tel*, ara, arayin, arayabilir*, numaram, ulas*, gsm no',
  // Russian, Ukrainian, Greek, Hebrew
  'тел, моб, телефон*, мобильн*, сотов*, звони*, позвони*, мой номер, вотсап*, ватсап*, подзвон*',
  'мобільн*, дзвон*, зателефон*, факс, τηλ, τηλεφων*, κινητο, טלפון, נייד, התקשרו',
  // Arabic, Persian, Hindi and neighbours
  'هاتف*, الهاتف, هاتفي, جوال*, الجوال, جوالي, موبايل*, تليفون*, اتصل*, اتصلوا, رقمي, واتساب',
  'رقم الهاتف',
  'برقم, على الرقم, تلفن*, موبایل, फोन*, फ़ोन*, मोबाइल*, मेरा नंबर, मेरा नम्बर, कॉल, संपर्क, व्हाट्सएप, ফোন, মোবাইল',
  'தொலைபேசி',
  // Chinese, Japanese, Korean
  '电话, 電話, 手机, 手機, 致电, 联系方式, 拨打, 联系, 聯絡, 传真, 座机, 热线, 打给我, 微信, 短信',
  '携帯, ケータイ, スマホ, ファックス, 連絡先, 내선, 전화*, 휴대폰, 핸드폰, 연락처, 휴대전화, 번호는, 연락, 팩스',
  // Thai, Vietnamese, Indonesian, Malay, Tagalog
  'โทร, เบอร์, มือถือ, โทรศัพท์, ติดต่อ, dien thoai, so dien thoai, sdt, goi, di dong, lien he, hotline',
  'zalo',
  'telepon*, telp, hp, no hp, nomor hp, hubungi, ponsel, wa, nomor saya, telefon bimbit, tawag*',
  'numero ko',
  // Words for "call" and "reachable" in more languages
  'dzwon, ringe, ring til, ring meg, mob, mobilen, handynummer, tel-nr, telnr, обадете, обади, обаждайте, телефонен, мобилен, καλεστε, καλεσε, παρε με, τηλεφωνο, התקשר, התקשרי, תתקשר, תתקשרו',
  'תתקשרי, טל, تماس, زنگ بزن, کال کریں, فون, فون نمبر, nazovite*, nazovi*, pozovite*, pozovi*, zovite, broj telefona, mobitel*, poklicite*, poklici*, zavolajte*, mobil, skambinkite*, skambinti',
  'skambink*, telefono numeris, tel. nr, zvaniet*, zvani*, piezvani*, talrunis*, talruni, helista*, helistage*, nipigie*, piga simu, simu, nambari ya simu, அழைக்கவும், அலைபேசி, கைபேசி, কল করুন, কল, ফোন নম্বর, கைபேசி எண், కాల్ చేయండి, ఫోన్',
  'ਫੋਨ, ફોન, फोन नं, కాల్, ఫోన్ నంబర్, phone number, reach me at, reachable*, get hold of me, text back, callback*, call back, whats app, imessage, facetime, duoc goi, lien lac, goi lai, hubungi*, panggil, call saya, joignez*',
  'contactez*, contactez-moi, contactame, contactarme, comunicarse, escribeme, marcame, marcar al, timbrame, chiamare, chiamatemi, scrivimi, telefonare, telefona, telefonieren, anrufen, ruft, meldet, melden sie, melde dich, anklingeln',
  'opbellen, belt, bel, belnummer, ringer, ringa, nas pa, fås på, kontakt, kontaktnummer*, zadzwoń, przedzwon*, oddzwon*, volat, zavolat, ozvete, hivhat, hívhat, elerheto*, apelati*, apelează, contactati*, suna, arayin, arar*, ulasin, qəng*',
  'soittak*, soittaa, soittele*, truqueu*, truca*, telefoneu*, contacteu*, numarasin*, numaradan*, numarama*, dianhua, shouji, chamame*, deitu*, hringdu, hringid*, ffoniwch, ffonia, telefononi*',
  '拨, 致電, 電聯, 回电, 回電, 加微信, お電話, 電話番号, tel番号, 전화번호, 폰번호, 통화, 문자, เบอร์โทร, โทรกลับ, ติดต่อกลับ',
)
