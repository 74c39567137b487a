/** Common given and family names by language; an underscore is a space within a name. */
export const NAMES: Record<string, { given: string[]; family: string[] }> = {
  en: names(
    'Emily James Olivia Thomas Charlotte Daniel Grace Andrew Megan Peter Hannah Victor Mary_Ann',
    'Johnson Williams Thompson Baker Carter Mitchell Robinson Hughes Bennett Foster Morgan O’Connor Taylor-Reed McDonald',
  ),
  de: names(
    'Anna Lukas Katharina Jürgen Sabine Matthias Heike Florian Ursula Sebastian Birgit Jonas Anna-Lena',
    'Schmidt Schneider Hoffmann Krüger Lehmann Vogel Zimmermann Köhler Weiß Baumann Schäfer Richter von_Berg Müller-Lüdenscheidt',
  ),
  fr: names(
    'Camille Julien Élodie Mathieu Sophie Antoine Chloé François Manon Benoît Hélène Luc Jean-Pierre',
    'Lefebvre Moreau Girard Dubois Fontaine Rousseau Chevalier Gauthier Perrin Lambert Bonnet Faure de_Villiers',
  ),
  es: names(
    'Lucía Alejandro Carmen Javier Sofía Andrés Martina Ignacio Pilar Sergio Ximena Raúl',
    'García Fernández Rodríguez Morales Castillo Navarro Ortega Delgado Ramírez Herrera Ibáñez Vega de_la_Cruz García_Márquez',
  ),
  it: names(
    'Giulia Alessandro Francesca Marco Chiara Lorenzo Elena Stefano Martina Davide Paola Niccolò',
    'Rossi Ferrari Esposito Bianchi Colombo Ricci Marino Greco Lombardi Moretti Fontana Barbieri De_Luca',
  ),
  pt: names(
    'Mariana Gonçalo Beatriz Rafael Inês Thiago Larissa Bruno Catarina Felipe Joana Rodrigo',
    'Silva Oliveira Pereira Carvalho Almeida Ribeiro Gonçalves Teixeira Barbosa Cardoso Nunes Araújo dos_Santos',
  ),
  nl: names(
    'Sanne Daan Femke Jeroen Lotte Bram Anouk Pieter Marieke Thijs Fleur Ruben',
    'Jansen Visser Bakker Mulder Dekker Hendriks Kuipers Verhoeven Willems Vermeulen Postma Huisman van_den_Berg de_Vries',
  ),
  pl: names(
    'Katarzyna Tomasz Agnieszka Piotr Małgorzata Krzysztof Zofia Michał Joanna Paweł Ewa Łukasz',
    'Kowalska Nowak Wiśniewski Wójcik Kamiński Lewandowska Zieliński Szymański Woźniak Dąbrowski Mazur Krawczyk',
  ),
  sv: names(
    'Elin Gustav Astrid Johan Linnéa Oskar Maja Henrik Sigrid Emil Karin Björn',
    'Andersson Johansson Lindqvist Bergström Nyström Sjöberg Lundgren Håkansson Ekström Sandberg Forsberg Åberg',
  ),
  tr: names(
    'Zeynep Mehmet Ayşe Emre Elif Mustafa Büşra Kerem Selin Hakan Gül Çağlar',
    'Yılmaz Demir Şahin Çelik Kaya Öztürk Aydın Arslan Doğan Koç Yıldız Erdoğan',
  ),
  ru: names(
    'Анна Дмитрий Елена Сергей Ольга Алексей Наталья Михаил Светлана Андрей Ирина Павел',
    'Иванова Смирнов Кузнецова Попов Соколова Морозов Волкова Лебедев Козлова Новиков Фёдорова Орлов',
  ),
  uk: names(
    'Оксана Тарас Ірина Богдан Наталія Андрій Олена Юрій Катерина Максим Софія Остап',
    'Шевченко Коваленко Бондаренко Ткаченко Кравчук Мельник Поліщук Савченко Марченко Гончар Левченко Руденко',
  ),
  cs: names(
    'Tereza Jakub Kateřina Tomáš Eliška Ondřej Lenka Václav Barbora Petr Jitka Zdeněk',
    'Novák Svobodová Dvořák Černá Procházka Kučera Veselá Horák Němec Pokorná Marek Pospíšilová',
  ),
  zh: names('伟 芳 秀英 娜 建国 丽华 志强 晓明 雪梅 俊杰 婷婷 浩然', '王 李 张 刘 陈 杨 赵 黄 周 吴 徐 孙'),
  ja: names(
    '太郎 花子 健一 美咲 翔太 陽子 直樹 由美 大輔 恵子 拓也 彩香',
    '佐藤 鈴木 高橋 田中 渡辺 伊藤 山本 中村 小林 加藤 吉田 山田',
  ),
  ko: names(
    '민준 서연 지훈 수진 현우 지영 도윤 하은 성민 은지 준호 유나',
    '김 이 박 최 정 강 조 윤 장 임 한 오',
  ),
  ar: names(
    'محمد فاطمة أحمد مريم خالد نورة يوسف ليلى عمر هدى سعيد زينب',
    'العتيبي الحربي القحطاني المصري الشامي الغامدي الزهراني الخطيب النجار الحداد السيد المنصوري',
  ),
  hi: names(
    'प्रिया राहुल अंजलि विक्रम सुनीता अमित पूजा संजय कविता राजेश नेहा अर्जुन',
    'शर्मा वर्मा गुप्ता सिंह पटेल मिश्रा यादव चौहान अग्रवाल जोशी मेहता त्रिपाठी',
  ),
  th: names(
    'สมชาย สุดา ประเสริฐ มาลี วิชัย นภา อนุชา พรทิพย์ กิตติ รัตนา ธนา อรุณี',
    'ใจดี ศรีสุข วงศ์ไทย บุญมา ทองดี แสงจันทร์ สุขใจ รักไทย พูลสวัสดิ์ จันทร์เพ็ญ มีสุข ชัยวัฒน์',
  ),
  vi: names(
    'Hương Minh Tuấn Lan Dũng Thảo Quang Linh Hùng Trang Phúc Ngọc',
    'Nguyễn Trần Lê Phạm Hoàng Phan Vũ Đặng Bùi Đỗ Hồ Ngô',
  ),
  id: names(
    'Budi Siti Agus Dewi Rizky Putri Wahyu Ratna Hendra Ayu Joko Fitri',
    'Santoso Wijaya Setiawan Hidayat Kusuma Nugroho Pratama Saputra Lestari Gunawan Utami Firmansyah',
  ),
}

function names(given: string, family: string) {
  const list = (text: string) => text.split(' ').map((name) => name.replaceAll('_', ' '))
  return { given: list(given), family: list(family) }
}
