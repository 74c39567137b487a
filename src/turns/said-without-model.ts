import { languageOfAnswer } from '../model/phrases/phrases.ts'

interface Sentences {
  /** Said when a person was asked for. */
  person: string
  /** Said when the model said nothing. */
  unfinished: string
}

const sentences: Readonly<Record<string, Sentences>> & { en: Sentences } = {
  en: {
    person: 'A person from the team will answer you here.',
    unfinished: 'I could not finish this. Please try again, or ask in other words.',
  },
  de: {
    person: 'Eine Person aus dem Team antwortet Ihnen hier.',
    unfinished:
      'Das konnte ich nicht abschließen. Bitte versuchen Sie es noch einmal oder mit anderen Worten.',
  },
  fr: {
    person: "Une personne de l'équipe vous répondra ici.",
    unfinished: "Je n'ai pas pu terminer. Réessayez ou posez la question autrement.",
  },
  es: {
    person: 'Una persona del equipo le responderá aquí.',
    unfinished: 'No he podido terminarlo. Inténtelo de nuevo o pregunte con otras palabras.',
  },
  it: {
    person: 'Una persona del team le risponderà qui.',
    unfinished: 'Non sono riuscito a finire. Riprovi o lo chieda con altre parole.',
  },
  pt: {
    person: 'Uma pessoa da equipa vai responder-lhe aqui.',
    unfinished: 'Não consegui terminar. Tente de novo ou pergunte com outras palavras.',
  },
  nl: {
    person: 'Iemand van het team antwoordt u hier.',
    unfinished: 'Dit kon ik niet afronden. Probeer het opnieuw of vraag het anders.',
  },
  ja: {
    person: '担当者がこちらでお答えします。',
    unfinished: '完了できませんでした。もう一度お試しいただくか、別の言葉でお尋ねください。',
  },
}

/** Returns the answer when a model said nothing, in the language of the question. */
export function saidWithoutModel(question: string, askedForPerson: boolean): string {
  const { person, unfinished } = sentences[languageOfAnswer(question, [question])] ?? sentences.en
  return askedForPerson ? person : unfinished
}
