import { wordList } from '../engine/word-list.ts'

/** Words that show that the date after them is a date of birth. */
export const BIRTH_WORDS: readonly string[] = wordList(
  'born, born on, date of birth, birth date, birthdate, dob, d.o.b, birthday is, birthday:, birthday',
  'bday',
  'geboren*, geb, geburtsdatum, geburtstag, geburtstag ist, ne le, nee le, ne, nee, date de naissance',
  'anniversaire, naissance',
  'naci*, nacid*, fecha de nacimiento, f. nac, cumpleanos, nasc*, nascid*, data de nascimento',
  'aniversario, nato il, nata il, nato, nata, data di nascita',
  'nascita, compleanno, geboortedatum, verjaardag, urodz*, data urodzenia, ur, narozen*, narodil*, datum narozeni',
  'fodd*, fodelsedatum, fodelsedag, fodt*, fodselsdato*',
  'syntynyt, syntymaaika*, szulet*, nascut*, data nasterii, dogum*, dogdum, rozhdeni*, дата рождения',
  'родил*, день рождения, рождения, р',
  'дата народження, народ*, день народження, роден*, γεννηθηκα, ημερομηνια γεννησης, נולדתי, תאריך לידה',
  'ولدت, تاريخ الميلاد, ميلادي, مواليد, تاريخ ميلادي, المولود',
  'जन्म*, जन्मतिथि, जन्म तिथि, जन्मदिन, জন্ম, 出生, 出生日期, 生日, 生于, 生於, 生年月日, 誕生日, 生まれは, 생년월일, 생일, 태어난, 출생',
  'วันเกิด, เกิดวันที่, เกิดเมื่อ, เกิด, ngay sinh, sinh ngay, sinh nhat, sinh, tanggal lahir, lahir',
  'gebore, рођен*, تاریخ تولد, متولد, জন্মতারিখ, জন্ম তারিখ, பிறந்த தேதி, fanau, tarehe ya kuzaliwa, туған күн*',
  'tgl lahir, ulang tahun, tarikh lahir, kapanganakan, ipinanganak',
  'დაბადების თარიღი, დაბადებული, დავიბადე, ծննդյան ամսաթիվ, ծնվել, туған күні, dogum tarixi, doğulub, tugilgan sana, تاریخ پیدائش, የትውልድ ቀን, ວັນເດືອນປີເກີດ, မွေးနေ့, ថ្ងៃខែឆ្នាំកំណើត, జన్మ తేదీ, జన్మతేదీ, ਜਨਮ ਮਿਤੀ, જન્મ તારીખ, ജനനത്തീയതി',
  'sunniaeg, sundinud, dzimsanas datums, dzimis, dzimusi, gimimo data, gimes, gimusi, datum narodenia, narodeny, narodena, datum rojstva, rojen, rojena, datum rodenja, roden, rodena, датум рођења, датум на раѓање, datelindja, data de naixement, vaig neixer, data de nacemento, jaiotze-data',
  'faedingardagur, faeddur, faedd, dyddiad geni, data breithe, data tat-twelid, usuku lokuzalwa, umhla wokuzalwa, ojo ibi, ranar haihuwa, ubochi omumu, taariikhda dhalashada, petsa ng kapanganakan',
)

/** Words that show that the date before them is a date of birth. */
export const BORN_BEHIND_WORDS: readonly string[] = wordList(
  'geboren*, born, is my birthday, is my date of birth, is my dob, doğumlu*, dogumlu*, dogdum',
  'tarihinde dog*, года рождения, г.р, г. р, р.н, року народження',
  '生まれ, 出生, 生, 생, 생입니다, 출생, 에 태어, को जन्म, को पैदा, को हुआ, में जन्म, syntynyt, szulett*',
  'est ma date de naissance, es mi fecha de nacimiento',
)
