import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { labelledMessages, measure, takenFor } from '../../../bench/talk.ts'
import { accepts, offersPerson, smallTalk, wishesForPerson } from '../../../src/language/small-talk.ts'
import { asksForPerson } from '../../../src/model/asks-for-person.ts'
import type { ModelMessage } from '../../../src/model/model.ts'
import { languageOfTalk } from '../../../src/model/phrases/phrases.ts'
import { sentences } from '../../../src/model/phrases/sentences.ts'
import { processorTime } from '../../support/processor-time.ts'

describe('small talk and wishes', () => {
  const labelled = labelledMessages()
  for (const isHeldBack of [false, true]) {
    const messages = labelled.filter((one) => one.isHeldBack === isHeldBack)
    for (const [what, kinds] of [
      ['wishes', (kind: string) => kind === 'wish'],
      ['small talk', (kind: string) => kind !== 'wish' && kind !== 'question'],
    ] as const) {
      test(`${what} are told from questions, ${isHeldBack ? 'held back' : 'looked at'}`, () => {
        const { taken, meant, right } = measure(messages, kinds)
        assert.ok(meant >= 35, String(meant))
        assert.ok(right >= taken * 0.97, `precision ${right} of ${taken}`)
        assert.ok(right >= meant * 0.9, `recall ${right} of ${meant}`)
      })
    }
  }

  test('a wish in a message of several sentences, and one that is only talked about', () => {
    const mail = 'Hello,\n\nmy parcel of last week never came, and the tracking page says nothing at all.'
    assert.equal(wishesForPerson(`${mail} Can I talk to a human?\n\nBest regards\nAnn`), true)
    assert.equal(wishesForPerson(`${mail} This bot is of no use, let me speak to someone.`), true)
    assert.equal(wishesForPerson(`${mail} A human wrote that it had left.`), false)
    assert.equal(wishesForPerson('Where do I change "I want to talk to a person"?'), false)
    assert.equal(wishesForPerson('x'.repeat(1_000_000)), false)
    // A name by itself is a wish only as the whole message.
    assert.equal(wishesForPerson('It does not work. Agent. What now?'), false)
  })

  test('a wish is heard beside something in quotation marks, and not within them', () => {
    for (const said of [
      'My 55" TV is broken. I want to talk to a human.',
      'The screen says "Error 5". Please connect me to a human.',
      'It is 5\' 11" high. I want to talk to a human.',
      "It says 'Error 5'. I want to talk to a human.",
      'Auf dem Bildschirm steht „Fehler 5“. Ich möchte mit einem Menschen sprechen.',
      'L’écran affiche « Erreur 5 ». Je veux parler à un humain.',
      'I clicked “Pay” twice. I want to talk to a human.',
    ])
      assert.equal(wishesForPerson(said), true, said)
    for (const said of [
      'She wrote "I want to talk to a human." What now?',
      'She wrote “It is late. I want to talk to a human.” What now?',
      'Was heißt „Ich möchte mit einem Menschen sprechen“?',
      'What is sent for `I want to talk to a human`?',
      'She wrote "I want to talk to a human.',
    ])
      assert.equal(wishesForPerson(said), false, said)
    assert.equal(offersPerson('Would you like to talk to a person about “Lamp”?'), true)
  })

  test('no message takes long', () => {
    for (const word of [
      'ok ',
      'yes ',
      'can i please a human now ',
      '请好',
      '好好',
      'はい',
      'ครับ',
      'who are you or a ',
      '“',
      '"a ',
      " 'a",
    ]) {
      const text = word.repeat(200 / word.length)
      const used = processorTime()
      smallTalk(text)
      accepts(text)
      wishesForPerson(`${text.slice(0, 100)}. `.repeat(24))
      assert.ok(used() < 2000, word)
    }
  })

  test('the language is that of the words, or none where many say so', () => {
    assert.deepEqual(smallTalk('vielen Dank, tschüss'), { kind: 'thanks', languages: ['de'] })
    assert.deepEqual(smallTalk('👍🏽'), { kind: 'acknowledgement', languages: [] })
    assert.deepEqual(smallTalk('👎'), { kind: 'refusal', languages: [] })
    assert.ok((smallTalk('ok')?.languages.length ?? 0) > 20)
  })

  test('a word of several languages is answered in that of the conversation, English or its home', () => {
    for (const said of ['no thanks', 'no, thank you', 'No thanks, that is all', 'no', 'ok', 'super thanks'])
      assert.equal(languageOfTalk(said, [said]), 'en', said)
    assert.equal(languageOfTalk('merci', ['merci']), 'fr')
    assert.equal(languageOfTalk('merci', ['Wie lange dauert der Versand?', 'merci']), 'de')
    assert.equal(languageOfTalk('ciao', ['Quanto costa la spedizione in Italia?', 'ciao']), 'it')
    assert.equal(languageOfTalk('no', ['¿Cuánto cuesta el envío a Francia?', 'no']), 'es')
    assert.equal(languageOfTalk('tak', ['Ile kosztuje wysyłka do Niemiec?', 'tak']), 'pl')
  })

  test('a no is a refusal in each language, and no thanks; a yes and a no wish for nobody', () => {
    for (const [language, no] of Object.entries(NO)) {
      const talk = smallTalk(no)
      assert.equal(talk?.kind, 'refusal', no)
      assert.ok(
        talk.languages.some((one) => one === language),
        no,
      )
      assert.equal(accepts(no), false, no)
    }
    for (const said of ['no thanks', 'Nein, vielen Dank', 'いいえ、結構です', 'non, merci', 'нет, спасибо'])
      assert.equal(smallTalk(said)?.kind, 'acknowledgement', said)
    for (const said of ['no agent', 'no person', 'yes', 'nope'])
      assert.equal(wishesForPerson(said), false, said)
    assert.equal(wishesForPerson("I don't want to talk to a bot"), true)
  })

  test('what does not work is no small talk, but a no with a sign behind it is', () => {
    const negated = Object.values(NEGATED).flatMap(([said]) => [said, `${said}!`, said.toUpperCase()])
    assert.deepEqual(
      negated.filter((text) => smallTalk(text) !== null),
      [],
    )
    const parted = Object.values(NEGATED).flatMap(([, ...parted]) => parted)
    assert.deepEqual(
      parted.filter((text) => smallTalk(text)?.kind !== 'acknowledgement'),
      [],
    )
  })

  test('what does not work is none with thanks, a yes or a second no beside it', () => {
    for (const said of [
      'No me sirve, gracias',
      'No, no funciona',
      'Ok, no entiendo',
      'Gracias, pero no funciona',
      'Não, não entendi, obrigado',
      'not really helpful',
      'das funktioniert jetzt nicht',
      'niet echt duidelijk',
      'pas vraiment clair',
      'tốt không?',
      'अच्छा नहीं',
      '好不好',
      '没有帮助',
      'no ayuda',
    ])
      assert.equal(smallTalk(said), null, said)
    for (const said of [
      'no thanks',
      'No gracias',
      'ok no thanks',
      'No that is all',
      'nein alles klar',
      'нет все понятно',
    ])
      assert.equal(smallTalk(said)?.kind, 'acknowledgement', said)
    assert.equal(smallTalk('not really')?.kind, 'refusal')
  })

  test('something solved is small talk in each language', () => {
    const unread = Object.values(SOLVED)
      .flat()
      .filter((text) => !/^(?:acknowledgement|thanks)$/.test(smallTalk(text)?.kind ?? ''))
    assert.deepEqual(unread, [])
  })

  test('something that is not solved is no small talk', () => {
    for (const said of [
      'not solved',
      'solved? ',
      'Funktioniert jetzt?',
      '¿Ya funciona?',
      'Уже работает?',
      '解决了？',
      'funktioniert jetzt nicht',
      'geht wieder nicht',
      'Ya no funciona',
      'no está resuelto',
      'non risolto',
      'não resolveu',
      'nog niet opgelost',
      'nie udało się',
      'не получилось',
      'nem sikerült',
      'nu s-a rezolvat',
      'لا يعمل الآن',
      '没有解决',
      'chưa giải quyết',
    ])
      assert.equal(smallTalk(said), null, said)
  })

  test('a wish may name its reason before the verb, or first', () => {
    for (const said of [
      'Ich möchte mit jemandem über meinen gebrochenen Rahmen reden',
      'Ik wil met iemand over mijn factuur praten',
      '壊れたフレームについて誰かと話したいです',
      '고장난 프레임에 대해 상담원과 이야기하고 싶어요',
    ])
      assert.equal(wishesForPerson(said), true, said)
    assert.equal(wishesForPerson('Kann ich mit euch über WhatsApp schreiben?'), false)
    assert.equal(wishesForPerson("I don't want to talk to a human"), false)
  })

  test('an offer in words of a model, and what only speaks of persons', () => {
    for (const offer of OFFERED) assert.equal(offersPerson(offer), true, offer)
    for (const text of NOT_OFFERED) assert.equal(offersPerson(text), false, text)
    const said = (content: string, answer: string) =>
      asksForPerson(
        [
          { role: 'user', content: 'x' },
          { role: 'assistant', content },
          { role: 'user', content: answer },
        ],
        {},
      )
    for (const yes of ['yes please', 'Ja, gerne', 'sure'])
      assert.equal(said(OFFERED[0] as string, yes), true, yes)
    for (const no of ['👍', 'ok', 'no', 'yes but how?'])
      assert.equal(said(OFFERED[0] as string, no), false, no)
    assert.equal(said('Is the account owned by a person?', 'yes'), false)
    assert.equal(said(sentences.en.offer, '👍'), false)
  })

  for (const [language, { offer }] of Object.entries(sentences)) {
    test(`${language}: the offered word and a yes lead to a person`, () => {
      const [, word = ''] = /["“”„«»「‘’』](.+?)["“”„«»」‘’』]/u.exec(offer) ?? []
      assert.equal(takenFor(word), 'wish', `${word} in ${offer}`)
      const said: ModelMessage[] = [
        { role: 'user', content: 'x' },
        { role: 'assistant', content: `y\n\n${offer}` },
      ]
      assert.equal(asksForPerson([...said, { role: 'user', content: word.toUpperCase() }], {}), true)
      const yes = YES[language as keyof typeof YES]
      assert.equal(accepts(yes), true, yes)
      assert.equal(asksForPerson([...said, { role: 'user', content: yes }], {}), true)
    })
  }

  test('a yes counts only right after the offer, in the operator\u2019s words too', () => {
    const offered = (content: string): ModelMessage[] => [
      { role: 'user', content: 'x' },
      { role: 'assistant', content },
      { role: 'user', content: 'Yes, please!' },
    ]
    assert.equal(asksForPerson(offered('Ask Ann?'), {}), false)
    assert.equal(asksForPerson(offered('No idea. Ask Ann?'), { en: { offer: 'Ask Ann?' } }), true)
    const later: ModelMessage[] = [...offered(sentences.en.offer), { role: 'assistant', content: 'Fine.' }]
    assert.equal(asksForPerson([...later, { role: 'user', content: 'yes' }], {}), false)
    assert.equal(asksForPerson([...offered(sentences.en.offer), { role: 'tool', content: 'yes' }], {}), false)
    const but: ModelMessage[] = [
      ...offered(sentences.en.offer).slice(0, 2),
      { role: 'user', content: 'yes but how?' },
    ]
    assert.equal(asksForPerson(but, {}), false)
  })
})

const YES = {
  ...{ en: 'yes please', de: 'Ja bitte', fr: 'oui, merci', es: 'sí, por favor', it: 'sì grazie', pt: 'sim' },
  ...{ nl: 'ja graag', ja: 'はい、お願いします', zh: '好的', th: 'ใช่ครับ', sv: 'ja tack', da: 'ja tak' },
  ...{ no: 'ja takk', fi: 'kyllä kiitos', pl: 'tak, poproszę', cs: 'ano, prosím', sk: 'áno, prosím' },
  ...{ ro: 'da, vă rog', hu: 'igen, kérem', tr: 'evet lütfen', vi: 'vâng ạ', id: 'iya, tolong' },
  ...{ ca: 'sí, si us plau', hr: 'da, molim', ru: 'да, пожалуйста', uk: 'так, будь ласка', bg: 'да, моля' },
  ...{ sr: 'да, молим', el: 'ναι, παρακαλώ', he: 'כן, בבקשה', ar: 'نعم، من فضلك', fa: 'بله، لطفا' },
  ...{ ur: 'جی ہاں', hi: 'जी हाँ', ko: '네, 부탁드립니다' },
} as const

const NO = {
  en: 'nope',
  de: 'nein',
  fr: 'non',
  es: 'no',
  it: 'no',
  pt: 'não',
  nl: 'nee',
  ja: 'いいえ',
  zh: '不用',
  th: 'ไม่',
  sv: 'nej',
  da: 'nej',
  no: 'nei',
  fi: 'ei',
  pl: 'nie',
  cs: 'ne',
  sk: 'nie',
  ro: 'nu',
  hu: 'nem',
  tr: 'hayır',
  vi: 'không',
  id: 'tidak',
  ca: 'no',
  hr: 'ne',
  ru: 'нет',
  uk: 'ні',
  bg: 'не',
  sr: 'не',
  el: 'όχι',
  he: 'לא',
  ar: 'لا',
  fa: 'نه',
  ur: 'نہیں',
  hi: 'नहीं',
  ko: '아니요',
}

/** Sayings of what does not work, and acknowledgements behind a no, by language. */
const NEGATED = {
  ca: ['No funciona', 'No, perfecte', 'No gràcies'],
  es: ['no entiendo', 'No, perfecto', 'No - perfecto', 'No, gracias', 'no nada más'],
  pt: ['Não entendi', 'Não, perfeito', 'não obrigado'],
  pl: ['Nie działa', 'Nie, jasne', 'nie dziękuję'],
  cs: ['ne funguje', 'Ne, jasně', 'ne děkuji'],
  sk: ['nie je to jasné', 'Nie, jasné', 'nie ďakujem'],
  hr: ['ne radi', 'Ne, jasno', 'ne hvala'],
  ro: ['nu funcționează', 'Nu, perfect', 'nu mulțumesc'],
  hu: ['nem segített', 'Nem, rendben', 'nem köszönöm'],
  fi: ['ei oikein hyvä', 'Ei, selvä', 'ei kiitos'],
  ru: ['Не работает', 'Нет, понятно', 'не, спасибо'],
  bg: ['Не работи', 'Не, разбрах', 'не благодаря'],
  sr: ['не ради', 'Не, јасно', 'не хвала'],
  el: ['όχι πολύ καλά', 'Όχι, κατάλαβα', 'όχι ευχαριστώ'],
  he: ['לא עובד', 'לא, הבנתי', 'לא תודה'],
  ar: ['لا يعمل', 'لا، فهمت', 'لا شكرا'],
  fa: ['نه خیلی خوب', 'نه، فهمیدم', 'نه ممنون'],
  hi: ['ठीक नहीं', 'नहीं, ठीक है', 'नहीं धन्यवाद'],
  ur: ['اچھا نہیں', 'نہیں، ٹھیک ہے', 'نہیں شکریہ'],
  vi: ['không tốt', 'Không, được rồi', 'không cảm ơn'],
  id: ['tidak membantu', 'Tidak, mengerti', 'tidak terima kasih'],
  th: ['ไม่เข้าใจครับ', 'ไม่ เข้าใจแล้วครับ', 'ไม่ครับ เข้าใจแล้ว'],
  zh: ['不行', '不，好的', '不 好的', '没有了'],
} as const

const SOLVED = {
  en: ["Thanks, it's solved", 'Fixed it, thanks!', 'works again', 'all sorted', 'Got it working now'],
  de: [
    'Danke, hat sich erledigt',
    'Problem gelöst, danke!',
    'Funktioniert jetzt',
    "Hab's gefunden",
    "Jetzt geht's wieder",
  ],
  fr: ['Problème résolu, merci', 'ça marche maintenant, merci', 'C’est réglé'],
  es: ['Ya funciona, gracias', 'Solucionado, gracias', 'ya lo resolví', 'ya quedó, gracias'],
  it: ['Risolto, grazie', 'Ora funziona', 'tutto a posto grazie'],
  pt: ['Resolvido, obrigado', 'Já está resolvido', 'Agora funcionou, obrigada'],
  nl: ['Opgelost, bedankt', 'Het werkt weer', 'gelukt!'],
  ja: ['解決しました。ありがとうございます', '直りました'],
  zh: ['问题已解决，谢谢', '搞定了'],
  th: ['ใช้ได้แล้วครับ ขอบคุณครับ', 'เรียบร้อยแล้วค่ะ'],
  sv: ['Löst, tack', 'Nu fungerar det'],
  da: ['Løst, tak', 'nu virker det'],
  no: ['Det ordnet seg, takk', 'nå virker det'],
  fi: ['Ongelma ratkesi, kiitos', 'nyt toimii'],
  pl: ['Już działa, dziękuję', 'Problem rozwiązany', 'udało się, dzięki'],
  cs: ['Už to funguje, díky', 'vyřešeno'],
  sk: ['Už to funguje, ďakujem', 'vyriešené'],
  ro: ['S-a rezolvat, mulțumesc', 'acum merge'],
  hu: ['Megoldódott, köszönöm', 'most már működik'],
  tr: ['Çözüldü, teşekkürler', 'sorun çözüldü', 'şimdi oldu'],
  vi: ['Đã giải quyết xong, cảm ơn', 'giờ được rồi'],
  id: ['Sudah teratasi, terima kasih', 'masalah sudah selesai'],
  ca: ['Ja funciona, gràcies', 'solucionat'],
  hr: ['Riješeno, hvala', 'sada radi', 'riješio sam, hvala'],
  ru: ['Вопрос решён, спасибо', 'Уже работает', 'получилось, спасибо'],
  uk: ['Вже працює, дякую', 'питання вирішено'],
  bg: ['Вече работи, благодаря', 'реши се, благодаря'],
  sr: ['Решено, хвала', 'све ради, хвала'],
  el: ['Λύθηκε, ευχαριστώ', 'τώρα δουλεύει'],
  he: ['נפתר, תודה', 'עכשיו זה עובד'],
  ar: ['تم حل المشكلة، شكرا', 'يعمل الآن'],
  fa: ['مشکل حل شد، ممنون', 'درست شد'],
  ur: ['مسئلہ حل ہو گیا، شکریہ', 'اب ٹھیک ہے'],
  hi: ['समस्या हल हो गई, धन्यवाद', 'अब ठीक है'],
  ko: ['해결됐습니다, 감사합니다', '이제 돼요'],
} as const

const OFFERED = [
  'Would you like a person of the team to answer?',
  'Shall I connect you with a human?',
  'I do not know that. A person from our team can answer you.',
  'Would you like to speak with someone from the team?',
  'Would you like to have a team member answer this?',
  'Let me know if you would like to talk to someone from our team.',
  'Soll sich jemand aus dem Team bei Ihnen melden?',
  'I am sorry, I do not know. If you like, a colleague can get back to you. Just say yes.',
  'Möchten Sie, dass eine Person aus dem Team antwortet?',
  'Soll ich Sie mit einem Mitarbeiter verbinden?',
  'Kann ich Sie an einen Menschen weiterleiten?',
  'Voulez-vous qu’une personne de l’équipe vous réponde ?',
  'Souhaitez-vous parler à un conseiller ?',
  '¿Quiere que alguien del equipo le responda?',
  '¿Desea hablar con una persona?',
  'Vuole che qualcuno del team le risponda?',
  'Quer que alguém da equipa lhe responda?',
  'Gostaria de falar com uma pessoa?',
  'Wilt u dat iemand van het team antwoordt?',
  '担当者におつなぎしましょうか？',
  '担当者からの回答をご希望ですか？',
  '需要我为您转接人工客服吗？',
  '您想让团队成员回复您吗？',
  'ต้องการให้เจ้าหน้าที่ตอบคุณไหม',
  'Vill du att någon i teamet svarar?',
  'Vil du have, at en fra teamet svarer?',
  'Vil du at noen fra teamet skal svare?',
  'Haluatko, että joku tiimistämme vastaa sinulle?',
  'Czy chcesz, aby ktoś z zespołu odpowiedział?',
  'Chcete, aby vám odpověděl někdo z týmu?',
  'Chcete, aby vám odpovedal niekto z tímu?',
  'Doriți să vă răspundă cineva din echipă?',
  'Szeretné, hogy csapatunk egyik tagja válaszoljon?',
  'Ekipten birinin yanıt vermesini ister misiniz?',
  'Sizi bir temsilciye bağlayayım mı?',
  'Bạn có muốn một người trong nhóm trả lời không?',
  'Apakah Anda ingin seseorang dari tim menjawab?',
  'Voleu que us respongui algú de l’equip?',
  'Želite li da vam odgovori netko iz tima?',
  'Хотите, чтобы вам ответил сотрудник команды?',
  'Соединить вас с оператором? Могу позвать человека.',
  'Хочете, щоб вам відповів хтось із команди?',
  'Искате ли да ви отговори човек от екипа?',
  'Желите ли да вам одговори неко из тима?',
  'Θέλετε να σας απαντήσει κάποιος από την ομάδα;',
  'תרצו שמישהו מהצוות יענה לכם?',
  'هل تريد أن يجيبك شخص من الفريق؟',
  'آیا می‌خواهید یکی از اعضای تیم پاسخ دهد؟',
  'کیا آپ چاہتے ہیں کہ ٹیم کا کوئی فرد جواب دے؟',
  'क्या आप चाहते हैं कि टीम का कोई व्यक्ति जवाब दे?',
  '담당자에게 연결해 드릴까요?',
  '팀의 담당자가 답변하도록 할까요?',
  'Shall I ask someone from the team to get in touch?',
  'Do you want me to pass this on to a colleague?',
  'Would you like me to forward your question to our support team?',
  'I can connect you to a person if you like.',
]

const NOT_OFFERED = [
  'Is the account owned by a person?',
  'Would you like to add a person to your account?',
  'Do you want to know how to invite a person?',
  'Shall I explain how the agent answers questions?',
  'A person can answer each survey once. Is that clear?',
  'Is it a gift for a person?',
  'Would you like to return the kettle?',
  'Do you want to speak about your order?',
  'Can I help you with anything else?',
  'A human wrote this. Do you agree?',
  'Shall I show you how to contact support?',
  'Would you like a person to answer? Or do you have an order number?',
  'Does the table seat one person?',
  'Is your colleague the owner of the account?',
  'Soll ich Ihnen erklären, wie man eine Person hinzufügt?',
  'Ist das Konto auf eine Person angemeldet?',
  'Gehört das Konto einer Person?',
  '¿La cuenta es de una persona?',
  'Le compte appartient-il à une personne ?',
  'Did a colleague already answer you?',
  'A person from the team will answer you here.',
  'Can I add a person?',
  'Let me know if you want to know who answers: a person or a bot.',
  'Let me know if you want to invite a person to answer.',
  'Do you have a customer number?',
  'Would you like the order shipped to another person?',
  'Did someone from support contact you?',
  'Hat sich schon jemand gemeldet?',
  'Do you want to transfer the ticket to another person?',
  'Would you like to chat about the price?',
  'Do you want to forward the invoice to another person?',
  'Can I pass your parcel to a neighbour?',
  'Shall I send the reply to your colleague?',
]
