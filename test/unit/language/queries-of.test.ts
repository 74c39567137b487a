import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { askedIn, queriesOf, sentencesOf } from '../../../src/language/queries-of.ts'
import { processorTime } from '../../support/processor-time.ts'

const MAIL = `Dear support team,

I took over this project last month. Yesterday I read through the help pages. How do I move
it to another device? My manager would like to know.

Kind regards,
Maria Hoffmann
Head of Digital Projects
Phone +44 20 7946 0958`

describe('what is searched for in a message', () => {
  const cases: [string, message: string, sentences: string[]][] = [
    ['a question alone', 'how do I move it', ['how do I move it']],
    [
      'a greeting and thanks',
      'Hi there, I hope you are doing well! Where is my kettle? Thank you so much for your help.',
      ['Where is my kettle?'],
    ],
    [
      'a greeting in the sentence that says what is wrong',
      'Hi, my invoice is wrong. Can you help?',
      ['Hi, my invoice is wrong.', 'Can you help?'],
    ],
    [
      'a mail whose lines are broken, with a signature',
      MAIL,
      [
        'I took over this project last month.',
        'Yesterday I read through the help pages.',
        'How do I move it to another device?',
        'My manager would like to know.',
      ],
    ],
    [
      'a quote above and below',
      'On Monday, Ann wrote:\n> Please restart it.\n\nThat did not help. What now?\n\n-----Original Message-----\nFrom: Ann\nSend a picture.',
      ['That did not help.', 'What now?'],
    ],
    [
      'a mail that is repeated, in any language of mail programs',
      'Nerede paketim?\n\nGönderen: Ayşe <ayse@example.com>\nKonu: Sipariş\nİyi günler dilerim, siparişiniz yolda.',
      ['Nerede paketim?'],
    ],
    ['a German mail', 'Guten Tag,\nwo ist mein Paket?\n\nViele Grüße\nJo', ['wo ist mein Paket?']],
    ['a Japanese one', 'こんにちは。返品できますか。', ['返品できますか。']],
  ]
  for (const [name, message, sentences] of cases)
    it(name, () => assert.deepEqual(sentencesOf(message), sentences))

  it('is each sentence that asks or states by itself, questions first, and beside its neighbours', () => {
    assert.deepEqual(queriesOf('The kettle leaks. Does it bend? It was a nice day. Rust forms.'), [
      'Does it bend?',
      'The kettle leaks.',
      'Rust forms.',
      'The kettle leaks. Does it bend? It was a nice day.',
      'The kettle leaks. Does it bend?',
      'It was a nice day. Rust forms.',
    ])
  })

  it('is the message as it stands when it only greets', () => {
    assert.deepEqual(queriesOf('Hello!'), ['Hello!'])
  })

  it('is bounded', () => {
    assert.equal(queriesOf('It is so. '.repeat(500)).length <= 16, true)
  })

  it('is read in time that grows with the message, also where that is one line', () => {
    const used = processorTime()
    for (let n = 0; n < 10; n++) sentencesOf('word '.repeat(2000))
    assert.ok(used() < 300)
  })

  it('is the last question that stood before a follow-up', () => {
    assert.equal(askedIn('Where is it? How much is the kettle? I like it.'), 'How much is the kettle?')
    assert.equal(askedIn('kettle price'), 'kettle price')
  })
})

const CLOSINGS = [
  'Z poważaniem',
  'Serdecznie pozdrawiam,',
  'Saygılarımla,',
  'よろしくお願いいたします。',
  'Bien cordialement,',
  'Belle journée',
  'Merci',
  'Merci d’avance,',
  'Grazie',
  'Grazie mille!',
  'Gracias',
  'Obrigado',
  'Vielen Dank',
  'Tack',
  'Dziękuję',
  'Спасибо',
  'Atte.',
  'Cordialmente,',
  'Cumprimentos,',
  'Freundliche Grüße',
  'Mvh',
  'Att.',
  'Üdvözlettel',
  'S pozdravom',
  'Cu stimă,',
  'Trân trọng,',
  'Με εκτίμηση,',
  'בברכה,',
  'مع أطيب التحيات',
]

const FROM_PHONES = [
  'Sent from my iPhone',
  'Sent from Outlook for iOS',
  'Get Outlook for iOS',
  'Von meinem iPhone gesendet',
  'Von meinem Samsung Galaxy Smartphone gesendet.',
  'Gesendet mit der GMX iPhone App',
  'Envoyé de mon iPhone',
  'Enviado desde mi iPhone',
  'Enviado do meu iPhone',
  'Inviato da iPhone',
  'Verzonden vanaf mijn iPhone',
  'Skickat från min iPhone',
  'Sendt fra min iPhone',
  'Lähetetty iPhonesta',
  'Wysłane z iPhone’a',
  'Odesláno z iPhonu',
  'iPhone’umdan gönderildi',
  'iPhoneから送信',
  '从我的iPhone发送',
  '发自我的iPhone',
  'Отправлено с iPhone',
]

/** Lines that close no letter where they stand. */
const IN_BETWEEN = [
  'Gracias',
  'Merci',
  'Danke',
  'Sent to my android phone',
  'Gesendet am Montag',
  'Attention',
]

describe('a message that thanks, greets or has headings before its end', () => {
  const cases: [message: string, kept: string[], left: string[]][] = [
    [
      'Hi Anna\nthanks for getting back to me\nmy invoice is still wrong, can you fix it?',
      ['my invoice is still wrong, can you fix it?'],
      [],
    ],
    [
      'Hi Anna\nthanks for getting back to me, my invoice is still wrong',
      ['thanks for getting back to me, my invoice is still wrong'],
      [],
    ],
    [
      'I cannot log in.\nThanks for your answer yesterday, but it did not help.\nWhat else can I try?',
      ['What else can I try?'],
      [],
    ],
    [
      'My router fails.\nthanks for any help\nThe red light blinks and I cannot connect.',
      ['The red light blinks and I cannot connect.'],
      [],
    ],
    [
      'Meine Waschmaschine ist defekt.\nLG F4WV709\nWas soll ich tun?',
      ['LG F4WV709', 'Was soll ich tun?'],
      [],
    ],
    [
      'Please check this trip.\nVon: Hamburg\nNach: Wien\nWas kostet das Ticket mit Hund?',
      ['Von: Hamburg', 'Was kostet das Ticket mit Hund?'],
      [],
    ],
    ['Two things:\n--- first issue ---\nHow do I cancel?', ['How do I cancel?'], []],
    [
      'I cannot log in.\n\nBest\nJo\n\nOn Monday, Ann wrote:\n> Did you try again?',
      ['I cannot log in.'],
      ['Jo', 'Did you try again?'],
    ],
    [
      'Good morning\nThank you for the refund.\nNow my account shows two subscriptions. Which one do I cancel?',
      ['Which one do I cancel?', 'Now my account shows two subscriptions.'],
      [],
    ],
    [
      'The scanner stopped working.\nBest regards from a rainy Leeds!\nIs there a repair shop near me?',
      ['Is there a repair shop near me?'],
      [],
    ],
    [
      'Hello,\nI need a new invoice.\n\nMany thanks\nOliver Grant\nAcme Ltd.\n+44 20 7946 0102',
      ['I need a new invoice.'],
      ['Oliver Grant', 'Acme Ltd.'],
    ],
    [
      'Please compare two fares.\nFrom: Leeds\nTo: York\nDate: 3 May\nDo students pay less?',
      ['Do students pay less?', 'From: Leeds'],
      [],
    ],
    [
      'It did not help.\n\nFrom: Support <help@shop.example>\nSent: Monday, 5 January 2026 10:12\nTo: Oliver\nSubject: Your scanner\n\nHave you restarted it?',
      ['It did not help.'],
      ['Have you restarted it?'],
    ],
    [
      'Hallo Frau Kern\nvielen Dank für Ihre Mühe\nMein Router blinkt weiterhin rot, was kann ich tun?',
      ['Mein Router blinkt weiterhin rot, was kann ich tun?'],
      [],
    ],
    [
      'Der Kühlschrank taut ab.\nVG-Serie steht auf dem Schild.\nWer repariert ihn?',
      ['Wer repariert ihn?'],
      [],
    ],
    [
      'Die Rechnung stimmt nicht.\n\nMit freundlichen Grüßen\nSabine Kern\nLeiterin Einkauf',
      ['Die Rechnung stimmt nicht.'],
      ['Sabine Kern'],
    ],
    [
      'Das hat nicht geklappt.\n\n-------- Weitergeleitete Nachricht --------\nBetreff: Ihr Router\nDatum: Mon, 5 Jan 2026\nVon: Support\n\nHaben Sie ihn neu gestartet?',
      ['Das hat nicht geklappt.'],
      ['Haben Sie ihn neu gestartet?'],
    ],
    [
      'Mein Gerät ist kaputt.\nMfG\nJens Voss\nPS: Brauche ich die Rechnung dafür?',
      ['PS: Brauche ich die Rechnung dafür?'],
      [],
    ],
    [
      'Bonjour,\nma commande est incomplète.\nCordialement votre client depuis dix ans.\nPuis-je être remboursé ?',
      ['Puis-je être remboursé ?'],
      [],
    ],
    [
      'Je cherche un billet.\nDe : Lyon\nÀ : Nice\nCombien coûte le vélo ?',
      ['Combien coûte le vélo ?', 'De : Lyon'],
      [],
    ],
    [
      'Cela ne marche pas.\n\nDe : Service client\nEnvoyé : lundi 5 janvier 2026 10:12\nÀ : Paul\nObjet : Votre colis\n\nAvez-vous redémarré ?',
      ['Cela ne marche pas.'],
      ['Avez-vous redémarré ?'],
    ],
    [
      'Mon colis est arrivé cassé.\n\nBien à vous,\nPaul Mercier',
      ['Mon colis est arrivé cassé.'],
      ['Paul Mercier'],
    ],
    [
      'No puedo entrar.\nSaludos desde Sevilla\n¿Cómo cambio la contraseña?',
      ['¿Cómo cambio la contraseña?'],
      [],
    ],
    [
      'Busco un vuelo.\nDe: Madrid\nA: Lima\n¿Puedo llevar una bicicleta?',
      ['¿Puedo llevar una bicicleta?'],
      [],
    ],
    ['El pedido llegó tarde.\n\nUn saludo\nLucía Ortega', ['El pedido llegó tarde.'], ['Lucía Ortega']],
    [
      'Ho perso la tessera.\nCordiali saluti da Torino!\nCome ne ottengo una nuova?',
      ['Come ne ottengo una nuova?'],
      [],
    ],
    [
      'Vorrei un biglietto.\nDa: Torino\nA: Bari\nQuanto costa con il cane?',
      ['Quanto costa con il cane?'],
      [],
    ],
    [
      'Non funziona ancora.\n\nDa: Assistenza\nInviato: lunedì 5 gennaio 2026\nA: Marta\nOggetto: La sua tessera\n\nHa provato a riavviare?',
      ['Non funziona ancora.'],
      ['Ha provato a riavviare?'],
    ],
    [
      'De fiets is stuk.\nGroetjes uit Utrecht!\nWaar kan ik hem laten maken?',
      ['Waar kan ik hem laten maken?'],
      [],
    ],
    [
      'De factuur klopt niet.\n\nMet vriendelijke groet,\nPieter van der Berg\nHoofd Inkoop',
      ['De factuur klopt niet.'],
      ['Pieter van der Berg'],
    ],
  ]
  for (const closing of CLOSINGS)
    cases.push([
      `The kettle leaks.\n\n${closing}\nJan Nowak\nSalon Praga`,
      ['The kettle leaks.'],
      ['Jan Nowak', 'Salon Praga'],
    ])
  for (const line of FROM_PHONES)
    cases.push([`The kettle leaks.\n\n${line}\nSalon Praga`, ['The kettle leaks.'], [line, 'Salon Praga']])
  for (const line of IN_BETWEEN)
    cases.push([
      `The kettle leaks.\n${line}\nThe lid of the pot is loose too`,
      ['The lid of the pot is loose too'],
      [],
    ])
  for (const [message, kept, left] of cases)
    it(JSON.stringify(message), () => {
      const sentences = sentencesOf(message)
      assert.deepEqual(
        kept.filter((sentence) => !sentences.includes(sentence)),
        [],
      )
      assert.deepEqual(
        left.filter((sentence) => sentences.includes(sentence)),
        [],
      )
    })

  it('is read in time that grows with its lines', () => {
    for (const line of ['lg\n', 'lg\n\n', 'lg\nI still cannot log in\n', 'from: x\n', '-', '---a-']) {
      const used = processorTime()
      sentencesOf(`The kettle leaks.\n${line.repeat(10_000 / line.length)}`)
      assert.ok(used() < 300, line)
    }
  })
})
