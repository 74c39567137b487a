/** The forms of addresses in one language, with street and city names to fill them. */
interface Places {
  /** `%` is a house number, `§` a street, `¤` a city with its postcode; a digit stands for each `#`. */
  forms: string[]
  streets: string[]
  cities: string[]
}

const places = (forms: string, streets: string, cities: string): Places => ({
  forms: forms.split('|'),
  streets: streets.split('|'),
  cities: cities.split('|'),
})

export const PLACES: Record<string, Places> = {
  en: places(
    '% §, ¤|Unit 7, % §, ¤|% § ¤|%b § ¤',
    'Larkspur Drive|Tanner Row|Old Quarry Road|Wexford Terrace|Heron Way|Birch Hollow Ct|Station Approach|Foundry Lane|Quayside|Harbour View Crescent',
    'Boise, ID 837##|Norwich NR3 1JU|Hobart TAS 70##|Dayton, OH 454##|Swansea SA1 3QP|Halifax, NS B3H 4R2|Dunedin 9016|Tulsa OK 741##',
  ),
  de: places(
    '§ %, ¤|§ %c ¤|§ %, 2. OG, ¤',
    'Ahornweg|Gerberstraße|Am Stadtgraben|Bismarckring|Fasanenstr.|Mühlenkamp|Zur Alten Schmiede|Heidelberger Landstraße|Rathausgasse|Tulpenstieg',
    '0110# Dresden|2810# Bremen|5511# Mainz|6020 Innsbruck|3011 Bern|9040# Nürnberg|2410# Kiel|9910# Erfurt',
  ),
  fr: places(
    '% §, ¤|% ter § ¤|%, §, bât. C, ¤',
    'rue des Tanneurs|chemin du Moulin|allée des Peupliers|quai de la Fosse|rue Jean Jaurès|place Bellecour|cours Mirabeau|impasse du Puits|boulevard Carnot',
    '3100# Toulouse|5900# Lille|6700# Strasbourg|4000 Liège|1204 Genève|3500# Rennes|8000# Amiens|1310# Aix-en-Provence',
  ),
  es: places(
    '§ %, ¤|§ % 2ºA, ¤|§ nro. %, ¤',
    'Calle del Olivo|Avenida Libertador|Carrera 15|Calle San Martín|Paseo de la Reforma|Ronda Norte|Camino Viejo|Plaza del Carmen|Calle Los Álamos|Calle de la Luna',
    '5000# Zaragoza|4800# Bilbao|B190# La Plata|4410# Guadalajara|0500# Medellín|2900# Málaga|1800# Granada|7500# Santiago',
  ),
  ca: places(
    '§ %, ¤|§ %, 3r 2a, ¤',
    'Carrer de Balmes|Passeig de Sant Joan|Carrer del Pi|Rambla Nova|Avinguda Diagonal|Plaça Major|Carrer Nou',
    '0800# Barcelona|1700# Girona|4300# Tarragona|2500# Lleida|0830# Mataró',
  ),
  pt: places(
    '§, %, ¤|§ %, 2º Dto, ¤|§, % - apto 41, ¤',
    'Rua das Acácias|Avenida Paulista|Travessa do Carmo|Largo do Rato|Rua XV de Novembro|Alameda Santos|Rua do Almada|Estrada da Luz|Praça da Sé',
    '4050-### Porto|3000-### Coimbra|01310-### São Paulo|80020-### Curitiba|40020-### Salvador|8000-### Faro|30130-### Belo Horizonte',
  ),
  it: places(
    '§ %, ¤|§, %/B - ¤|§ % int. 4, ¤',
    'Via dei Mille|Corso Vittorio Emanuele|Vicolo Stretto|Piazza Cavour|Via Monte Grappa|Viale Trieste|Strada Nuova|Via delle Rose|Lungarno Corsini',
    '5012# Firenze|1012# Torino|4012# Bologna|9010# Palermo|3710# Verona|3412# Trieste|7012# Bari',
  ),
  nl: places(
    '§ %, ¤|§ %-II, ¤|§ % ¤',
    'Dorpsstraat|Lange Nieuwstraat|Prins Hendrikkade|Molenweg|Burgemeester de Vlugtlaan|Kerkplein|Zonnebloemstraat|Oude Gracht',
    '35## XK Utrecht|97## AB Groningen|2000 Antwerpen|56## DT Eindhoven|90## Gent|63## LM Maastricht|20## RC Haarlem',
  ),
  af: places(
    '§ %, ¤|Posbus %, ¤|§straat %, ¤',
    'Kerk|Voortrekkerweg|Langstraat|Kloofstraat|Jan Smutslaan|Eikelaan|Hoofweg|Proteaweg',
    'Stellenbosch 76##|Bloemfontein 93##|Pretoria 00##|Paarl 76##|Kimberley 83##|Upington 88##',
  ),
  sv: places(
    '§ %, ¤|§ % lgh 1102, ¤',
    'Lillgatan|Östra Hamngatan|Smedjegatan|Tallvägen|Kyrkbacken|Vasagatan|Ringvägen|Norra Strandgatan',
    '582 ## Linköping|903 ## Umeå|702 ## Örebro|392 ## Kalmar|852 ## Sundsvall|252 ## Helsingborg',
  ),
  da: places(
    '§ %, ¤|§ %, 3. tv., ¤',
    'Nørrebrogade|Strandvejen|Søndergade|Møllevej|Vesterbrogade|Kirkestien|Gammel Kongevej|Havnepladsen',
    '8000 Aarhus C|2200 København N|5000 Odense C|9000 Aalborg|6700 Esbjerg|7100 Vejle',
  ),
  nb: places(
    '§ %, ¤|§ % B, ¤',
    'Storgata|Bjørkeveien|Kirkegata|Øvre Slottsgate|Fjellveien|Strandgaten|Torggata|Elveveien|Tollbugata|Skippergata',
    '5003 Bergen|7010 Trondheim|0182 Oslo|4006 Stavanger|9008 Tromsø|8006 Bodø',
  ),
  fi: places(
    '§ %, ¤|§ % A 12, ¤',
    'Hämeenkatu|Mannerheimintie|Koivukuja|Rantatie|Aleksanterinkatu|Satamakatu|Kirkkopolku|Mäntymäentie',
    '331## Tampere|001## Helsinki|205## Turku|901## Oulu|401## Jyväskylä|701## Kuopio',
  ),
  et: places(
    '§ %, ¤|§ %-14, ¤',
    'Pikk tänav|Narva maantee|Kase tee|Tartu mnt|Riia tänav|Lossi tn|Aia tänav|Sadama tn|Suur-Sõjamäe|Ringtee',
    '101## Tallinn|510## Tartu|800## Pärnu|202## Narva|713## Viljandi|444## Rakvere',
  ),
  lv: places(
    '§ %, ¤|§ %-8, ¤',
    'Brīvības iela|Lāčplēša iela|Ozolu iela|Daugavas prospekts|Skolas iela|Liepu aleja|Miera iela|Tērbatas iela|Jūras iela',
    'Rīga, LV-10##|Liepāja, LV-34##|Jelgava, LV-30##|Daugavpils, LV-54##|Valmiera, LV-42##|Cēsis, LV-41##',
  ),
  lt: places(
    '§ %, ¤|§ %-21, ¤',
    'Gedimino pr.|Laisvės alėja|Vilniaus g.|Liepų gatvė|Taikos pr.|Savanorių pr.|Pilies g.|Ąžuolų gatvė|Tilto gatvė',
    'LT-011## Vilnius|LT-442## Kaunas|LT-911## Klaipėda|LT-762## Šiauliai|LT-351## Panevėžys|LT-621## Alytus',
  ),
  pl: places(
    '§ %, ¤|§ %/14, ¤|§ % m. 6, ¤',
    'ul. Słoneczna|al. Niepodległości|ul. Kościuszki|os. Piastów|pl. Wolności|ul. Polna|ul. Grunwaldzka|ul. Lipowa|al. Jana Pawła II',
    '80-8## Gdańsk|61-7## Poznań|50-3## Wrocław|90-0## Łódź|20-0## Lublin|15-0## Białystok|31-1## Kraków',
  ),
  cs: places(
    '§ %, ¤|§ %/7, ¤',
    'Palackého|ulice Na Příkopě|Jiráskova|Květná ulice|Slovanská třída|Komenského náměstí|Zahradní|Pod Lipami|Vinohradská',
    '370 01 České Budějovice|779 00 Olomouc|460 01 Liberec|120 00 Praha 2|530 02 Pardubice|500 02 Hradec Králové',
  ),
  sk: places(
    '§ %, ¤|§ %/3, ¤',
    'Štúrova ulica|Hlavná|Obchodná ulica|Námestie slobody|Lesná cesta|Hviezdoslavova|Školská ulica|Pri Mlyne',
    '811 0# Bratislava|040 01 Košice|010 01 Žilina|974 01 Banská Bystrica|949 01 Nitra|917 01 Trnava',
  ),
  hr: places(
    '§ %, ¤|§ %/II, ¤',
    'Ilica|Vukovarska ulica|Ulica kralja Tomislava|Savska cesta|Trg bana Jelačića|Zagrebačka|Riva|Put Firula',
    '10000 Zagreb|21000 Split|51000 Rijeka|31000 Osijek|23000 Zadar|52100 Pula',
  ),
  sl: places(
    '§ %, ¤|§ % a, ¤',
    'Slovenska cesta|Prešernova ulica|Trubarjeva cesta|Glavni trg|Ulica Ivana Cankarja|Pot na Fužine|Cesta v Rožno dolino|Tržaška cesta',
    '1000 Ljubljana|2000 Maribor|3000 Celje|4000 Kranj|6000 Koper|8000 Novo mesto',
  ),
  sr: places(
    '§ %, ¤|§ бр. %, стан 9, ¤',
    'Кнез Михаилова|Булевар краља Александра|Улица Николе Пашића|Немањина|Трг слободе|Карађорђева|Змај Јовина|Војводе Степе',
    '11000 Београд|21000 Нови Сад|18000 Ниш|34000 Крагујевац|24000 Суботица|36000 Краљево',
  ),
  bg: places(
    '§ %, ¤|§ № %, вх. Б, ап. 12, ¤',
    'ул. Граф Игнатиев|бул. Витоша|ул. Цар Симеон|бул. Христо Ботев|ул. Раковски|ул. Шипка|бул. България|ж.к. Младост',
    '1000 София|4000 Пловдив|9000 Варна|8000 Бургас|7000 Русе|5800 Плевен',
  ),
  ru: places(
    '§, д. %, ¤|¤, § %, кв. 1#|§ % корп. 2, ¤',
    'ул. Садовая|пр. Победы|Лесной переулок|ул. Пушкина|Московское шоссе|наб. Фонтанки|ул. Чехова|бульвар Строителей|Кольцевая улица',
    'Новосибирск 6300##|Самара 4430##|Воронеж, 3940##|Пермь 6140##|Тула, 3000##|Омск, 6440##|Краснодар, 3500##',
  ),
  uk: places(
    '§, %, ¤|§, буд. % кв. 7, ¤',
    'вул. Січових Стрільців|просп. Науки|вул. Городоцька|вул. Лесі Українки|бульвар Лепсе|площа Ринок|вул. Соборна|вул. Зелена|вул. Мазепи',
    'Вінниця 210##|Чернівці, 580##|Полтава 360##|Дніпро, 490##|Тернопіль, 460##|Луцьк, 430##',
  ),
  kk: places(
    '§ %, ¤|¤, § %, 15-пәтер',
    'Абай даңғылы|Сәтбаев көшесі|Достық даңғылы|Төле би көшесі|Бауыржан Момышұлы көшесі|Жібек жолы|Қабанбай батыр даңғылы|Гоголь көшесі|Мәңгілік Ел даңғылы',
    'Алматы 0500##|Астана 0100##|Шымкент 1600##|Қарағанды 1000##|Ақтөбе 0300##|Павлодар 1400##|Семей 0714##',
  ),
  ro: places(
    '§ nr. %, ¤|§ %, bl. B4, sc. 2, ap. 17, ¤',
    'Strada Lalelelor|Bulevardul Unirii|Calea Victoriei|Str. Mihai Eminescu|Șoseaua Olteniței|Aleea Trandafirilor|Str. Horea|Bd. Eroilor|Calea Moților|Bulevardul Carol I',
    '4000## Cluj-Napoca|0300## București|7000## Iași|3000## Timișoara|9000## Constanța|5000## Brașov',
  ),
  hu: places(
    '¤, § %.|¤ § %. 3/12',
    'Petőfi utca|Rákóczi út|Kossuth Lajos tér|Bartók Béla út|Arany János utca|Váci körút|Ady Endre sétány|Szőlő utca',
    '4024 Debrecen|6720 Szeged|7621 Pécs|1051 Budapest|9021 Győr|3525 Miskolc',
  ),
  el: places(
    '§ %, ¤|§ %, 2ος όροφος, ¤',
    'Οδός Ερμού|Λεωφόρος Κηφισίας|Τσιμισκή|Πατησίων|Οδός Αιόλου|Λεωφόρος Νίκης|Σόλωνος|Πλατεία Ομονοίας',
    '105 ## Αθήνα|546 ## Θεσσαλονίκη|262 ## Πάτρα|712 ## Ηράκλειο|382 ## Βόλος|453 ## Ιωάννινα',
  ),
  tr: places(
    '§ No: %, ¤|§ No:% D:3, ¤',
    'İstiklal Caddesi|Menekşe Sokak|Fatih Sultan Mehmet Blv.|Çınarlı Mah. 1203 Sok.|Bağdat Cad.|Kıbrıs Şehitleri Caddesi|Yonca Sk.|Gazi Bulvarı',
    '0700# Muratpaşa/Antalya|1600# Osmangazi/Bursa|3500# Bornova/İzmir|4200# Selçuklu/Konya|6100# Ortahisar/Trabzon|2600# Eskişehir',
  ),
  az: places(
    '§ %, ¤|§ %, mənzil 12, ¤',
    'Nizami küçəsi|Azadlıq prospekti|Füzuli küçəsi|Səməd Vurğun küçəsi|Heydər Əliyev prospekti|Bülbül prospekti|Xətai küçəsi',
    'Bakı AZ10##|Gəncə AZ20##|Sumqayıt AZ50##|Şəki AZ55##|Lənkəran AZ42##',
  ),
  ar: places(
    '§ رقم %، ¤|% §، ¤|§، عمارة %، ¤',
    'شارع الحمراء|شارع الملك عبدالله|شارع الزيتون|طريق الكورنيش|شارع فلسطين|شارع بورسعيد|شارع الأمير سلطان|شارع محمد الخامس',
    'بيروت|عمان 111##|الدمام 314##|الإسكندرية 215##|الرباط 100##|تونس 100#|المنامة',
  ),
  fa: places(
    '¤، §، پلاک %|§، کوچه ۳، پلاک %، ¤',
    'خیابان ولیعصر|خیابان شریعتی|بلوار کشاورز|خیابان حافظ|خیابان سعدی|میدان ونک|خیابان امام خمینی|بلوار چمران|خیابان بهار',
    'تهران|اصفهان|شیراز|تبریز|مشهد|کرج|اهواز',
  ),
  he: places(
    '§ %, ¤|§ % דירה 5, ¤',
    'רחוב הרצל|שדרות רוטשילד|רחוב ז׳בוטינסקי|רחוב ביאליק|דרך השלום|רחוב אחד העם|רחוב בן יהודה|שדרות ירושלים',
    'תל אביב 61###|חיפה 31###|ירושלים 91###|באר שבע 84###|נתניה|רמת גן 52###',
  ),
  hi: places(
    'मकान नंबर %, §, ¤|%/2, §, ¤|फ्लैट नं. %, §, ¤',
    'राजेंद्र नगर|स्टेशन रोड|लाजपत मार्ग|सिविल लाइन्स|गली नंबर 4|अशोक विहार|पटेल चौक|तिलक रोड|शिवाजी चौक',
    'भोपाल 4620##|पटना 8000##|इंदौर 4520##|कानपुर 2080##|वाराणसी 2210##|देहरादून 2480##',
  ),
  bn: places(
    'বাড়ি %, §, ¤|% §, ¤',
    'মিরপুর রোড|কলেজ স্ট্রিট|গুলশান এভিনিউ|রাসবিহারী অ্যাভিনিউ|শহীদ সরণি|স্টেশন রোড|নেতাজি সুভাষ রোড',
    'ঢাকা ১২০৫|কলকাতা ৭০০০২৯|চট্টগ্রাম ৪০০০|সিলেট ৩১০০|খুলনা ৯১০০|রাজশাহী ৬০০০',
  ),
  ta: places(
    'எண் %, §, ¤|%, §, ¤',
    'அண்ணா சாலை|காந்தி தெரு|பாரதியார் வீதி|கடற்கரை சாலை|வடக்கு மாட வீதி|நேரு தெரு|திருவள்ளுவர் சாலை',
    'சென்னை 6000##|மதுரை 6250##|கோயம்புத்தூர் 6410##|திருச்சி 6200##|சேலம் 6360##',
  ),
  ur: places(
    'مکان نمبر %، §، ¤|فلیٹ %، §، ¤',
    'گلی نمبر ۵|مال روڈ|شاہراہ فیصل|جناح ایونیو|گلشن اقبال|صدر روڈ|کینال روڈ|ماڈل ٹاؤن',
    'لاہور|کراچی|اسلام آباد|پشاور|فیصل آباد|ملتان',
  ),
  zh: places(
    '¤§%号|¤§%号5栋60#室|¤§%弄3号',
    '和平路|文化东街|滨江大道|新华路|南京西路|科技园路|青年大街|迎宾路',
    '湖北省武汉市江汉区|陕西省西安市雁塔区|天津市南开区|福建省厦门市思明区|重庆市渝中区|山东省青岛市市南区|台北市大安區',
  ),
  ja: places(
    '¤§3-%-5|¤§%番地2|¤§2丁目%-1 コーポ桜20#',
    '緑ヶ丘|大手町|旭町|栄|千代田|泉|若葉台|元町',
    '〒060-0042 北海道札幌市中央区|〒980-0811 宮城県仙台市青葉区|京都府京都市左京区|広島県広島市中区|〒650-0021 兵庫県神戸市中央区|千葉県千葉市美浜区',
  ),
  ko: places(
    '¤ § %|¤ § %, 203동 150#호|¤ § % 2층',
    '가로수길|동성로|첨단로|월드컵로|충장로|한밭대로|경인로|무지개길',
    '인천광역시 남동구|광주광역시 동구|대구광역시 중구|경기도 수원시 팔달구|제주특별자치도 제주시|울산광역시 남구|서울 마포구',
  ),
  vi: places(
    'số % §, ¤|% §, phường 5, ¤|%/12 §, ¤',
    'đường Hai Bà Trưng|phố Cầu Giấy|đường Phan Chu Trinh|đường Điện Biên Phủ|phố Bạch Mai|đường Nguyễn Trãi|đường Võ Thị Sáu',
    'Cần Thơ|TP. Huế|Quận 3, TP.HCM|Quận Đống Đa, Hà Nội|TP. Nha Trang|Biên Hòa, Đồng Nai',
  ),
  th: places(
    '% § ¤|บ้านเลขที่ % หมู่ 4 § ¤|%/7 § ¤',
    'ถนนราชดำเนิน|ถนนมิตรภาพ|ซอยลาดพร้าว 71|ถนนนิมมานเหมินท์|ถนนเพชรเกษม|ซอยทองหล่อ 10|ถนนศรีจันทร์',
    'แขวงวังทองหลาง กรุงเทพฯ 10310|อำเภอเมือง ขอนแก่น 40000|อำเภอหาดใหญ่ สงขลา 90110|เชียงราย 57000|อำเภอเมือง นครราชสีมา 30000',
  ),
  id: places(
    '§ No. %, ¤|§ no % rt 04 rw 02, ¤|§ %, ¤',
    'Jl. Kenanga|Jalan Ahmad Yani|Gang Mawar|Jl. Pahlawan|Jl. Imam Bonjol|Perumahan Griya Asri Blok C|Jalan Cempaka|Jl. Veteran',
    'Semarang 502##|Medan 201##|Makassar 901##|Denpasar 802##|Palembang 301##|Malang 651##',
  ),
  ms: places(
    'No. %, §, ¤|%A, §, ¤',
    'Jalan Ampang|Lorong Bunga Raya|Persiaran Gurney|Jalan Tun Razak|Taman Desa Jaya|Jalan Dato Onn|Lebuh Chulia',
    '504## Kuala Lumpur|102## George Town|801## Johor Bahru|884## Kota Kinabalu|752## Melaka|304## Ipoh',
  ),
  tl: places(
    '% §, ¤|Blk 4 Lot %, §, ¤',
    'Mabini St.|Rizal Avenue|Sampaguita Street|Bonifacio Ext.|Kalayaan Ave|Purok 3 Maligaya|Aguinaldo Highway',
    'Brgy. San Roque, Cebu City 6000|Quezon City 11##|Davao City 8000|Makati 12##|Iloilo City 5000|Bacoor, Cavite 4102',
  ),
  sw: places(
    '§ %, ¤|Nyumba namba %, §, ¤|S.L.P %, ¤',
    'Barabara ya Uhuru|Mtaa wa Kariakoo|Samora Avenue|Barabara ya Bagamoyo|Mtaa wa Lumumba|Moi Avenue|Kenyatta Road',
    'Dar es Salaam|Mombasa 80100|Nakuru 20100|Arusha|Dodoma|Kisumu 40100',
  ),
  am: places(
    '§፣ የቤት ቁጥር %፣ ¤|¤፣ §፣ ቁጥር %',
    'ቦሌ መንገድ|ቸርችል ጎዳና|ፒያሳ መንገድ|ሜክሲኮ አደባባይ|ካዛንቺስ ቀበሌ 15|መገናኛ መንገድ',
    'አዲስ አበባ|ባህር ዳር|ሀዋሳ|መቀሌ|ድሬዳዋ|ጎንደር',
  ),
  yo: places(
    '% §, ¤|No % §, ¤|Plot %, §, ¤',
    'Allen Avenue|Awolowo Road|Adeola Odeku Street|Ring Road|Bode Thomas St|Oba Akran Ave|Aminu Kano Crescent',
    'Ikeja, Lagos|Ibadan, Oyo State|Wuse 2, Abuja|Port Harcourt|Abeokuta|Osu, Accra|Enugu',
  ),
  zu: places(
    '% §, ¤|% §, Section C, ¤',
    'Vilakazi Street|Umgeni Road|Florida Road|Louis Botha Ave|Sandile Drive|Moroka Nancefield Rd|Nelson Mandela Drive',
    'Durban 4001|Soweto 1804|Umlazi 4066|Pietermaritzburg 3201|Polokwane 0700|Mthatha 5099',
  ),
  sm: places(
    '% §, ¤|P O Box %, ¤',
    'Beach Road|Vaitele Street|Karangahape Road|Taufa’ahau Road|Queen Salote Rd|Victoria Parade|Great South Road',
    'Apia|Nuku’alofa|Manukau 2104|Suva|Porirua 5022|Otara, Auckland 2023',
  ),
  ka: places(
    '§ %, ¤|¤, § N%, ბინა 8',
    'რუსთაველის გამზირი|ჭავჭავაძის ქუჩა|აღმაშენებლის გამზირი|წერეთლის ქუჩა|კოსტავას ქუჩა|პეკინის ქუჩა|მელიქიშვილის ქუჩა',
    'თბილისი 0108|ბათუმი 6010|ქუთაისი 4600|რუსთავი 3700|გორი 1400',
  ),
}
