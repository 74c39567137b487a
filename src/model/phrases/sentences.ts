/** The knowledge answerer's own sentences in one language. */
export interface Sentences {
  hello: string
  welcome: string
  /** Says what it does. */
  ask: string
  /** Introduces a list of titles. */
  about: string
  unknown: string
}

/** By ISO 639-1 code of the language. */
export const sentences = {
  en: {
    hello: 'Hello!',
    welcome: "You're welcome! Ask me whenever there is something else.",
    ask: 'I answer questions from my documents.',
    about: 'You can ask me about:',
    unknown: "I don't know: I found nothing about that in my documents. Try asking in other words.",
  },
  de: {
    hello: 'Hallo!',
    welcome: 'Gern geschehen! Fragen Sie mich jederzeit wieder.',
    ask: 'Ich beantworte Fragen aus meinen Dokumenten.',
    about: 'Sie können mich fragen zu:',
    unknown:
      'Das weiß ich nicht: In meinen Dokumenten habe ich nichts dazu gefunden. Versuchen Sie es mit anderen Worten.',
  },
  fr: {
    hello: 'Bonjour !',
    welcome: "Avec plaisir ! N'hésitez pas si vous avez une autre question.",
    ask: 'Je réponds aux questions à partir de mes documents.',
    about: 'Vous pouvez me demander :',
    unknown:
      "Je ne sais pas : je n'ai rien trouvé à ce sujet dans mes documents. Essayez avec d'autres mots.",
  },
  es: {
    hello: '¡Hola!',
    welcome: '¡De nada! Aquí estoy si tiene otra pregunta.',
    ask: 'Respondo preguntas a partir de mis documentos.',
    about: 'Puede preguntarme sobre:',
    unknown: 'No lo sé: no he encontrado nada sobre eso en mis documentos. Pruebe con otras palabras.',
  },
  it: {
    hello: 'Buongiorno!',
    welcome: 'Prego! Mi chieda pure se serve altro.',
    ask: 'Rispondo alle domande dai miei documenti.',
    about: 'Può chiedermi di:',
    unknown: 'Non lo so: nei miei documenti non ho trovato nulla al riguardo. Provi con altre parole.',
  },
  pt: {
    hello: 'Olá!',
    welcome: 'De nada! Pergunte quando precisar.',
    ask: 'Respondo a perguntas a partir dos meus documentos.',
    about: 'Pode perguntar-me sobre:',
    unknown: 'Não sei: não encontrei nada sobre isso nos meus documentos. Tente com outras palavras.',
  },
  nl: {
    hello: 'Hallo!',
    welcome: 'Graag gedaan! Vraag gerust verder.',
    ask: 'Ik beantwoord vragen uit mijn documenten.',
    about: 'U kunt mij vragen naar:',
    unknown: 'Dat weet ik niet: ik vond er niets over in mijn documenten. Probeer het met andere woorden.',
  },
  ja: {
    hello: 'こんにちは。',
    welcome: 'どういたしまして。ほかにもご質問があればどうぞ。',
    ask: '手元の資料から質問にお答えします。',
    about: '次のことについてお尋ねください：',
    unknown: 'わかりません。手元の資料には見つかりませんでした。別の言葉でお試しください。',
  },
  zh: {
    hello: '您好！',
    welcome: '不客气！有其他问题请随时问我。',
    ask: '我根据我的资料回答问题。',
    about: '您可以问我：',
    unknown: '我不知道：我的资料中没有找到相关内容。请换个说法试试。',
  },
  th: {
    hello: 'สวัสดี',
    welcome: 'ด้วยความยินดี มีคำถามอื่นถามได้เสมอ',
    ask: 'ฉันตอบคำถามจากเอกสารที่มีอยู่',
    about: 'คุณถามฉันได้เกี่ยวกับ:',
    unknown: 'ฉันไม่ทราบ ไม่พบข้อมูลเรื่องนี้ในเอกสารของฉัน ลองถามด้วยคำอื่น',
  },
  sv: {
    hello: 'Hej!',
    welcome: 'Varsågod! Fråga gärna igen.',
    ask: 'Jag svarar på frågor utifrån mina dokument.',
    about: 'Du kan fråga mig om:',
    unknown: 'Det vet jag inte: jag hittade inget om det i mina dokument. Försök gärna med andra ord.',
  },
  da: {
    hello: 'Hej!',
    welcome: 'Selv tak! Spørg endelig igen.',
    ask: 'Jeg besvarer spørgsmål ud fra mine dokumenter.',
    about: 'Du kan spørge mig om:',
    unknown: 'Det ved jeg ikke: Jeg fandt ikke noget om det i mine dokumenter. Prøv med andre ord.',
  },
  no: {
    hello: 'Hei!',
    welcome: 'Bare hyggelig! Spør gjerne igjen.',
    ask: 'Jeg svarer på spørsmål ut fra dokumentene mine.',
    about: 'Du kan spørre meg om:',
    unknown: 'Det vet jeg ikke: Jeg fant ikke noe om det i dokumentene mine. Prøv gjerne med andre ord.',
  },
  fi: {
    hello: 'Hei!',
    welcome: 'Ole hyvä! Kysy toki lisää.',
    ask: 'Vastaan kysymyksiin asiakirjojeni perusteella.',
    about: 'Voit kysyä minulta esimerkiksi näistä:',
    unknown: 'En tiedä: en löytänyt siitä mitään asiakirjoistani. Kokeile kysyä toisin sanoin.',
  },
  pl: {
    hello: 'Dzień dobry!',
    welcome: 'Proszę bardzo! Chętnie odpowiem na kolejne pytania.',
    ask: 'Odpowiadam na pytania na podstawie moich dokumentów.',
    about: 'Można mnie zapytać o:',
    unknown: 'Nie wiem: w moich dokumentach nic o tym nie ma. Proszę spróbować innymi słowami.',
  },
  cs: {
    hello: 'Dobrý den!',
    welcome: 'Není zač! Klidně se ptejte dál.',
    ask: 'Odpovídám na otázky podle svých dokumentů.',
    about: 'Můžete se mě zeptat na:',
    unknown: 'Nevím: v mých dokumentech o tom nic není. Zkuste to prosím jinými slovy.',
  },
  sk: {
    hello: 'Dobrý deň!',
    welcome: 'Niet za čo! Pokojne sa pýtajte ďalej.',
    ask: 'Odpovedám na otázky podľa svojich dokumentov.',
    about: 'Môžete sa ma opýtať na:',
    unknown: 'Neviem: v mojich dokumentoch o tom nič nie je. Skúste to, prosím, inými slovami.',
  },
  ro: {
    hello: 'Bună ziua!',
    welcome: 'Cu plăcere! Mă puteți întreba oricând.',
    ask: 'Răspund la întrebări pe baza documentelor mele.',
    about: 'Mă puteți întreba despre:',
    unknown: 'Nu știu: nu am găsit nimic despre asta în documentele mele. Încercați cu alte cuvinte.',
  },
  hu: {
    hello: 'Jó napot!',
    welcome: 'Szívesen! Kérdezzen bátran máskor is.',
    ask: 'A dokumentumaim alapján válaszolok a kérdésekre.',
    about: 'Ezekről kérdezhet:',
    unknown: 'Nem tudom: erről semmit sem találtam a dokumentumaimban. Próbálja meg más szavakkal.',
  },
  tr: {
    hello: 'Merhaba!',
    welcome: 'Rica ederim! Başka bir sorunuz olursa yine sorabilirsiniz.',
    ask: 'Soruları belgelerime dayanarak yanıtlıyorum.',
    about: 'Bana şunları sorabilirsiniz:',
    unknown: 'Bilmiyorum: Belgelerimde bu konuda bir şey bulamadım. Başka sözcüklerle sormayı deneyin.',
  },
  vi: {
    hello: 'Xin chào!',
    welcome: 'Rất vui được giúp bạn! Bạn cứ hỏi thêm nhé.',
    ask: 'Tôi trả lời câu hỏi dựa trên tài liệu của mình.',
    about: 'Bạn có thể hỏi tôi về:',
    unknown:
      'Tôi không biết: tôi không tìm thấy thông tin nào về điều này trong tài liệu của mình. Bạn hãy thử hỏi bằng từ khác.',
  },
  id: {
    hello: 'Halo!',
    welcome: 'Sama-sama! Silakan bertanya lagi kapan saja.',
    ask: 'Saya menjawab pertanyaan berdasarkan dokumen saya.',
    about: 'Anda dapat bertanya kepada saya tentang:',
    unknown:
      'Saya tidak tahu: saya tidak menemukan apa pun tentang hal itu dalam dokumen saya. Coba gunakan kata-kata lain.',
  },
  ca: {
    hello: 'Hola!',
    welcome: 'De res! Pregunteu-me quan vulgueu.',
    ask: 'Responc preguntes a partir dels meus documents.',
    about: 'Em podeu preguntar sobre:',
    unknown: 'No ho sé: no he trobat res sobre això als meus documents. Proveu-ho amb altres paraules.',
  },
  hr: {
    hello: 'Dobar dan!',
    welcome: 'Nema na čemu! Slobodno pitajte i dalje.',
    ask: 'Odgovaram na pitanja na temelju svojih dokumenata.',
    about: 'Možete me pitati o sljedećem:',
    unknown: 'Ne znam: u svojim dokumentima nemam ništa o tome. Pokušajte drugim riječima.',
  },
  ru: {
    hello: 'Здравствуйте!',
    welcome: 'Пожалуйста! Обращайтесь, если появятся другие вопросы.',
    ask: 'Я отвечаю на вопросы по своим документам.',
    about: 'Вы можете спросить меня о следующем:',
    unknown: 'Я не знаю: в моих документах об этом ничего нет. Попробуйте спросить другими словами.',
  },
  uk: {
    hello: 'Вітаю!',
    welcome: 'Будь ласка! Звертайтеся, якщо матимете інші запитання.',
    ask: 'Я відповідаю на запитання за своїми документами.',
    about: 'Ви можете запитати мене про таке:',
    unknown: 'Я не знаю: у моїх документах про це нічого немає. Спробуйте запитати іншими словами.',
  },
  bg: {
    hello: 'Здравейте!',
    welcome: 'Моля! Питайте, когато имате друг въпрос.',
    ask: 'Отговарям на въпроси въз основа на своите документи.',
    about: 'Можете да ме попитате за:',
    unknown: 'Не знам: в документите ми няма нищо за това. Опитайте с други думи.',
  },
  sr: {
    hello: 'Добар дан!',
    welcome: 'Нема на чему! Слободно питајте и даље.',
    ask: 'Одговарам на питања на основу својих докумената.',
    about: 'Можете ме питати о следећем:',
    unknown: 'Не знам: у мојим документима нема ничега о томе. Покушајте другим речима.',
  },
  el: {
    hello: 'Γεια σας!',
    welcome: 'Παρακαλώ! Ρωτήστε με όποτε θέλετε.',
    ask: 'Απαντώ σε ερωτήσεις με βάση τα έγγραφά μου.',
    about: 'Μπορείτε να με ρωτήσετε για:',
    unknown: 'Δεν ξέρω: δεν βρήκα τίποτα σχετικό στα έγγραφά μου. Δοκιμάστε με άλλα λόγια.',
  },
  he: {
    hello: 'שלום!',
    welcome: 'בשמחה! אפשר לשאול אותי שוב בכל עת.',
    ask: 'אני עונה על שאלות מתוך המסמכים שלי.',
    about: 'אפשר לשאול אותי על:',
    unknown: 'אין לי תשובה: לא מצאתי על כך דבר במסמכים שלי. כדאי לנסות במילים אחרות.',
  },
  ar: {
    hello: 'مرحبًا!',
    welcome: 'على الرحب والسعة! يسعدني الرد على أي سؤال آخر.',
    ask: 'أجيب عن الأسئلة من مستنداتي.',
    about: 'يمكنك أن تسألني عن:',
    unknown: 'لا أعرف: لم أجد شيئًا عن ذلك في مستنداتي. يمكنك تجربة كلمات أخرى.',
  },
  fa: {
    hello: 'سلام!',
    welcome: 'خواهش می‌کنم! اگر پرسش دیگری داشتید، بپرسید.',
    ask: 'من بر پایهٔ اسنادم به پرسش‌ها پاسخ می‌دهم.',
    about: 'می‌توانید دربارهٔ این‌ها از من بپرسید:',
    unknown: 'نمی‌دانم: در اسنادم چیزی دربارهٔ آن پیدا نکردم. لطفاً با واژه‌های دیگری بپرسید.',
  },
  ur: {
    hello: 'السلام علیکم!',
    welcome: 'کوئی بات نہیں! کوئی اور سوال ہو تو ضرور پوچھیں۔',
    ask: 'سوالوں کے جواب میری دستاویزات سے دیے جاتے ہیں۔',
    about: 'آپ مجھ سے ان کے بارے میں پوچھ سکتے ہیں:',
    unknown: 'مجھے معلوم نہیں: میری دستاویزات میں اس بارے میں کچھ نہیں ملا۔ براہ کرم دوسرے الفاظ میں پوچھیں۔',
  },
  hi: {
    hello: 'नमस्ते!',
    welcome: 'आपका स्वागत है! कोई और सवाल हो तो ज़रूर पूछें।',
    ask: 'सवालों के जवाब मेरे दस्तावेज़ों से दिए जाते हैं।',
    about: 'आप मुझसे इनके बारे में पूछ सकते हैं:',
    unknown: 'मुझे नहीं पता: मेरे दस्तावेज़ों में इसके बारे में कुछ नहीं मिला। कृपया दूसरे शब्दों में पूछें।',
  },
  ko: {
    hello: '안녕하세요!',
    welcome: '천만에요! 궁금한 점이 있으면 언제든지 물어보세요.',
    ask: '제가 가진 문서를 바탕으로 질문에 답합니다.',
    about: '다음과 같은 내용을 물어보실 수 있습니다:',
    unknown:
      '잘 모르겠습니다. 제가 가진 문서에서 관련 내용을 찾지 못했습니다. 다른 표현으로 다시 물어봐 주세요.',
  },
} as const satisfies Record<string, Sentences>

export type Language = keyof typeof sentences
