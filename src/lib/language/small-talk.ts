import { plainWords } from '../words/words.ts'

const GREETINGS = {
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
  sv: 'hej|hejsan|god morgon|god dag|god kväll|tjena',
  da: 'goddag|godmorgen|godaften|hej med dig',
  no: 'hei|god dag|god morgen|hei der',
  fi: 'moi|terve|hyvää päivää|hyvää huomenta|hyvää iltaa|päivää',
  pl: 'cześć|dzień dobry|dobry wieczór|witam|hej hej',
  cs: 'ahoj|dobrý den|dobré ráno|dobrý večer|čau',
  sk: 'dobrý deň|dobré ráno|čauko|ahojte',
  ro: 'bună|bună ziua|bună seara|bună dimineața',
  hu: 'szia|sziasztok|jó napot|jó napot kívánok|jó reggelt|jó estét|üdvözlöm',
  tr: 'merhaba|selam|günaydın|iyi günler|iyi akşamlar',
  vi: 'xin chào|chào|chào bạn',
  id: 'halo|selamat pagi|selamat siang|selamat sore|selamat malam|hai',
  ca: 'bon dia|bona tarda|bona nit',
  hr: 'dobar dan|bok|dobro jutro|dobra večer',
  ru: 'привет|здравствуйте|здравствуй|добрый день|доброе утро|добрый вечер',
  uk: 'привіт|вітаю|добрий день|доброго дня|добрий вечір|доброго ранку',
  bg: 'здравей|здравейте|здрасти|добър ден|добро утро|добър вечер',
  sr: 'добар дан|здраво|ћао|добро јутро|добро вече',
  el: 'γεια|γεια σας|γεια σου|καλημέρα|καλησπέρα',
  he: 'שלום|היי|בוקר טוב|ערב טוב|צהריים טובים',
  ar: 'مرحبا|أهلا|أهلا وسهلا|السلام عليكم|صباح الخير|مساء الخير',
  fa: 'سلام|درود|صبح بخیر|عصر بخیر|سلام علیکم',
  ur: 'السلام علیکم|آداب|ہیلو',
  hi: 'नमस्ते|नमस्कार|हैलो|हेलो',
  ko: '안녕하세요|안녕|안녕하십니까',
}

/** A language in which small talk is known. */
export type TalkLanguage = keyof typeof GREETINGS

const THANKS: Record<TalkLanguage, string> = {
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
  sv: 'tack|tack så mycket|tusen tack|hej då',
  da: 'mange tak|tusind tak|farvel',
  no: 'takk|tusen takk|mange takk|ha det',
  fi: 'kiitos|kiitos paljon|paljon kiitoksia|kiitti|näkemiin',
  pl: 'dziękuję|dziękuję bardzo|dzięki|do widzenia',
  cs: 'děkuji|děkuju|díky|děkuji mnohokrát|na shledanou',
  sk: 'ďakujem|ďakujem pekne|vďaka|dovidenia',
  ro: 'mulțumesc|mulțumesc mult|mersi|la revedere',
  hu: 'köszönöm|köszönöm szépen|köszi|viszontlátásra',
  tr: 'teşekkürler|teşekkür ederim|çok teşekkürler|çok teşekkür ederim|sağ olun|hoşça kalın',
  vi: 'cảm ơn|cảm ơn bạn|cám ơn|tạm biệt',
  id: 'terima kasih|terima kasih banyak|makasih',
  ca: 'gràcies|moltes gràcies|adéu',
  hr: 'hvala|hvala lijepa|puno hvala|doviđenja',
  ru: 'спасибо|большое спасибо|спасибо большое|благодарю|до свидания',
  uk: 'дякую|щиро дякую|дуже дякую|до побачення',
  bg: 'благодаря|много благодаря|мерси|довиждане',
  sr: 'хвала|хвала лепо|пуно хвала|довиђења',
  el: 'ευχαριστώ|ευχαριστώ πολύ|σας ευχαριστώ|αντίο',
  he: 'תודה|תודה רבה|המון תודה|להתראות',
  ar: 'شكرا|شكرا جزيلا|شكرا لك|مع السلامة',
  fa: 'ممنون|متشکرم|مرسی|خیلی ممنون|سپاس|خداحافظ',
  ur: 'شکریہ|بہت شکریہ|خدا حافظ',
  hi: 'धन्यवाद|बहुत धन्यवाद|शुक्रिया|बहुत बहुत धन्यवाद',
  ko: '감사합니다|고맙습니다|고마워요|고마워|정말 감사합니다',
}

const INTRODUCTIONS: Record<TalkLanguage, string> = {
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
  sv: 'hjälp|vem är du|vad kan du göra|vad kan du',
  da: 'hjælp|hvem er du|hvad kan du|hvad kan du gøre',
  no: 'hjelp|hvem er du|hva kan du|hva kan du gjøre',
  fi: 'apua|kuka olet|kuka sinä olet|mitä osaat|mitä voit tehdä',
  pl: 'pomoc|kim jesteś|co potrafisz|co umiesz',
  cs: 'pomoc|kdo jsi|co umíš|co umíte',
  sk: 'kto si|čo vieš|čo viete',
  ro: 'ajutor|cine ești|ce poți face|ce știi să faci',
  hu: 'segítség|ki vagy|mit tudsz|mit tud',
  tr: 'yardım|sen kimsin|kimsin|ne yapabilirsin|neler yapabilirsin',
  vi: 'trợ giúp|bạn là ai|bạn có thể làm gì|bạn làm được gì',
  id: 'bantuan|tolong|siapa kamu|siapa anda|apa yang bisa kamu lakukan|apa yang bisa anda lakukan',
  ca: 'ajuda|qui ets|què pots fer|què saps fer',
  hr: 'pomoć|tko si|tko si ti|što možeš|što znaš',
  ru: 'помощь|кто ты|кто вы|что ты умеешь|что вы умеете|что ты можешь',
  uk: 'допомога|хто ти|хто ви|що ти вмієш|що ви вмієте',
  bg: 'помощ|кой си ти|кой сте вие|какво можеш|какво можете',
  sr: 'помоћ|ко си|ко си ти|шта можеш|шта знаш',
  el: 'βοήθεια|ποιος είσαι|τι μπορείς να κάνεις',
  he: 'עזרה|מי אתה|מי את|מה אתה יודע לעשות|מה אפשר לשאול',
  ar: 'مساعدة|من أنت|ماذا يمكنك أن تفعل|ماذا تستطيع أن تفعل',
  fa: 'کمک|تو کی هستی|شما کی هستید|چه کاری می‌توانی انجام دهی|چه کار می‌کنی',
  ur: 'مدد|آپ کون ہیں|آپ کیا کر سکتے ہیں',
  hi: 'मदद|आप कौन हैं|आप क्या कर सकते हैं|तुम कौन हो',
  ko: '도움말|도와주세요|누구세요|당신은 누구입니까|뭘 할 수 있나요|무엇을 할 수 있나요',
}

type Kind = 'greeting' | 'thanks' | 'introduction'

interface SmallTalk {
  kind: Kind
  /** The first of the languages that say so. */
  language: TalkLanguage
  isShared: boolean
}

const known = new Map<string, SmallTalk>()
for (const [kind, table] of [
  ['introduction', INTRODUCTIONS],
  ['thanks', THANKS],
  ['greeting', GREETINGS],
] as const) {
  for (const [language, said] of Object.entries(table) as [TalkLanguage, string][]) {
    for (const phrase of said.split('|').map(squeeze)) {
      const first = known.get(phrase)
      if (!first) known.set(phrase, { kind, language, isShared: false })
      else if (first.language !== language) first.isShared = true
    }
  }
}

/** The most characters of a message that may be small talk. */
const LONGEST = 60

/** Recognizes greetings, thanks and "what can you do", as opposed to questions. Returns null for anything else. */
export function smallTalk(text: string): SmallTalk | null {
  return text.length > LONGEST ? null : (known.get(squeeze(text)) ?? null)
}

function squeeze(text: string): string {
  return plainWords(text).join('')
}
