/** A part that the head of a repeated mail has. */
type HeadPart = keyof typeof LABELS

/** The labels of these parts in the languages of Outlook, Gmail, Apple Mail and Thunderbird. */
const LABELS = {
  from: [
    'From, Von, De, De la, Da, Van, Fra, Från, Lähettäjä, Od, Feladó, Kimden, Gönderen, Saatja, No, Nuo, Từ, Dari',
    'Από, От, Від, מאת, من, از, प्रेषक, จาก, 差出人, 送信者, 发件人, 寄件者, 寄件人, 보낸 사람',
  ],
  sent: [
    'Sent, Date, Gesendet, Datum, Envoyé, Enviado, Enviado el, Enviado em, Enviada em, Enviat, Fecha, Inviato, Data',
    'Verzonden, Sendt, Dato, Skickat, Lähetetty, Päivämäärä, Päiväys, Wysłano, Odesláno, Odoslané, Dátum, Elküldve',
    'Trimis, Poslano, Poslato, Gönderildi, Tarih, Saadetud, Kuupäev, Nosūtīts, Datums, Išsiųsta, Đã gửi, Ngày',
    'Dikirim, Tanggal, Στάλθηκε, Ημερομηνία, Изпратено, Отправлено, Надіслано, Дата, נשלח, תאריך, تم الإرسال',
    'التاريخ, تاریخ, भेजा गया, दिनांक, ส่ง, วันที่, 送信日時, 日時, 日付, 发送时间, 日期, 寄件日期, 보낸 날짜, 날짜',
  ],
  to: [
    'To, An, Para, Per a, À, A, Aan, Til, Till, Vastaanottaja, Do, Komu, Címzett, Către, Za, Prima, Kime, Alıcı',
    'Saaja, Adressaat, Kam, Adresāts, Đến, Tới, Ke, Kepada, Προς, До, Кому, אל, إلى, به, प्रति, ถึง, 宛先, 收件人, 收件者, 받는 사람',
  ],
  subject: [
    'Subject, Betreff, Objet, Asunto, Assumpte, Oggetto, Assunto, Onderwerp, Emne, Ämne, Aihe, Temat, Předmět, Predmet',
    'Tárgy, Subiect, Naslov, Zadeva, Konu, Teema, Tēma, Tema, Chủ đề, Tiêu đề, Subjek, Perihal, Θέμα, Тема, Относно',
    'נושא, الموضوع, موضوع, विषय, เรื่อง, 件名, 主题, 主旨, 主題, 제목',
  ],
}

const LONGEST_LINE = 1000

const PARTS: ReadonlyMap<string, HeadPart> = new Map(
  Object.entries(LABELS).flatMap(([part, lines]) =>
    lines
      .flatMap((line) => line.normalize('NFC').toLowerCase().split(', '))
      .map((label) => [label, part as HeadPart] as const),
  ),
)

/** Returns the part of a head that a line of a mail shows, such as `*From:* Anna <anna@example.com>`; null: none. */
export function headPartIn(line: string): HeadPart | null {
  if (line.length > LONGEST_LINE) return null
  const label = /^\s{0,3}\*{0,2}(\p{L}[\p{L}\p{M} ]{0,24}?)\*{0,2}\s?[:：]\*{0,2}\s?\S/u.exec(line)?.[1]
  return (label && PARTS.get(label.normalize('NFC').toLowerCase())) || null
}
