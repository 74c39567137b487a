/** Given and family names of one script; an underscore is a space within a name. */
export interface Names {
  given: string[]
  family: string[]
}

/** The names that people of one origin bear, in Latin letters and, where they have one, in a script of their own. */
export interface Origin {
  name: string
  /** The languages whose messages mostly bear these names. */
  languages: string[]
  latin: Names
  native?: Names
  /** The family name comes first, in both scripts; a script without spaces writes no space between the names. */
  isFamilyFirst?: true
  isUnspaced?: true
}

const words = (text: string) => text.split(' ').map((word) => word.replaceAll('_', ' '))
const names = (given: string, family: string): Names => ({ given: words(given), family: words(family) })

/** Every name is written here once by its origin, so that no list of common names decides what is fair. */
export const ORIGINS: Origin[] = [
  {
    name: 'English',
    languages: words('en'),
    latin: names(
      'Gemma Russell Imogen Clifford Harriet Stuart Poppy Duncan Felicity Wesley Tamsin Rowan Beverley Garrett Philippa',
      'Hargreaves Whitfield Pemberton Ashworth Tillman Caldwell Longley Barlow Finch Thornbury Maddox Sewell Redfern Goodwin Lockhart',
    ),
  },
  {
    name: 'German',
    languages: words('de'),
    latin: names(
      'Ingrid Thorsten Waltraud Holger Annika Detlef Svenja Wolfgang Henrike Rüdiger Friederike Uwe Mareike Eberhard Liesel',
      'Brinkmann Oberhauser Kessler Wiegand Ströbele Hartung Dörfler Pohlmann Rauscher Ziegenfuß Achterberg Lindemann Kaltenbach Gruber Siebert',
    ),
  },
  {
    name: 'Dutch',
    languages: words('nl af'),
    latin: names(
      'Maartje Joost Liesbeth Sjoerd Wilhelmina Gijs Hanneke Diederik Roos Koen Marijke Wouter Annemiek Teun Ilse Bart Corrie',
      'Hoogland van_Dijk Brouwer Zwart ten_Have Kuiper Schouten van_der_Merwe Botha Steenkamp Pretorius Nagtegaal Hofstra Wiersma Boersma',
    ),
  },
  {
    name: 'French',
    languages: words('fr'),
    latin: names(
      'Margaux Étienne Solène Baptiste Clémence Rémi Apolline Gaëtan Maëlys Thibault Ségolène Corentin Aurore Loïc Bérénice',
      'Delacroix Pelletier Marchand Boulanger Charpentier Lemoine Guillot Carpentier Roussel Vasseur Tessier Besnard Le_Goff Hamelin Poirier',
    ),
  },
  {
    name: 'Spanish',
    languages: words('es ca'),
    latin: names(
      'Rocío Gonzalo Itziar Joaquín Montserrat Álvaro Encarnación Rubén Noelia Fermín Jimena Leandro Araceli Facundo Mireia',
      'Zambrano Echeverría Montoya Quiroga Villalobos Puig Carrasco Figueroa Lozano Bustamante Cárdenas Olivares Peñaloza Saavedra Ferrer',
    ),
  },
  {
    name: 'Portuguese',
    languages: words('pt'),
    latin: names(
      'Leonor Duarte Thaís Otávio Benedita Vasco Jacira Caetano Filipa Anderson Graça Wellington Iolanda Tomé Raquel',
      'Figueiredo Magalhães Siqueira Bittencourt Vasconcelos Pacheco Moura Brandão Queirós Lacerda Azevedo Fagundes Seixas Peixoto Camargo',
    ),
  },
  {
    name: 'Italian',
    languages: words('it'),
    latin: names(
      'Ornella Gianluca Fabrizia Umberto Ludovica Ettore Loredana Tiziano Rosalba Cesare Beatrice Nunzio Mirella Edoardo Donatella',
      'Santangelo Pellegrini Caruso Battaglia Guerrini Tosetti Fumagalli Cattaneo Zanetti Bellini Palmieri Scognamiglio Mancuso Ruggeri Bianco Valentini Bonetti',
    ),
  },
  {
    name: 'Nordic',
    languages: words('sv da nb'),
    latin: names(
      'Ingeborg Torbjörn Solveig Rasmus Ragnhild Mads Gunvor Stellan Birgitte Håvard Sunniva Jeppe Ylva Anders Kirsten',
      'Hedlund Kjeldsen Mortensen Solberg Bakke Vestergaard Strandberg Haugen Skov Rosenqvist Thorsen Bjerregaard Nygaard Eklöf Fjeldstad',
    ),
  },
  {
    name: 'Finnish and Baltic',
    languages: words('fi et lv lt'),
    latin: names(
      'Aino Jarkko Päivi Veikko Kristjan Liis Maarja Andris Inga Žydrūnas Rasa Mantas Ilze Tuomas Evelina',
      'Korhonen Lehtinen Heikkilä Rantanen Tamm Kask Pärn Bērziņš Ozols Kalniņa Kazlauskas Petrauskienė Jankauskas Vītols Salonen Mäkelä Saar',
    ),
  },
  {
    name: 'West Slavic',
    languages: words('pl cs sk'),
    latin: names(
      'Bożena Radosław Jadwiga Zbigniew Vlasta Miroslav Dagmar Bohumil Zuzana Ľubomír Halina Przemysław Drahomíra Štefan Wiesława',
      'Gąsiorowski Pietrzak Ostrowska Jabłoński Krejčí Šťastný Havlíčková Zelenka Hruška Kováčová Baláž Chmielewska Bednář Sikora Urbańczyk',
    ),
  },
  {
    name: 'South Slavic',
    languages: words('hr sl sr bg'),
    latin: names(
      'Jelena Dragan Nevena Zoran Vesna Tihomir Milica Branko Desislava Plamen Snežana Boštjan Ivka Radoslav Tsvetelina',
      'Kovačević Horvatić Đorđević Petković Zupančič Vuković Stojanova Dimitrov Marušić Jovanović Golob Hristova Perišić Todorova Babić',
    ),
    native: names(
      'Јелена Драган Десислава Пламен Тихомир Милица Бранко Снежана Радослав Цветелина Невена Калоян',
      'Јовановић Петковић Ђорђевић Вуковић Стојановић Димитрова Христов Тодорова Перишић Илиева Бабић Караджова',
    ),
  },
  {
    name: 'East Slavic',
    languages: words('ru uk kk'),
    latin: names(
      'Lyudmila Gennady Oksana Vyacheslav Taisiya Yaroslav Zinaida Anatoly Marfa Rostislav Nadezhda Valery Inna Bohdana Arkady Stepan Varvara Yefim',
      'Zhuravlev Tikhonova Panchenko Bondarchuk Shcherbakov Lysenko Gerasimova Onishchenko Voroncov Dyachenko Yermakov Kostenko Rybakov Stepanenko Abramova',
    ),
    native: names(
      'Людмила Геннадий Таисия Вячеслав Зинаида Ярослав Надежда Анатолий Марфа Ростислав Інна Аркадий Богдана Валерий',
      'Журавлёв Тихонова Панченко Бондарчук Щербаков Лысенко Герасимова Онищенко Воронцов Дяченко Ермаков Костенко Рыбакова Степаненко Климов Власов',
    ),
  },
  {
    name: 'Romanian',
    languages: words('ro'),
    latin: names(
      'Ileana Răzvan Mihaela Costin Smaranda Dorin Luminița Ovidiu Steliana Horia Ruxandra Cătălin Viorica Doru Anca',
      'Munteanu Dobrescu Ciobanu Ursu Rădulescu Stănescu Vlădescu Moldoveanu Pârvu Iordache Lupescu Olteanu Cojocaru Nistor Ungureanu',
    ),
  },
  {
    name: 'Hungarian',
    languages: words('hu'),
    isFamilyFirst: true,
    latin: names(
      'Zsófia Gergő Piroska Zoltán Ibolya Bálint Réka Ferenc Csilla Attila Borbála Szabolcs Etelka Levente Tünde',
      'Szabó Halász Fekete Kertész Bodnár Oláh Szűcs Vörösmarty Pásztor Lakatos Balogh Csonka Juhász Somogyi Katona',
    ),
  },
  {
    name: 'Greek',
    languages: words('el'),
    latin: names(
      'Despina Vasilis Eftychia Panagiotis Stavroula Thanasis Kalliope Spyros Chrysoula Lefteris Ioanna Apostolos Aspasia Kyriakos Zoi Marios Yannis',
      'Papadakis Karagiannis Mavrou Economou Vlachos Stathopoulos Kefala Drakos Tsakiris Anagnostou Zervas Lambropoulou Christou Galanis Petridis',
    ),
    native: names(
      'Δέσποινα Βασίλης Ευτυχία Παναγιώτης Σταυρούλα Θανάσης Καλλιόπη Σπύρος Χρυσούλα Λευτέρης Ιωάννα Απόστολος',
      'Παπαδάκης Καραγιάννης Μαύρου Οικονόμου Βλάχος Σταθόπουλος Κεφάλα Δράκος Τσακίρης Αναγνώστου Ζέρβας Λαμπροπούλου',
    ),
  },
  {
    name: 'Turkish and Azeri',
    languages: words('tr az'),
    latin: names(
      'Nurgül Serkan Şebnem Tuğrul Hatice Oğuz Dilara Yiğit Feride Volkan Günel Elçin Leyla Rəşad Aysel',
      'Karahan Bozkurt Toprak Özdemir Uçar Gündoğdu Ekinci Sarıkaya Məmmədov Quliyeva Hüseynli Tekin Akbulut Yavuz Çetinkaya',
    ),
  },
  {
    name: 'Arab',
    languages: words('ar'),
    latin: names(
      'Rania Tariq Samira Bilal Huda Nasser Ghada Walid Amal Ziad Dalal Mahmoud Lubna Hisham Wafa',
      'Al-Khatib Haddad Mansour El-Sayed Qasim Bakri Al-Rashidi Benali Darwish Shahin Zaher Al-Otaibi Mahfouz Khoury Boukhari',
    ),
    native: names(
      'رانيا طارق سميرة بلال ناصر غادة وليد أمل زياد دلال محمود لبنى هشام وفاء',
      'الخطيب حداد منصور السيد قاسم البكري الرشيدي بنعلي درويش شاهين الزاهر محفوظ خوري البخاري',
    ),
  },
  {
    name: 'Persian',
    languages: words('fa'),
    latin: names(
      'Shirin Kourosh Mahnaz Behrouz Nasrin Farhad Parvaneh Siavash Golnaz Arash Laleh Bahram Mitra Hooman Roya',
      'Hosseinzadeh Moradi Tehrani Kazemi Shirazi Rostami Ebrahimi Ghorbani Farahani Sadeghi Jalali Bahrami Nouri Ahmadpour Samadi',
    ),
    native: names(
      'شیرین کوروش مهناز بهروز نسرین فرهاد پروانه سیاوش گلناز آرش لاله بهرام بابک مهدی',
      'حسین‌زاده مرادی تهرانی کاظمی شیرازی رستمی ابراهیمی قربانی فراهانی صادقی جلالی نوری',
    ),
  },
  {
    name: 'Hebrew',
    languages: words('he'),
    latin: names(
      'Yael Avi Noa Shlomo Tamar Eitan Rivka Gilad Osnat Yoav Hadar Menachem Shira Amnon Liora',
      'Ben-David Peretz Mizrahi Shapira Biton Azoulay Gabay Rosenfeld Almog Katzir Dayan Barzilai Harel Ohana Yardeni',
    ),
    native: names(
      'יעל אבי נועה שלמה תמר איתן רבקה גלעד אוסנת יואב הדר מנחם',
      'פרץ מזרחי שפירא ביטון אזולאי גבאי רוזנפלד אלמוג קציר דיין ברזילי אוחנה',
    ),
  },
  {
    name: 'North Indian',
    languages: words('hi'),
    latin: names(
      'Deepika Suresh Meenakshi Gaurav Shalini Harish Rukmini Ashutosh Pallavi Devendra Sarita Vivek Kiran Manoj Nandini Hemant Rakesh',
      'Chaturvedi Rastogi Bhardwaj Saxena Malhotra Thakur Dubey Kapoor Srivastava Solanki Bhatt Ahluwalia Pandey Goswami Rathore',
    ),
    native: names(
      'दीपिका सुरेश मीनाक्षी गौरव शालिनी हरीश रुक्मिणी आशुतोष पल्लवी देवेंद्र सरिता विवेक',
      'चतुर्वेदी रस्तोगी भारद्वाज सक्सेना मल्होत्रा ठाकुर दुबे कपूर श्रीवास्तव सोलंकी भट्ट पांडेय',
    ),
  },
  {
    name: 'Bengali',
    languages: words('bn'),
    latin: names(
      'Sharmila Anirban Moushumi Tanvir Nasima Subrata Rehana Debashis Farzana Partha Sultana Biplab Jhuma Kamrul Ruma',
      'Chatterjee Mukherjee Sarkar Bhattacharya Chowdhury Talukdar Biswas Majumder Haldar Sikder Mondal Dasgupta Karim Ganguly Mollah',
    ),
    native: names(
      'শর্মিলা অনির্বাণ মৌসুমী তানভীর নাসিমা সুব্রত রেহানা দেবাশিস ফারজানা পার্থ সুলতানা বিপ্লব',
      'চ্যাটার্জি মুখার্জি সরকার ভট্টাচার্য চৌধুরী তালুকদার বিশ্বাস মজুমদার হালদার সিকদার মণ্ডল দাশগুপ্ত',
    ),
  },
  {
    name: 'Tamil',
    languages: words('ta'),
    latin: names(
      'Kavitha Murugan Selvi Senthil Malathi Arumugam Vasanthi Karthik Thenmozhi Balaji Revathi Saravanan Kamala Dinesh Yamuna',
      'Subramanian Krishnamurthy Rajendran Palaniappan Venkatesan Natarajan Sundaram Chidambaram Annamalai Thangaraj Govindan Perumal Ilango Velusamy Ramasamy',
    ),
    native: names(
      'கவிதா முருகன் செல்வி செந்தில் மாலதி ஆறுமுகம் வசந்தி கார்த்திக் தேன்மொழி பாலாஜி ரேவதி சரவணன் கமலா தினேஷ் யமுனா லதா',
      'சுப்பிரமணியன் கிருஷ்ணமூர்த்தி ராஜேந்திரன் பழனியப்பன் வெங்கடேசன் நடராஜன் சுந்தரம் சிதம்பரம் அண்ணாமலை தங்கராஜ் கோவிந்தன் பெருமாள்',
    ),
  },
  {
    name: 'Pakistani',
    languages: words('ur'),
    latin: names(
      'Saima Imran Rukhsana Waqar Shazia Faisal Bushra Kamran Nadia Adnan Zubaida Rizwan Sumaira Tahir Mehwish',
      'Qureshi Siddiqui Bhatti Chaudhry Gillani Mirza Abbasi Khokhar Niazi Baloch Awan Durrani Rajput Lodhi Sheikh',
    ),
    native: names(
      'صائمہ عمران رخسانہ وقار شازیہ فیصل بشریٰ کامران نادیہ عدنان زبیدہ رضوان',
      'قریشی صدیقی بھٹی چوہدری گیلانی مرزا عباسی کھوکھر نیازی بلوچ اعوان درانی',
    ),
  },
  {
    name: 'Chinese',
    languages: words('zh'),
    isFamilyFirst: true,
    isUnspaced: true,
    latin: names(
      'Xiaoyu Jianming Meiling Zhigang Yuhan Guoqiang Lihua Wenbo Shuzhen Haotian Yanping Peng Ruoxi Dawei Qiuyue',
      'Zheng Xie Deng Tang Feng Yuan Cheng Lü Peng Jiang Cai Du Wei Liao Qian',
    ),
    native: names(
      '晓宇 建明 美玲 志刚 雨涵 国强 文博 淑珍 昊天 燕萍 鹏 若曦 大卫 秋月',
      '郑 谢 邓 唐 冯 袁 程 吕 彭 蒋 蔡 杜 魏 廖',
    ),
  },
  {
    name: 'Japanese',
    languages: words('ja'),
    isFamilyFirst: true,
    isUnspaced: true,
    latin: names(
      'Haruka Kenji Natsuki Shinji Akemi Daichi Mayumi Takashi Chihiro Ryota Fumiko Hiroyuki Sayuri Kazuya Ayaka',
      'Matsumoto Hasegawa Ishikawa Fujiwara Okada Nishimura Endo Aoki Sakai Kikuchi Harada Uchida Murata Shimizu Takeuchi',
    ),
    native: names(
      '春香 健二 夏希 真司 明美 大地 真由美 隆 千尋 亮太 文子 博之 小百合 和也',
      '松本 長谷川 石川 藤原 岡田 西村 遠藤 青木 酒井 菊池 原田 内田 村田 竹内',
    ),
  },
  {
    name: 'Korean',
    languages: words('ko'),
    isFamilyFirst: true,
    isUnspaced: true,
    latin: names(
      'Ji-woo Seung-min Hye-jin Dong-hyun Soo-yeon Jae-ho Mi-kyung Tae-yang Eun-ji Sang-woo Bo-ra Kyung-soo Na-rae Min-seok Young-hee',
      'Hwang Ahn Song Yoo Jeon Moon Bae Baek Heo Nam Shim Noh Kwak Seo Gwon Ryu Yang',
    ),
    native: names(
      '지우 승민 혜진 동현 수연 재호 미경 태양 은혜 상우 보라 경수 나래 영희',
      '황 안 송 유 전 문 배 백 허 남 심 노 곽 서',
    ),
  },
  {
    name: 'Vietnamese',
    languages: words('vi'),
    isFamilyFirst: true,
    latin: names(
      'Thu_Hà Quốc_Bảo Bích_Ngọc Văn_Hải Kim_Oanh Đức_Thịnh Thanh_Tâm Hữu_Phước Mỹ_Duyên Gia_Huy Ánh_Tuyết Trọng_Nghĩa Diễm_My Xuân_Trường Khánh_Vy',
      'Huỳnh Võ Dương Lý Trịnh Đinh Mai Tô Châu Lâm Đoàn Hà Tạ Lương Quách',
    ),
  },
  {
    name: 'Thai',
    languages: words('th'),
    latin: names(
      'Siriporn Nattapong Kanya Wichai Pornthip Somsak Ratchanee Thanakorn Malee Prasert Jintana Chaiwat Supaporn Anan Duangjai',
      'Srisawat Chaiyaporn Wongsakul Thongchai Rattanakul Boonmee Suwannarat Phromma Kittisak Intharat Charoensuk Saelim Kaewmanee Panyawong Jaidee',
    ),
    native: names(
      'ศิริพร ณัฐพงษ์ กัญญา พรทิพา สมศักดิ์ รัชนี ธนากร จินตนา ชัยวัฒน์ สุภาพร อนันต์ ดวงใจ',
      'ศรีสวัสดิ์ ไชยพร วงศ์สกุล ทองชัย รัตนกุล บุญมี สุวรรณรัตน์ พรหมมา อินทรัตน์ เจริญสุข แก้วมณี ปัญญาวงศ์',
    ),
  },
  {
    name: 'Indonesian and Malay',
    languages: words('id ms'),
    latin: names(
      'Yuliana Bambang Endang Teguh Kartika Irfan Nurhaliza Slamet Wulandari Azlan Sri_Rahayu Zulkifli Melati Hafiz Rosmah',
      'Simanjuntak Purnomo Siregar Kartono Hutapea Suharto Handayani Ismail Abdullah Nasution Widodo Rahman Suryadi Osman Halim',
    ),
  },
  {
    name: 'Filipino',
    languages: words('tl'),
    latin: names(
      'Maricel Jomar Analyn Rodel Luzviminda Arnel Cherry_Lyn Benigno Marites Jun-jun Rowena Crisanto Divina Efren Girlie',
      'Dimaculangan Bautista Macaraeg Pangilinan Lacson Manalo Catacutan Dela_Cruz Magsaysay Tolentino Salonga Ocampo Agbayani Punzalan Batungbakal',
    ),
  },
  {
    name: 'West African',
    languages: words('yo'),
    latin: names(
      'Ngozi Chukwuemeka Folasade Kwabena Aminata Olumide Adwoa Mamadou Ifeoma Babatunde Abena Ousmane Temitope Kofi Fatoumata',
      'Okonkwo Adeyemi Mensah Diallo Nwosu Boateng Traoré Ogunleye Owusu Ndiaye Eze Bankole Asante Coulibaly Okafor Keita Touré',
    ),
  },
  {
    name: 'East African',
    languages: words('sw am'),
    latin: names(
      'Wanjiku Baraka Neema Otieno Tigist Kipchoge Achieng Juma Selamawit Mwangi Zawadi Habtamu Nakato Rehema Dawit',
      'Kamau Odhiambo Mwakasege Tadesse Wambui Njoroge Ssemakula Bekele Kiprotich Mugisha Gebremariam Uwimana Omondi Nyerere Kimani',
    ),
    native: names(
      'ትዕግስት ሰላማዊት ሀብታሙ ዳዊት አበበ ሄለን መስፍን ብርሃን አልማዝ ዮናስ ሰናይት ታደለ ገነት ሰለሞን',
      'ታደሰ በቀለ ገብረማርያም ወልደ ከበደ ተስፋዬ ኃይለማርያም አሰፋ መኮንን ደስታ ግርማ ለማ',
    ),
  },
  {
    name: 'Southern African',
    languages: words('zu'),
    latin: names(
      'Thandiwe Sipho Nomvula Bongani Lerato Tendai Kagiso Rutendo Zanele Mpho Chipo Lwazi Palesa Tafadzwa Nokuthula',
      'Dlamini Nkosi Mokoena Ndlovu Mahlangu Moyo Khumalo Chirwa Mthembu Molefe Sithole Zulu Radebe Banda Ngwenya',
    ),
  },
  {
    name: 'Pacific',
    languages: words('sm'),
    latin: names(
      'Mele Tavita Aroha Sione Leilani Wiremu Sefina Ratu Kahurangi Tevita Malia Ioane Ngaire Semisi Hinemoa',
      'Faleolo Tuilagi Vakatawa Ngata Fonoti Parata Kaufusi Tamatea Lauina Naufahu Rokocoko Tupou Kealoha Waititi Leota',
    ),
  },
  {
    name: 'Georgian and Armenian',
    languages: words('ka'),
    latin: names(
      'Nino Giorgi Ketevan Zurab Tamuna Levan Manana Vakhtang Anahit Tigran Hasmik Gevorg Narine Armen Lali',
      'Beridze Kapanadze Gelashvili Maisuradze Lomidze Kvaratskhelia Petrosyan Hakobyan Sargsyan Grigoryan Tsereteli Mkrtchyan Chanturia Javakhishvili Avetisyan',
    ),
    native: names(
      'ნინო გიორგი ქეთევან ზურაბ თამუნა ლევან მანანა ვახტანგ ლალი თეიმურაზ ეკატერინე ნანა',
      'ბერიძე კაპანაძე გელაშვილი მაისურაძე ლომიძე კვარაცხელია წერეთელი ჭანტურია ჯავახიშვილი ხარაზი ნოზაძე გიორგაძე',
    ),
  },
]
