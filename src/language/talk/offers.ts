import type { TalkLanguage } from './greetings.ts'

/** The words by which somebody who answers offers a person, beside those for the person. */
export interface OfferWords {
  /** Words that ask whether the user wants a person, or say that one is available. */
  offers: string
  /** Words that say what the person does, or what is done with the person. */
  answers: string
  /** Words for a person that wishes do not use. */
  who: string
  /** Words that offer something else: to explain, or to do something with a person. */
  explains: string
}

export const OFFERS: Record<TalkLanguage, OfferWords> = {
  en: {
    offers:
      'would you like|would you prefer|would you rather|do you want|want me|want a|want someone|shall i|should i|shall we|may i|can i|could i|i can|i could|we can|let me know if you|if you like|if you d like|if you want|if you prefer|would it help|can answer [you|your|this here]|can help you|can [reply|respond] to you|can [contact|assist] you|can get [in touch|back to you]|can take over',
    answers:
      'answer|answers|to reply|replies|reply to you|respond|speak [to|with]|talk [to|with]|chat with|connect|connected|contact|in touch|take over|takes over|help you|assist you|transfer you|transferred|[forward|pass|transfer] [this|it|this on|it on|your question|your message|your request|your case|this chat|this conversation]|forwarded|passed on|put you through|put through|hand [|you|this|it] over|handed over|escalate|escalated|get back to you|gets back to you|look into|call you|join',
    who: '[person|someone|somebody|member|colleague|people] [of|from|on|in] [the|our|my] team|someone from [our|the] support|one of our [team members|colleagues|agents|people]|teammate|human teammate',
    explains:
      'another person|how|explain|show|know|why|whether|learn|invite|add|remove|change|delete|create|settings',
  },
  de: {
    offers:
      'möchten sie|möchtest du|wollen sie|willst du|soll|sollen wir|darf ich|kann ich|ich kann|wir können|würden sie|hätten sie gern|hätten sie gerne|wünschen sie|wäre es|kann ihnen|kann dir|kann sie|könnte ihnen|wenn sie möchten|wenn du möchtest|wenn sie wollen|falls sie möchten',
    answers:
      'antwortet|antworten|beantwortet|beantworten|meldet|melden|sprechen|reden|chatten|verbinden|verbinde|weiterleiten|weiterleite|weitergeleitet|weitergeben|weiterhelfen|weiterhilft|helfen|hilft|übernimmt|übernehmen|kontaktiert|kontaktieren|kontakt|zurückruft|anruft|hinzuziehen|hinzuhole|kümmert|schreibt',
    who: 'jemand aus [dem|unserem] team|person aus [dem|unserem] team|teammitglied|mitglied [des|unseres] teams|kollegen|mitarbeitende|mitarbeitenden',
    explains:
      'anderen person|andere person|wie|erklären|erkläre|zeigen|zeige|wissen|warum|erfahren|einladen|hinzufügen|löschen|ändern|anlegen',
  },
  fr: {
    offers:
      'voulez vous|veux tu|souhaitez vous|souhaites tu|aimeriez vous|préférez vous|dois je|puis je|est ce que je peux|je peux|nous pouvons|si vous [voulez|souhaitez|le souhaitez|préférez]|désirez vous|peut vous|pourrait vous',
    answers:
      'réponde|répondre|répond|vous répondre|parler [à|avec]|discuter avec|échanger avec|contacter|contacte|vous contacte|mette en relation|mettre en relation|mettre en contact|transférer|transfère|transmettre|prenne le relais|vous aide|vous aider|aider|rappelle|vous recontacte|recontacte|prenne contact',
    who: 'quelqu un de [l|notre] équipe|personne de [l|notre] équipe|membre de [l|notre] équipe|collègue|conseiller|conseillère',
    explains: 'comment|explique|expliquer|montre|montrer|savoir|pourquoi|inviter|ajouter|supprimer|modifier',
  },
  es: {
    offers:
      'quiere|quieres|desea|deseas|le gustaría|te gustaría|prefiere|prefieres|puedo|podemos|si [quiere|quieres|lo desea|lo deseas|prefiere]|le parece|te parece|puede [ayudarle|responderle|atenderle|ayudarte|responderte|atenderte]|quisiera',
    answers:
      'responda|responderle|responderte|conteste|contestarle|contacte|contactar|contactarle|hablar con|chatear con|comunicarse con|comunicarle|comunicarte|conecte|conectarle|conectarte|transfiera|transferirle|transferirte|pase|pasarle|pasarte|ponga en contacto|ponerle en contacto|ponerte en contacto|atienda|atenderle|atenderte|ayude|ayudarle|ayudarte|se encargue|llame',
    who: 'alguien [del|de nuestro] equipo|persona [del|de nuestro] equipo|miembro [del|de nuestro] equipo|compañero|agente|asesor',
    explains:
      'cómo|explique|explicar|explicarle|muestre|mostrar|saber|por qué|invitar|añadir|agregar|eliminar|cambiar',
  },
  it: {
    offers:
      'vuole|vuoi|volete|desidera|desideri|le piacerebbe|ti piacerebbe|preferisce|preferisci|posso|possiamo|devo|se [vuole|vuoi|desidera|preferisce]|può [aiutarla|risponderle|aiutarti|risponderti]|vorrebbe|vorresti',
    answers:
      'risponda|risponderle|risponderti|rispondere|contatti|contattare|contattarla|parlare con|chattare con|metta in contatto|metterla in contatto|metterti in contatto|mettere in contatto|passare|passarla|passarti|trasferire|trasferirla|trasferirti|inoltrare|aiuti|aiutarla|aiutarti|la richiami|prenda in carico|intervenga',
    who: 'qualcuno [del|dal|del nostro] team|persona [del|del nostro] team|membro [del|del nostro] team|collega|operatore',
    explains:
      'come|spiego|spiegare|spiegarle|mostrare|mostri|sapere|perché|invitare|aggiungere|eliminare|cambiare',
  },
  pt: {
    offers:
      'quer|queres|deseja|desejas|gostaria|gostarias|prefere|preferes|posso|podemos|devo|se [quiser|desejar|preferir]|pode [ajudá lo|responder lhe|ajudar você|responder você|ajudá la|ajudar te]',
    answers:
      'responda|responder|responder lhe|contacte|contate|contactar|contatar|falar com|conversar com|ligue|conecte|conectar|conectá lo|transfira|transferir|transferi lo|encaminhe|encaminhar|passar|ponha em contacto|colocar em contato|entre em contato|entre em contacto|ajude|ajudá lo|ajudar você|assuma|atenda',
    who: 'alguém [da|da nossa|do] equipe|alguém [da|da nossa] equipa|pessoa [da|da nossa] [equipa|equipe]|membro [da|da nossa] [equipa|equipe]|colega|atendente',
    explains: 'como|explique|explicar|mostre|mostrar|saber|por que|convidar|adicionar|remover|alterar',
  },
  nl: {
    offers:
      'wilt u|wil je|zou u|zou je|zal ik|kan ik|mag ik|moet ik|ik kan|we kunnen|wij kunnen|als u [wilt|dat wilt]|als je [wilt|wil|dat wilt]|heeft u liever|heb je liever|kan [u|je] [helpen|antwoorden]|wenst u',
    answers:
      'antwoordt|antwoorden|beantwoordt|beantwoorden|spreken met|praten met|spreekt|chatten|verbinden|verbind|verbindt|doorverbinden|doorverbind|doorsturen|doorstuur|contact|helpt|helpen|verder helpt|overneemt|terugbelt|reageert|inschakelen|doorgeven',
    who: 'iemand [van|uit] [het|ons] team|persoon van [het|ons] team|teamlid|lid van [het|ons] team|collega|medewerker|mens',
    explains: 'hoe|uitleggen|uitleg|laten zien|weten|waarom|uitnodigen|toevoegen|verwijderen|wijzigen',
  },
  ja: {
    offers:
      'ましょうか|しますか|いたしますか|ご希望ですか|よろしいですか|でしょうか|ご希望でしたら|ご希望の場合|いかがですか|できます|可能です|なさいますか',
    answers:
      '回答|お答え|答え|ご案内|ご連絡|連絡|おつなぎ|お繋ぎ|つなぎ|繋ぎ|引き継ぎ|お話し|話し|話す|対応|ご返信|返信|転送',
    who: '担当者|スタッフ|チームの者|オペレーター|人間|チームメンバー|サポート担当',
    explains: '方法|説明|やり方|追加|招待|削除|変更|なぜ|どのように',
  },
  zh: {
    offers: '需要|要不要|是否|您想|你想|想要|希望|可以|我可以|要我|如果您|如果你|我帮您|我帮你',
    answers: '回答|回复|联系|聯繫|转接|轉接|接入|对话|交谈|沟通|聊|帮助您|帮助你|协助|跟进|处理|连接',
    who: '团队成员|工作人员|同事|人工|人工客服|真人|客服人员|團隊成員|团队的人|专人',
    explains: '如何|怎么|怎样|解释|说明|为什么|添加|邀请|删除|更改|知道',
  },
  th: {
    offers: 'ต้องการให้|ต้องการ|อยากให้|อยาก|ให้ฉัน|ให้เรา|ไหม|หรือไม่|สามารถ|หากต้องการ|ถ้าต้องการ',
    answers: 'ตอบ|ติดต่อ|ติดต่อกลับ|คุยกับ|พูดคุยกับ|คุย|โอนสาย|ส่งต่อ|เชื่อมต่อ|ช่วยเหลือคุณ|ช่วยคุณ|ดูแล',
    who: 'เจ้าหน้าที่|ทีมงาน|พนักงาน|คนในทีม|คนจริง',
    explains: 'อย่างไร|ยังไง|วิธี|อธิบาย|ทำไม|เพิ่ม|เชิญ|ลบ|เปลี่ยน',
  },
  sv: {
    offers:
      'vill du|vill ni|ska jag|skulle du vilja|kan jag|får jag|jag kan|vi kan|om du [vill|önskar]|önskar du|föredrar du|kan [svara|hjälpa] dig',
    answers:
      'svara|svarar|prata med|tala med|chatta med|kontakta|kontaktar|koppla|kopplar|kopplas|ansluta|vidarebefordra|kontakt|hjälper|hjälpa|ta över|tar över|återkommer|ringer',
    who: 'någon i [teamet|vårt team]|någon från [teamet|vårt team]|person i teamet|medarbetare|kollega|person från teamet',
    explains: 'hur|förklara|förklarar|visa|visar|veta|varför|bjuda in|lägga till|ta bort|ändra',
  },
  da: {
    offers:
      'vil du|vil i|skal jeg|skal vi|kunne du tænke dig|kan jeg|må jeg|jeg kan|vi kan|hvis du [vil|ønsker]|ønsker du|foretrækker du|kan [svare|hjælpe] dig',
    answers:
      'svare|svarer|tale med|snakke med|chatte med|kontakte|kontakter|stille|stiller|forbinde|forbinder|viderestille|videresende|kontakt|hjælper|hjælpe|overtage|overtager|vender tilbage|ringer',
    who: '[en|nogen|person|én] fra [teamet|vores team]|medarbejder|kollega|et menneske',
    explains: 'hvordan|forklare|forklarer|vise|viser|vide|hvorfor|invitere|tilføje|fjerne|ændre',
  },
  no: {
    offers:
      'vil du|vil dere|skal jeg|skal vi|ønsker du|kan jeg|jeg kan|vi kan|hvis du [vil|ønsker]|foretrekker du|kan [svare|hjelpe] deg|kunne du tenke deg',
    answers:
      'svare|svarer|snakke med|prate med|chatte med|kontakte|kontakter|sette|setter|koble|kobler|overføre|videresende|kontakt|hjelper|hjelpe|ta over|tar over|ringer',
    who: '[en|noen|person] [fra|i] [teamet|teamet vårt]|medarbeider|kollega|ansatt|et menneske',
    explains: 'hvordan|forklare|forklarer|vise|viser|vite|hvorfor|invitere|legge til|fjerne|endre',
  },
  fi: {
    offers:
      'haluatko|haluatteko|haluaisitko|haluaisitteko|voinko|voin|voimme|jos haluat|jos haluatte|toivotko|voi [vastata|auttaa]|saanko',
    answers:
      'vastaa|vastaavan|vastata|ottaa yhteyttä|ottavan yhteyttä|yhdistän|yhdistää|siirrän|siirtää|puhua|keskustella|jutella|ohjaan|välitän|auttaa|auttaisi|jatkaa|yhteyttä',
    who: '[joku|jonkun] [tiimistä|tiimistämme]|tiimin jäsen|tiimin jäsenen|ihminen|ihmisen|ihmiselle|ihmiseen|asiakaspalvelija|asiakaspalvelijan|asiakaspalvelijalle|työntekijä|kollega',
    explains: 'miten|kuinka|selitän|selittää|näyttää|näytän|tietää|miksi|kutsua|lisätä|poistaa|muuttaa',
  },
  pl: {
    offers:
      'czy [chce|chcesz|chciałby|chciałaby|chcą|mam|mogę|życzy|wolisz|woli]|chcesz|chciałbyś|chciałabyś|mogę|możemy|jeśli [chcesz|pan chce|pani chce|życzy]|może [panu|pani|ci] [odpowiedzieć|pomóc]',
    answers:
      'odpowiedział|odpowiedziała|odpowie|odpowiedzieć|porozmawiać|rozmawiać|skontaktował|skontaktowała|skontaktować|połączył|połączyć|połączę|przekazać|przekazał|przełączyć|przekierować|pomógł|pomogła|pomóc|odezwał|odezwała|kontakt|przejął',
    who: '[ktoś|kogoś|osoba|osobą|osobę|kimś] z [|naszego] zespołu|członek zespołu|członkiem zespołu|pracownik|pracownikiem|konsultant|konsultantem|człowiek|człowiekiem|osoba|osobą',
    explains: 'jak|wyjaśnić|wyjaśnił|pokazać|wiedzieć|dlaczego|zaprosić|dodać|usunąć|zmienić',
  },
  cs: {
    offers:
      'chcete|chceš|přejete si|přeješ si|mám|mohu|můžu|můžeme|smím|pokud [chcete|chceš|si přejete]|chtěli byste|chtěl byste|může vám [odpovědět|pomoci]',
    answers:
      'odpověděl|odpověděla|odpoví|odpovědět|ozval|ozvala|ozve|mluvit s|promluvit s|spojit|spojil|spojím|přepojit|předat|předám|kontaktoval|kontaktovat|pomohl|pomohla|pomoci|převzal',
    who: '[někdo|někým|někoho|člověk|člověkem] z [|našeho] týmu|člen týmu|členem týmu|pracovník|pracovníkem|kolega|kolegou|člověk|člověkem|někdo|někým',
    explains: 'jak|vysvětlit|vysvětlil|ukázat|vědět|proč|pozvat|přidat|odebrat|změnit',
  },
  sk: {
    offers:
      'chcete|chceš|želáte si|želáš si|mám|môžem|môžeme|smiem|ak [chcete|chceš|si želáte]|chceli by ste|môže vám [odpovedať|pomôcť]',
    answers:
      'odpovedal|odpovedala|odpovie|odpovedať|ozval|ozvala|ozve|hovoriť s|porozprávať|spojiť|spojil|spojím|prepojiť|odovzdať|kontaktoval|kontaktovať|pomohol|pomohla|pomôcť|prevzal',
    who: '[niekto|niekým|niekoho|človek|človekom] z [|nášho] tímu|člen tímu|členom tímu|pracovník|pracovníkom|kolega|kolegom|človek|človekom|niekto|niekým',
    explains: 'ako|vysvetliť|vysvetlil|ukázať|vedieť|prečo|pozvať|pridať|odobrať|zmeniť',
  },
  ro: {
    offers:
      'doriți|dorești|vreți|vrei|ați dori|ai dori|pot|putem|să vă|dacă [doriți|dorești|vreți|vrei]|preferați|vă poate|vă pot',
    answers:
      'răspundă|răspunde|vorbiți cu|vorbești cu|discutați cu|contacteze|contacta|conectez|conecta|pun în legătură|transfer|transfera|ajute|ajuta|preia|preia conversația|sune',
    who: '[cineva|persoană|membru|coleg] [din|al] [echipă|echipa noastră|echipei]|coleg|operator|persoană|om',
    explains: 'cum|explic|explica|arăt|arăta|știți|de ce|invita|adăuga|șterge|schimba',
  },
  hu: {
    offers:
      'szeretné|szeretnéd|kívánja|kéri|kéred|akarja|akarod|ha szeretné|ha szeretnéd|tudok|tudunk|kapcsoljam|kapcsoljalak|átadjam|szóljak|tud [önnek|neked] [válaszolni|segíteni]',
    answers:
      'válaszoljon|válaszolna|válaszolni|beszélni|beszéljen|kapcsoljam|kapcsoljalak|kapcsolni|felvegye|átadjam|átadni|szóljak|segítsen|segíteni|jelentkezzen|keresse|beszélne',
    who: 'csapat [egyik|] tagja|csapatunk [egyik|] tagja|csapatunk egyik tagjával|csapat egyik tagjával|munkatárs|munkatársunk|munkatársunkkal|munkatársnak|munkatárssal|kolléga|kollégánk|kollégával|ember|emberrel|valaki a csapatból|valakivel',
    explains: 'hogyan|elmagyarázzam|magyarázzam|mutassam|tudni|miért|meghívni|hozzáadni|törölni|módosítani',
  },
  tr: {
    offers:
      'ister misiniz|ister misin|istiyor musunuz|istiyor musun|dilerseniz|isterseniz|istersen|edeyim mi|alayım mı|bağlayayım mı|ileteyim mi|yönlendireyim mi|aktarayım mı|edebilirim|bağlayabilirim|olur mu|yardımcı olabilir',
    answers:
      'yanıt|yanıtlasın|yanıtlamasını|yanıt vermesini|cevap|cevaplasın|cevaplamasını|görüşmek|konuşmak|bağlayayım|bağlanmak|bağlamamı|bağlayabilirim|iletişime|ileteyim|yönlendireyim|aktarayım|ulaşmasını|yardımcı',
    who: '[ekipten|ekibimizden] [biri|birinin|biriyle|birine|bir kişi|bir kişinin]|temsilci|temsilciye|temsilciyle|temsilcinin|insan|insana|insanla|yetkili|yetkiliye|yetkiliyle|yetkilinin|kişi|kişiyle',
    explains: 'nasıl|açıklayayım|anlatayım|göstereyim|neden|eklemek|davet|silmek|değiştirmek',
  },
  vi: {
    offers:
      'bạn có muốn|anh có muốn|chị có muốn|bạn muốn|có muốn|tôi có thể|em có thể|chúng tôi có thể|nếu bạn muốn|có cần|có thể giúp bạn|có thể trả lời bạn',
    answers:
      'trả lời|nói chuyện với|trò chuyện với|liên hệ|kết nối|chuyển|hỗ trợ bạn|giúp bạn|tiếp nhận|gọi lại',
    who: '[ai đó|một người|người|thành viên] [trong|của|từ] [nhóm|đội ngũ|đội]|nhân viên|người thật|đồng nghiệp',
    explains: 'như thế nào|cách|giải thích|hướng dẫn|tại sao|thêm|mời|xóa|thay đổi|biết',
  },
  id: {
    offers:
      'apakah anda [ingin|mau]|apakah kamu [ingin|mau]|ingin|mau|apakah perlu|perlu|boleh saya|saya bisa|saya dapat|kami bisa|jika anda [ingin|mau]|bisa membantu anda|dapat membantu anda',
    answers:
      'menjawab|membalas|berbicara dengan|bicara dengan|mengobrol dengan|menghubungi|hubungkan|menghubungkan|dihubungkan|meneruskan|sambungkan|membantu anda|mengambil alih',
    who: '[seseorang|orang|anggota] [dari|] tim|anggota tim|anggota tim kami|seseorang dari tim kami|petugas|staf|rekan kami|manusia',
    explains:
      'cara|bagaimana|jelaskan|menjelaskan|tunjukkan|mengapa|menambah|mengundang|menghapus|mengubah|tahu',
  },
  ca: {
    offers:
      'voleu|vols|vol|us agradaria|t agradaria|li agradaria|preferiu|prefereixes|puc|podem|si [voleu|vols|ho desitgeu|vol]|desitgeu|us pot|et pot',
    answers:
      'respongui|respondre|contacti|contactar|parlar amb|xatejar amb|connecti|connectar|posi en contacte|posar en contacte|passi|passar|transferir|atengui|ajudi|ajudar|truqui',
    who: '[algú|persona|membre] de [l|el nostre|la nostra|nostre] equip|algú del nostre equip|company|persona|agent',
    explains: 'com|expliqui|explicar|mostri|mostrar|saber|per què|convidar|afegir|eliminar|canviar',
  },
  hr: {
    offers:
      'želite li|želiš li|hoćete li|biste li|da li želite|mogu li|mogu|možemo|trebam li|ako [želite|želiš]|vam može|može vam',
    answers:
      'odgovori|odgovoriti|javi|javiti|razgovarati|razgovarate|razgovaraš|spojim|spojiti|povežem|povezati|prebacim|proslijedim|kontaktira|pomogne|pomoći|preuzme',
    who: '[netko|nekim|nekoga|osoba|osobom] iz [|našeg] tima|član tima|članom tima|djelatnik|djelatnikom|kolega|kolegom|osoba|osobom|netko',
    explains: 'kako|objasnim|objasniti|pokažem|pokazati|znati|zašto|pozvati|dodati|ukloniti|promijeniti',
  },
  ru: {
    offers:
      'хотите|хочешь|желаете|могу|можем|нужно ли|если [хотите|хочешь|желаете]|мне|позвать|предпочитаете|может вам [ответить|помочь]|давайте я|хотели бы',
    answers:
      'ответил|ответила|ответит|ответить|поговорить|пообщаться|связался|связалась|связаться|связать|соединить|соединил|соединю|переключить|перевести|передать|передам|передал|помог|помочь|подключить|подключился|позвать|написал',
    who: '[кто то|кто нибудь|сотрудник|сотрудником|человек|человеком|кем то] из [|нашей] команды|сотрудник|сотрудника|сотрудником|сотруднику|оператор|оператора|оператором|оператору|специалист|специалистом|специалисту|человек|человеком|человека|сотрудник команды',
    explains: 'как|объяснить|объяснил|показать|знать|почему|добавить|пригласить|удалить|изменить',
  },
  uk: {
    offers:
      'хочете|хочеш|бажаєте|бажаєш|можу|можемо|мені|якщо [хочете|хочеш|бажаєте]|чи потрібно|може вам [відповісти|допомогти]|хотіли б|покликати',
    answers:
      'відповів|відповіла|відповість|відповісти|поговорити|поспілкуватися|зв язався|зв язатися|зв язати|з єднати|з єднав|переключити|перевести|передати|передам|допоміг|допомогти|підключити|покликати',
    who: '[хтось|кимось|співробітник|людина|людиною] [з|із] [|нашої] команди|співробітник|співробітником|оператор|оператором|оператору|оператора|фахівець|фахівцем|людина|людиною|хтось',
    explains: 'як|пояснити|пояснив|показати|знати|чому|додати|запросити|видалити|змінити',
  },
  bg: {
    offers:
      'искате ли|искаш ли|желаете ли|бихте ли искали|да ви|да те|мога ли|мога|можем|ако [искате|искаш|желаете]|предпочитате ли|може да ви',
    answers:
      'отговори|отговаря|говорите с|говориш с|поговорите с|разговаряте с|свържа|свържем|свърже|прехвърля|насоча|помогне|поеме|се обади|се включи',
    who: '[някой|човек|член] от [|нашия] [екипа|екип]|човек от екипа ни|служител|колега|оператор|човек|някой',
    explains: 'как|обясня|обяснят|покажа|знаете|защо|добавя|добавите|поканите|премахна|променя',
  },
  sr: {
    offers:
      'желите ли|желиш ли|хоћете ли|да ли [желите|желиш|бисте]|могу ли|могу|можемо|треба ли|ако [желите|желиш]|може вам|вам може|бисте ли',
    answers:
      'одговори|одговорити|јави|разговарате|разговараш|разговарати|спојим|повежем|пребацим|проследим|контактира|помогне|преузме',
    who: '[неко|неким|особа|особом] из [|нашег] тима|члан тима|чланом тима|запослени|запосленим|колега|колегом|особа|особом|неко',
    explains: 'како|објасним|покажем|знате|зашто|додате|додам|позовете|уклоним|променим',
  },
  el: {
    offers:
      'θέλετε|θέλεις|θα θέλατε|θα ήθελες|θα ηθέλατε|μπορώ|μπορούμε|να σας|να σε|αν [θέλετε|θέλεις|επιθυμείτε]|επιθυμείτε|προτιμάτε|μπορεί να σας',
    answers:
      'απαντήσει|απαντήσω|μιλήσετε|μιλήσεις|συνομιλήσετε|επικοινωνήσει|επικοινωνήσετε|συνδέσω|μεταφέρω|προωθήσω|βοηθήσει|αναλάβει|καλέσει',
    who: '[κάποιος|κάποιον|άνθρωπος|άνθρωπο|άτομο|μέλος] [από|της] [την|την ομάδα|ομάδας] [|ομάδα|μας]|κάποιος από την ομάδα μας|κάποιον από την ομάδα μας|εκπρόσωπος|εκπρόσωπο|συνάδελφος|συνάδελφο|άνθρωπος|άνθρωπο|κάποιος|κάποιον',
    explains: 'πώς|εξηγήσω|δείξω|ξέρετε|μάθετε|γιατί|προσθέσετε|προσθέσω|προσκαλέσετε|διαγράψω|αλλάξω',
  },
  he: {
    offers:
      'האם תרצה|האם תרצי|האם תרצו|תרצה|תרצי|תרצו|האם לחבר|האם להעביר|אוכל|אפשר|אני יכול|אני יכולה|נוכל|אם תרצו|אם תרצה|רוצה|רוצים|שאעביר|שאחבר',
    answers:
      'יענה|שיענה|תענה|לענות|לדבר|לשוחח|לחבר|אחבר|שאחבר|להעביר|אעביר|שאעביר|ייצור|שייצור|ליצור|יחזור|שיחזור|יעזור|שיעזור|לעזור',
    who: '[מישהו|אדם|נציג|למישהו] מהצוות|איש צוות|חבר צוות|נציג|לנציג|נציג אנושי|לנציג אנושי|שמישהו מהצוות|שאדם מהצוות|שנציג|מישהו|אדם|עם נציג|עם אדם',
    explains: 'איך|כיצד|אסביר|להסביר|שאסביר|להראות|לדעת|למה|להוסיף|להזמין|למחוק|לשנות',
  },
  ar: {
    offers:
      'هل تريد|هل تود|هل ترغب|هل ترغب في|هل تريدين|هل تريدون|تريد|ترغب|يمكنني|يمكننا|هل أحولك|هل أوصلك|إذا أردت|إذا كنت ترغب|هل تفضل|يمكن أن يجيبك|يمكن أن يساعدك',
    answers:
      'يجيبك|يجيب|أن يجيبك|أن يجيب|بالرد|يرد|يرد عليك|التحدث|تتحدث|التواصل|يتواصل|أحولك|تحويلك|أوصلك|توصيلك|يساعدك|يتصل|بتحويلك|بتوصيلك',
    who: '[شخص|أحد|عضو|موظف|أحد أعضاء] [من|في|] [الفريق|فريقنا]|شخص|موظف|إلى موظف|بموظف|مع موظف|ممثل|بممثل|أحد أعضاء الفريق|أحد أعضاء فريقنا|زميل',
    explains: 'كيف|كيفية|أشرح|شرح|أوضح|لماذا|إضافة|دعوة|حذف|تغيير|معرفة',
  },
  fa: {
    offers:
      'آیا می‌خواهید|می‌خواهید|میخواهید|می‌خواهی|مایلید|آیا مایلید|دوست دارید|ترجیح می‌دهید|می‌توانم|می‌توانیم|اگر بخواهید|اگر مایلید|کنم؟|وصل کنم',
    answers:
      'پاسخ|پاسخ دهد|جواب|جواب دهد|صحبت|صحبت کنید|گفتگو|تماس|وصل|وصل کنم|متصل|منتقل|ارتباط|کمک کند|کمکتان کند|رسیدگی',
    who: '[یکی|شخصی|فردی|کسی|یک نفر] از [اعضای تیم|تیم|تیم ما|همکاران|همکارانم|همکاران ما]|یکی از اعضای تیم ما|همکار|کارشناس|اپراتور|شخص|انسان|همکاران',
    explains: 'چگونه|چطور|توضیح|نشان|چرا|اضافه|دعوت|حذف|تغییر|بدانید',
  },
  ur: {
    offers:
      'کیا آپ چاہتے ہیں|کیا آپ چاہیں گے|کیا آپ چاہتی ہیں|چاہتے ہیں|چاہیں گے|کیا میں|میں آپ|اگر آپ چاہیں|سکتا ہوں|سکتی ہوں|کر دوں|کیا',
    answers: 'جواب|جواب دے|بات|بات کرنا|رابطہ|رابطہ کرے|ملا|ملا دوں|جوڑ|جوڑ دوں|منتقل|مدد کرے|کنیکٹ',
    who: 'ٹیم کا [|کوئی|ایک] [فرد|رکن|شخص]|ٹیم کے [کسی|ایک] [فرد|رکن]|ٹیم میں سے کوئی|نمائندہ|نمائندے|انسان|کوئی شخص|ساتھی|ہماری ٹیم کا کوئی [فرد|رکن]',
    explains: 'کیسے|طریقہ|وضاحت|سمجھا|دکھا|کیوں|شامل|مدعو|حذف|تبدیل|جاننا',
  },
  hi: {
    offers:
      'क्या आप चाहते हैं|क्या आप चाहेंगे|क्या आप चाहती हैं|चाहते हैं|चाहेंगे|क्या मैं|मैं आपको|मैं आपकी|अगर आप चाहें|सकता हूँ|सकता हूं|सकती हूँ|सकती हूं|क्या',
    answers: 'जवाब|उत्तर|जवाब दे|बात|बात करना|संपर्क|संपर्क करे|जोड़|जोड़ दूँ|जोड़ूँ|जोड़ूं|कनेक्ट|मिला|ट्रांसफर|मदद करे|सहायता करे',
    who: 'टीम का [|कोई|एक] [व्यक्ति|सदस्य]|टीम के [किसी|एक] [व्यक्ति|सदस्य]|टीम से कोई|प्रतिनिधि|इंसान|कोई व्यक्ति|सहकर्मी|हमारी टीम का कोई [व्यक्ति|सदस्य]|व्यक्ति',
    explains: 'कैसे|तरीका|समझा|समझाऊँ|दिखा|क्यों|जोड़ना|आमंत्रित|हटाना|बदलना|जानना',
  },
  ko: {
    offers:
      '드릴까요|할까요|원하시나요|원하세요|원하십니까|원하시면|싶으신가요|싶으세요|필요하신가요|필요하세요|드릴 수 있습니다|드릴 수 있어요|연결해 드릴까요|해 드릴까요|도와드릴 수 있습니다|까요',
    answers:
      '답변|답변해|답변을|답변하도록|답변드리도록|연결|연결해|연결을|연락|연락드리도록|연락을|상담|상담을|이야기|이야기하고|대화|대화를|대화하고|전달|도와드리도록|답하도록',
    who: '[담당자|상담원|상담사|직원|팀원|사람|담당 직원] [가|이|와|과|에게|께|님이|님과|님께|으로|로|를|을|]|팀의 담당자가|저희 팀원이',
    explains: '방법|방법을|어떻게|설명|설명해|추가|추가하는|초대|삭제|변경|왜',
  },
}
