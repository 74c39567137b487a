import { bestTag } from '../../language/best-tag.ts'

/** The words around the answers in a mail, and those of the page on which such mail is stopped. */
export interface ContinuedWords {
  /** `{name}` is the agent's name. */
  subject: string
  intro: string
  /** A person who has no name. */
  team: string
  /** `{names}` are those of the files of a message. */
  files: string
  reply: string
  /** Leads to the page with the chat. */
  back: string
  stop: string
  stopTitle: string
  stopText: string
  stopButton: string
  stopped: string
}

const en: ContinuedWords = {
  subject: 'Your chat with {name}',
  intro: 'You left this address in the chat with {name}. This came after you had left the page:',
  team: 'Team',
  files: 'Files in the chat: {names}',
  reply: 'To answer, just reply to this mail.',
  back: 'Or go back to the chat:',
  stop: 'You did not leave this address, or want no more of this? Stop these mails:',
  stopTitle: 'Stop these mails?',
  stopText: 'Then answers in this chat no longer go to your address.',
  stopButton: 'Stop these mails',
  stopped: 'You get no more mail from this chat. If you write to it by mail again, it answers there.',
}

const words: Record<string, ContinuedWords> = {
  en,
  de: {
    subject: 'Ihr Chat mit {name}',
    intro:
      'Sie haben diese Adresse im Chat mit {name} hinterlassen. Das kam, nachdem Sie die Seite verlassen hatten:',
    team: 'Team',
    files: 'Dateien im Chat: {names}',
    reply: 'Antworten Sie einfach auf diese E-Mail.',
    back: 'Oder gehen Sie zurück zum Chat:',
    stop: 'Sie haben diese Adresse nicht hinterlassen oder möchten nichts mehr davon bekommen? Hier beenden Sie diese E-Mails:',
    stopTitle: 'Diese E-Mails beenden?',
    stopText: 'Antworten aus diesem Chat gehen dann nicht mehr an Ihre Adresse.',
    stopButton: 'E-Mails beenden',
    stopped:
      'Sie bekommen keine E-Mails mehr aus diesem Chat. Wenn Sie ihm wieder per E-Mail schreiben, antwortet er dort.',
  },
  fr: {
    subject: 'Votre discussion avec {name}',
    intro:
      'Vous avez laissé cette adresse dans la discussion avec {name}. Voici ce qui est arrivé après votre départ :',
    team: 'Équipe',
    files: 'Fichiers dans la discussion : {names}',
    reply: 'Pour répondre, répondez simplement à cet e-mail.',
    back: 'Ou revenez à la discussion :',
    stop: "Vous n'avez pas laissé cette adresse, ou vous ne voulez plus de ces e-mails ? Arrêtez-les ici :",
    stopTitle: 'Arrêter ces e-mails ?',
    stopText: "Les réponses de cette discussion n'iront alors plus à votre adresse.",
    stopButton: 'Arrêter les e-mails',
    stopped:
      "Vous ne recevrez plus d'e-mails de cette discussion. Si vous lui écrivez de nouveau par e-mail, elle y répondra.",
  },
  es: {
    subject: 'Tu chat con {name}',
    intro: 'Dejaste esta dirección en el chat con {name}. Esto llegó después de que salieras de la página:',
    team: 'Equipo',
    files: 'Archivos en el chat: {names}',
    reply: 'Para contestar, responde a este correo.',
    back: 'O vuelve al chat:',
    stop: '¿No dejaste esta dirección o ya no quieres estos correos? Detenlos aquí:',
    stopTitle: '¿Detener estos correos?',
    stopText: 'Las respuestas de este chat ya no irán a tu dirección.',
    stopButton: 'Detener los correos',
    stopped: 'Ya no recibirás correos de este chat. Si vuelves a escribirle por correo, te contestará allí.',
  },
  it: {
    subject: 'La tua chat con {name}',
    intro:
      'Hai lasciato questo indirizzo nella chat con {name}. Questo è arrivato dopo che hai lasciato la pagina:',
    team: 'Team',
    files: 'File nella chat: {names}',
    reply: 'Per rispondere, rispondi a questa e-mail.',
    back: 'Oppure torna alla chat:',
    stop: 'Non hai lasciato questo indirizzo o non vuoi più queste e-mail? Fermale qui:',
    stopTitle: 'Fermare queste e-mail?',
    stopText: 'Le risposte di questa chat non andranno più al tuo indirizzo.',
    stopButton: 'Ferma le e-mail',
    stopped: 'Non riceverai più e-mail da questa chat. Se le scrivi di nuovo per e-mail, risponderà lì.',
  },
  nl: {
    subject: 'Je chat met {name}',
    intro: 'Je hebt dit adres achtergelaten in de chat met {name}. Dit kwam nadat je de pagina had verlaten:',
    team: 'Team',
    files: 'Bestanden in de chat: {names}',
    reply: 'Beantwoord deze e-mail om te antwoorden.',
    back: 'Of ga terug naar de chat:',
    stop: 'Heb je dit adres niet achtergelaten, of wil je deze e-mails niet meer? Stop ze hier:',
    stopTitle: 'Deze e-mails stoppen?',
    stopText: 'Antwoorden uit deze chat gaan dan niet meer naar je adres.',
    stopButton: 'E-mails stoppen',
    stopped:
      'Je krijgt geen e-mails meer uit deze chat. Als je er weer per e-mail naar schrijft, antwoordt hij daar.',
  },
  pt: {
    subject: 'O seu chat com {name}',
    intro: 'Deixou este endereço no chat com {name}. Isto chegou depois de sair da página:',
    team: 'Equipa',
    files: 'Ficheiros no chat: {names}',
    reply: 'Para responder, basta responder a este e-mail.',
    back: 'Ou volte ao chat:',
    stop: 'Não deixou este endereço ou não quer mais estes e-mails? Pare-os aqui:',
    stopTitle: 'Parar estes e-mails?',
    stopText: 'As respostas deste chat deixam de ir para o seu endereço.',
    stopButton: 'Parar os e-mails',
    stopped: 'Não recebe mais e-mails deste chat. Se lhe escrever de novo por e-mail, ele responde aí.',
  },
  ar: {
    subject: 'محادثتك مع {name}',
    intro: 'لقد تركت هذا العنوان في المحادثة مع {name}. وصل ما يلي بعد مغادرتك الصفحة:',
    team: 'الفريق',
    files: 'ملفات في المحادثة: {names}',
    reply: 'للإجابة، ما عليك سوى الرد على هذه الرسالة.',
    back: 'أو عُد إلى المحادثة:',
    stop: 'لم تترك هذا العنوان، أو لا تريد المزيد من هذه الرسائل؟ أوقفها هنا:',
    stopTitle: 'إيقاف هذه الرسائل؟',
    stopText: 'لن تصل إجابات هذه المحادثة إلى عنوانك بعد ذلك.',
    stopButton: 'إيقاف الرسائل',
    stopped: 'لن تصلك رسائل أخرى من هذه المحادثة. وإذا كتبت إليها بالبريد مجددًا، فستجيبك هناك.',
  },
}

/** Returns the words in the language that fits best, and which it is. */
export function wordsIn(language: string | null): { language: string; words: ContinuedWords } {
  const found = bestTag(Object.keys(words), language) ?? 'en'
  return { language: found, words: words[found] ?? en }
}

/** Fills the places of a text. */
export function fillWords(text: string, values: Record<string, string>): string {
  return text.replace(/\{(\w+)\}/g, (place, name: string) => values[name] ?? place)
}
