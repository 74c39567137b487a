import { wordList } from './word-list.ts'

/** Words that show that a number is not personal data, in the languages that the recognizers know. */
export const VETO_WORDS: readonly string[] = wordList(
  // English
  'order*, bar code, kod kreskowy, codigo de barras, code-barres, code barres, codice a barre, strichcode, streckkod, barkod, invoice*, tracking*, shipment*, parcel, package, version*, build*, release*, isbn',
  'issn, serial, commit*, flight*, ticket*, sku, part no*, part number*',
  'case number, confirmation, booking',
  'reservation, transaction*, receipt, po number, purchase order, barcode, ean, upc',
  'gtin, asin, doi, revision, firmware, patent',
  'timestamp*, epoch, unix time, hash, checksum, md5, sha1, sha256, pid, error code',
  'request id, session id, trace id',
  'pull request, bug, coupon, voucher, promo code, gift card',
  'cas, oid, schema',
  // German
  'bestell*, auftrag*, rechnung*, sendung*, paket*, lieferung*, seriennummer, artikel*, vorgang*',
  'flug, flugnummer, teilenummer, ersatzteil*, charge, chargennummer, buchung*, aktenzeichen',
  'gutschein*, beleg*, preis*, betrag, umsatz, einwohner*, zeitstempel, modell*, fehlercode',
  // French
  'commande*, facture*, suivi, colis, numero de serie, vol, reference, dossier, lot, piece',
  "modele, prix, montant, reservation, horodatage, recu, expedition, livraison, chiffre d'affaires",
  // Spanish, Portuguese
  'pedido*, factura*, fatura*, seguimiento, rastreo, rastreamento, rastreio, envio, encomenda',
  'numero de serie, vuelo, voo, referencia, lote, pieza, peca, modelo, precio, preco, importe',
  'chamado*, caso, caso n*, reserva, recibo, nota fiscal, protocolo, expediente, compra, paquete, pacote, marca de tiempo',
  // Italian
  'ordine, ordini, fattura, fatture, tracciamento, spedizione, pacco, numero di serie, volo',
  'riferimento, lotto, pezzo, modello, prezzo, importo, prenotazione, ricevuta, pratica, versione',
  // Dutch
  'bestelling*, bestelnummer*, ordernummer*, factuur*, zending*, pakket*, serienummer*, vlucht*',
  'artikelnummer*, onderdeel*, versie*, prijs, bedrag, boeking*, kenmerk, referentie*, dossier*',
  // Polish, Czech
  'zamowieni*, faktur*, przesylk*, paczk*, numer seryjny, numeru seryjnego, lot, wersj*, parti*',
  'cena, ceny, kwota, rezerwacj*, zgloszeni*, czesc*, objednavk*, zasilk*, seriove cislo, verz*',
  // Swedish, Danish, Norwegian
  'bestallning*, ordernr, faktura*, fakturanummer*, sparning*, forsandelse*, serienr, flyg*, utgava',
  'bestilling*, ordrenummer*, ordre*, sporing*, artikelnr, pris, belopp, bokning*, arende*, paketet',
  // Turkish
  'talep*, siparis*, fatura*, kargo*, takip, seri no*, seri numara*, ucus*, surum*, parca*, fiyat*',
  'tutar*, rezervasyon*, urun*, gonderi*, fis no*, bilet*',
  // Russian, Ukrainian
  'заказ*, счет*, накладн*, трек*, посылк*, отправлени*, серийн*, рейс*, верси*, сборк*, артикул*',
  'штрихкод*, штрих-код*, цена, цены, сумма, сумму, бронировани*, накладная, партия, детал*, замовленн*, рахунок-фактур*',
  'відстеженн*, серійн*, версі*, рейс*, квитанци*, обращени*, заявк*, тикет*',
  // Arabic, Hindi
  'الطلب, طلب, طلبي, طلبية, الفاتورة, فاتورة, التتبع, تتبع, الشحنة, شحنة, الرقم التسلسلي, تسلسلي',
  'الباركود, باركود, التذكرة, تذكرة, رحلة, الرحلة, الإصدار, إصدار, السعر, المبلغ, الحجز, حجز, ऑर्डर, आर्डर, इनवॉइस, चालान, ट्रैकिंग',
  'बारकोड, सीरियल, उड़ान, फ्लाइट, संस्करण, वर्जन, बिल, कीमत, बुकिंग, पार्सल, शिपमेंट',
  // Chinese, Japanese, Korean
  '订单, 訂單, 发票, 發票, 快递, 快遞, 运单, 物流, 单号, 追踪, 跟踪, 序列号, 航班, 版本, 型号, 批号',
  '工单, 工單, 价格, 金额, 条形码, チケット, 案件, 票号, janコード, jan code, バーコード, 流水号, 编译, 构建, 提交, 注文, 請求書, 追跡, 荷物, 配送, お問い合わせ番号, シリアル',
  '製造番号, 便名, フライト, バージョン, ビルド, 型番, 品番, 伝票, 価格, 予約, 送り状, 주문, 송장, 운송장, 추적',
  '택배, 일련번호, 바코드, 시리얼, 항공편, 버전, 빌드, 영수증, 가격, 예약, 청구서, 품번, 모델',
  // Thai, Vietnamese, Indonesian
  'คำสั่งซื้อ, ออเดอร์, ใบแจ้งหนี้, ติดตามพัสดุ, พัสดุ, หมายเลขพัสดุ, ซีเรียล, เที่ยวบิน, เวอร์ชัน',
  'บาร์โค้ด, ราคา, ใบเสร็จ, หมายเลขติดตาม',
  'don hang, ma vach, ma don, hoa don, van don, ma van don, so se ri, chuyen bay, phien ban, gia tien, buu kien',
  'ma giao dich, pesanan, faktur, tagihan, resi, pelacakan, nomor seri, penerbangan, versi, harga',
  'paket, kode booking, invoice, nomor pesanan, no pesanan, transaksi',
  // Words for an order and an invoice in more languages
  'i-oda, ioda, ye-oda, yeoda, iodolo, ye-odolo, iphasela, inombolo ye-oda, i-invoyisi, oda, agizo, oda yako, kifurushi, ankara, ibere rira, umarni, sifaris*, baglama*, buyurtma*, dalab*, porosi*, archeb*, pontun*, reikning*, eskaera*, faktura',
  'tilaus*, tilausnumero*, lasku*, tellimus*, arve, pasutijum*, rekin*, uzsakym*, saskait*, objednavk*, narocil*, narudzb*, porudzbin*, racun*, rendeles*, szamla*, comanda, comenzi, comenzii, comanda nr',
  'поръчк*, фактура*, нарачк*, поруџбин*, наруџбин*, рачун*, заказы, тапсырыс*, захиалга, παραγγελι*, τιμολογι*, הזמנה, ההזמנה, חשבונית, سفارش, فاکتور, آرڈر, অর্ডার, ইনভয়েস, ஆர்டர், இன்வாய்ஸ், ఆర్డర్, ઓર્ડર, ਆਰਡਰ',
  'შეკვეთ*, ინვოის*, պատվեր*, ትዕዛዝ, အော်ဒါ, ការបញ្ជាទិញ, ຄຳສັ່ງຊື້',
)

/** Words that show the same, but only directly beside the number. Elsewhere in a sentence they mean many things. */
export const CLOSE_VETO_WORDS: readonly string[] = wordList(
  'part, model, case, reference, ref, score, total, price, row, line, error, issue',
  'section, chapter, port, job, page*, item*, lot, iso, din, rfc, amount, cost*',
  'quote, meter, batch, article, budget, revenue, population, product*, volume, count',
  'ref no, reference number, reference no, case no, art nr, pos, zeile, seite',
  'ligne, linea, linha, pagina, pag, regel, strona, sida, sayfa, строка, страница, steps, v',
)
