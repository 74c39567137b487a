import type { Random } from '../random.ts'

interface Forms {
  /** Whole addresses: `%` is a house number, `#` a digit, `§` a street, `¤` a city with its postcode. */
  whole: string[]
  streets: string[]
  cities: string[]
  box?: string[]
  postcode?: string[]
}

const forms = (
  whole: string,
  streets: string,
  cities: string,
  rest: { box?: string; postcode?: string } = {},
): Forms => ({
  whole: whole.split('|'),
  streets: streets.split('|'),
  cities: cities.split('|'),
  ...(rest.box ? { box: rest.box.split('|') } : {}),
  ...(rest.postcode ? { postcode: rest.postcode.split('|') } : {}),
})

/** Real cities and ordinary street names, with the parts in the order of each language's addresses. */
const ADDRESSES: Record<string, Forms> = {
  en: forms(
    '% §, ¤|% §, Apt 4B, ¤|Flat 3, % §, ¤|% §|% § ¤',
    'Maple Street|Church Lane|Oak Avenue|Victoria Road|Park Drive|Mill Close|Sunset Boulevard|Queen’s Court|Elm St.|5th Ave|Ocean Blvd|N Washington St',
    'Springfield, IL 627##|Portland, OR 972##|Leeds LS6 3AB|Bristol BS8 1TH|Austin, TX 787##|Toronto, ON M5V 2T6|Melbourne VIC 30##|Denver, CO 802##',
    {
      box: 'PO Box 1###, ¤|P.O. Box ###, ¤',
      postcode: '941##|100##|60614|SW1A 2AA|M1 4BT|LS6 3AB|M5V 2T6|94103-####',
    },
  ),
  de: forms(
    '§ %, ¤|§ %a, ¤|§ %|§ % in ¤',
    'Lindenstraße|Hauptstraße|Am Bahnhof|Goetheweg|Berliner Allee|Kirchgasse|Rosenstr.|Schillerplatz|Karl-Marx-Allee|Unter den Linden|An der Mühle',
    '10969 Berlin|80331 München|5066# Köln|2009# Hamburg|1070 Wien|8004 Zürich',
    { box: 'Postfach 10 ## ##, ¤', postcode: '101##|803##|506##|70173' },
  ),
  fr: forms(
    '% §, ¤|% bis §, ¤|%, § ¤|% §',
    'rue de la République|avenue Victor Hugo|boulevard Voltaire|rue des Lilas|place du Marché|impasse des Acacias',
    '6900# Lyon|7501# Paris|1300# Marseille|33000 Bordeaux|1000 Bruxelles',
    { box: 'BP ###, ¤', postcode: '7501#|6900#|33000|44000' },
  ),
  es: forms(
    '§ %, ¤|§, nº %, 3º B, ¤|§ %, ¤|§ %',
    'Calle Mayor|Avenida de la Constitución|Calle de Alcalá|Plaza España|Paseo de Gracia|C/ Serrano',
    '280## Madrid|080## Barcelona|41001 Sevilla|46002 Valencia|06700 Ciudad de México',
    { box: 'Apartado de correos ###, ¤', postcode: '280##|080##|41001|46002' },
  ),
  it: forms(
    '§ %, ¤|§, %, ¤|§ %',
    'Via Roma|Corso Garibaldi|Piazza Dante|Viale Europa|Via Giuseppe Verdi|Largo Augusto',
    '0018# Roma|2012# Milano|80100 Napoli|10121 Torino|50122 Firenze',
    { box: 'Casella Postale ###, ¤', postcode: '0018#|2012#|40121|50122' },
  ),
  pt: forms(
    '§, %, ¤|§, n.º %, 2.º Esq., ¤|§, %, apto 45, ¤',
    'Rua Augusta|Avenida Paulista|Rua das Flores|Travessa do Carmo|Praça da Liberdade|Av. Brasil',
    '1200-109 Lisboa|4050-253 Porto|São Paulo - SP, 01310-1##|Rio de Janeiro - RJ, 22041-0##|Curitiba - PR, 80010-0##',
    { box: 'Caixa Postal ###, ¤', postcode: '01310-1##|22041-0##|1200-109|4050-253' },
  ),
  nl: forms(
    '§ %, ¤|§ %-2, ¤|§ %',
    'Keizersgracht|Dorpsstraat|Kerklaan|Stationsweg|Oranjeplein|Molenstraat',
    '1015 CJ Amsterdam|3511 AB Utrecht|3011 GZ Rotterdam|2511 CV Den Haag',
    { box: 'Postbus ###, 1000 AA Amsterdam', postcode: '1015 CJ|3511 AB|9712 HN|5611 EM' },
  ),
  pl: forms(
    'ul. § %, ¤|ul. § %/4, ¤|al. § %, ¤|ul. § %',
    'Długa|Mickiewicza|Kościuszki|Lipowa|Polna|Słowackiego',
    '00-2## Warszawa|31-0## Kraków|50-0## Wrocław|80-8## Gdańsk',
    { box: 'skrytka pocztowa ##, ¤', postcode: '00-2##|31-0##|50-0##|60-101' },
  ),
  sv: forms(
    '§ %, ¤|§ % B, ¤|§ %',
    'Storgatan|Drottninggatan|Kungsvägen|Björkvägen|Skolgränd|Hamngatan',
    '114 55 Stockholm|411 03 Göteborg|211 20 Malmö|753 20 Uppsala',
    { box: 'Box ###, 101 23 Stockholm', postcode: '114 55|411 03|211 20|753 20' },
  ),
  tr: forms(
    '§ No: %, ¤|§ No:% Daire 5, ¤',
    'Atatürk Caddesi|Cumhuriyet Bulvarı|Gül Sokak|İnönü Cad.|Lale Sk.|Bahar Mahallesi Çınar Sokak',
    '3472# Kadıköy/İstanbul|0668# Çankaya/Ankara|3522# Konak/İzmir',
    { box: 'PK ###, ¤', postcode: '3472#|0668#|3522#' },
  ),
  ru: forms(
    '¤, §, д. %, кв. ##|§, д. %, ¤|г. ¤, §, %',
    'ул. Ленина|проспект Мира|ул. Гагарина|Садовая улица|пер. Лесной|Невский пр-т',
    'Москва, 1250##|Санкт-Петербург, 1911##|Екатеринбург, 6200##|Казань, 4200##',
    { box: 'а/я ###, ¤', postcode: '1250##|1911##|6200##|4200##' },
  ),
  uk: forms(
    '§, %, ¤|§, буд. %, кв. ##, ¤',
    'вул. Хрещатик|вул. Шевченка|просп. Перемоги|вул. Франка|пров. Садовий',
    '010## Київ|79000 Львів|65000 Одеса|61000 Харків',
    { box: 'а/с ###, ¤', postcode: '010##|79000|65000|61000' },
  ),
  cs: forms(
    '§ %, ¤|§ %/12, ¤',
    'Dlouhá ulice|Masarykova třída|Nádražní ulice|Husova ulice|náměstí Míru',
    '110 00 Praha 1|602 00 Brno|702 00 Ostrava|301 00 Plzeň',
    { box: 'P.O. Box ##, ¤', postcode: '110 00|602 00|702 00|301 00' },
  ),
  zh: forms(
    '¤§%号|¤§%号2号楼30#室|¤§%弄8号',
    '建国路|中山北路|人民大道|解放街|长安街|学院路',
    '北京市朝阳区|上海市黄浦区|广东省深圳市南山区|浙江省杭州市西湖区|四川省成都市武侯区',
    { box: '¤邮政信箱##号', postcode: '1000##|2000##|5180##|310000' },
  ),
  ja: forms(
    '¤§2-%-3|¤§%番地|¤§1丁目%番4号',
    '渋谷|本町|中央|桜木町|青葉台',
    '〒150-0002 東京都渋谷区|〒530-0001 大阪府大阪市北区|〒460-0008 愛知県名古屋市中区|神奈川県横浜市西区|福岡県福岡市博多区',
    { postcode: '150-0002|530-0001|460-0008|〒810-0001' },
  ),
  ko: forms(
    '¤ § %|¤ § %, 101동 120#호|¤ § %번길 12',
    '테헤란로|세종대로|중앙로|해운대로|강남대로',
    '서울특별시 강남구|부산광역시 해운대구|경기도 성남시 분당구|서울시 종로구|대전광역시 서구',
    { postcode: '062##|481##|135##|041##' },
  ),
  ar: forms(
    '§ %، ¤|% §، ¤|§، مبنى %، شقة 4، ¤',
    'شارع الملك فهد|شارع التحرير|شارع الجامعة|طريق المطار|شارع النيل',
    'الرياض 122##|القاهرة 115##|جدة 214##|الدار البيضاء 200##',
    { box: 'ص.ب. ####، ¤|صندوق بريد ###، ¤', postcode: '122##|115##|214##' },
  ),
  hi: forms(
    'मकान नं. %, §, ¤|फ्लैट %, §, ¤|%, §, ¤',
    'गांधी मार्ग|नेहरू नगर|शास्त्री रोड|सुभाष चौक|एम.जी. रोड',
    'नई दिल्ली 1100##|मुंबई 4000##|जयपुर 3020##|लखनऊ 2260##',
    { postcode: '1100##|4000##|3020##|2260##' },
  ),
  th: forms(
    '% § ¤|บ้านเลขที่ % § ¤',
    'ถนนสุขุมวิท|ถนนพหลโยธิน|ซอยอารีย์ 4|ถนนสีลม',
    'แขวงคลองเตย เขตคลองเตย กรุงเทพฯ 10110|ตำบลสุเทพ อำเภอเมือง เชียงใหม่ 50200',
    { postcode: '10110|50200|83000' },
  ),
  vi: forms(
    '% §, ¤|số % §, ¤',
    'đường Lê Lợi|đường Nguyễn Huệ|phố Hàng Bông|đường Trần Hưng Đạo',
    'Phường Bến Nghé, Quận 1, TP. Hồ Chí Minh|Quận Hoàn Kiếm, Hà Nội|Quận Hải Châu, Đà Nẵng',
    { postcode: '700000|100000|550000' },
  ),
  id: forms(
    '§ No. %, ¤|§ No. % RT 03/RW 05, ¤',
    'Jl. Sudirman|Jalan Merdeka|Jl. Diponegoro|Jl. Gajah Mada|Gang Melati',
    'Jakarta Pusat 102##|Bandung 401##|Surabaya 602##|Yogyakarta 552##',
    { box: 'PO BOX ####, ¤', postcode: '102##|401##|602##' },
  ),
}

/** Fills `{address}` with a street address, `{address:box}` with a PO box, `{address:postcode}` with a postcode. */
export function streetAddress(random: Random, language: string, variant: string): string {
  const from = ADDRESSES[language]
  if (!from) throw new Error(`no addresses for ${language}`)
  const choices = variant === 'box' ? from.box : variant === 'postcode' ? from.postcode : from.whole
  if (!choices) throw new Error(`no ${variant} for ${language}`)
  const mask = random
    .pick(choices)
    .replace('§', random.pick(from.streets))
    .replace('¤', random.pick(from.cities))
    .replace('%', String(1 + random.below(180)))
  return mask.replaceAll('#', () => random.digits(1))
}
