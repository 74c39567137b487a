import type { Language } from '../lib/stop-words.ts'
import { plainWords } from '../lib/words.ts'

/** What the knowledge answerer says in its own words. */
export interface Phrases {
  welcome: string
  /** Says what can be asked. */
  introduce(titles: readonly string[], greeted: boolean): string
  unknown(titles: readonly string[]): string
}

interface Texts {
  hello: string
  welcome: string
  ask: string
  about: string
  unknown: string
}

const TEXTS: Record<Language, Texts> = {
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
}

/** The answerer's own sentences in a language. */
export function phrases(language: Language): Phrases {
  const { hello, welcome, ask, about, unknown } = TEXTS[language]
  const topics = (titles: readonly string[]) =>
    titles.length === 0 ? '' : ` ${about}\n\n${titles.map((title) => `- ${title}`).join('\n')}`
  return {
    welcome,
    introduce: (titles, greeted) => `${greeted ? `${hello} ` : ''}${ask}${topics(titles)}`,
    unknown: (titles) => `${unknown}${topics(titles)}`,
  }
}

const GREETINGS: Record<Language, string> = {
  en: 'hi|hello|hey|hi there|hello there|hey there|good morning|good afternoon|good evening|good day|greetings|howdy|yo',
  de: 'hallo|guten tag|guten morgen|guten abend|servus|moin|gruss gott|hallo zusammen',
  fr: 'bonjour|salut|bonsoir|coucou',
  es: 'hola|buenos dias|buenas tardes|buenas noches|buenas',
  it: 'ciao|buongiorno|buonasera|salve',
  pt: 'ola|oi|bom dia|boa tarde|boa noite',
  nl: 'hoi|goedemorgen|goedemiddag|goedenavond|goedendag|dag',
  ja: 'こんにちは|こんばんは|おはよう|おはようございます|はじめまして',
  zh: '你好|您好|早上好|下午好|晚上好|嗨',
  th: 'สวัสดี|สวัสดีครับ|สวัสดีค่ะ|หวัดดี',
}

const THANKS: Record<Language, string> = {
  en: 'thanks|thank you|thank you very much|thank you so much|many thanks|thanks a lot|thx|ty|cheers|great thanks|ok thanks|okay thanks|perfect thanks|bye|goodbye|great|perfect',
  de: 'danke|danke schon|dankeschon|vielen dank|danke sehr|besten dank|tschuss|auf wiedersehen',
  fr: 'merci|merci beaucoup|merci bien|au revoir',
  es: 'gracias|muchas gracias|mil gracias|adios',
  it: 'grazie|grazie mille|molte grazie|arrivederci',
  pt: 'obrigado|obrigada|muito obrigado|muito obrigada',
  nl: 'bedankt|dank je|dank u|dank je wel|dank u wel|dankjewel|hartelijk dank|tot ziens',
  ja: 'ありがとう|ありがとうございます|ありがとうございました|どうも',
  zh: '谢谢|谢谢你|谢谢您|多谢|非常感谢|再见',
  th: 'ขอบคุณ|ขอบคุณครับ|ขอบคุณค่ะ|ขอบคุณมาก',
}

const INTRODUCTIONS: Record<Language, string> = {
  en: 'help|who are you|what are you|what can you do|what do you do|what do you know|how can you help|how can you help me|what can i ask|what can i ask you|what can you help with|what can you help me with|what are you able to do',
  de: 'hilfe|wer bist du|wer sind sie|was kannst du|was konnen sie|was weisst du',
  fr: 'aide|qui es tu|qui etes vous|que sais tu|que peux tu faire|que pouvez vous faire',
  es: 'ayuda|quien eres|que puedes hacer|que sabes|en que puedes ayudarme',
  it: 'aiuto|chi sei|cosa sai|cosa puoi fare|che cosa puoi fare',
  pt: 'ajuda|quem e voce|o que voce sabe|o que voce pode fazer',
  nl: 'hulp|wie ben je|wat kun je|wat weet je|wat kan je doen',
  ja: 'ヘルプ|あなたは誰ですか|何ができますか|何を聞けますか',
  zh: '帮助|你是谁|您是谁|你能做什么|你会什么|你能帮我什么',
  th: 'ช่วยด้วย|คุณคือใคร|คุณทำอะไรได้บ้าง',
}

type Kind = 'greeting' | 'thanks' | 'introduction'

const known = new Map<string, { known: Kind; language: Language }>()
for (const [kind, table] of [
  ['introduction', INTRODUCTIONS],
  ['thanks', THANKS],
  ['greeting', GREETINGS],
] as const) {
  for (const [language, said] of Object.entries(table) as [Language, string][]) {
    for (const phrase of said.split('|')) known.set(squeeze(phrase), { known: kind, language })
  }
}

/** Longer messages are no small talk. */
const LONGEST = 60

/** Tells greetings, thanks and "what can you do" from questions. */
export function smallTalk(text: string): { known: Kind | null; language: Language | null } {
  const said = text.length > LONGEST ? undefined : known.get(squeeze(text))
  return said ?? { known: null, language: null }
}

function squeeze(text: string): string {
  return plainWords(text).join('')
}
