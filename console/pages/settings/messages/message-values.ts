import type { Agent } from '../../../api/types.ts'

/** The messages that the agent sends by itself. */
export const messages = [
  'greeting',
  'pause_message',
  'resume_message',
  'unsupported_message',
  'away_message',
  'follow_up_message',
] as const
/** The sentences of the built-in answerer. */
export const sentences = ['hello', 'welcome', 'ask', 'about', 'meant', 'help', 'unknown', 'offer'] as const

const all = [...messages, ...sentences]

type Message = (typeof messages)[number]
type LanguageValues = Record<Message | (typeof sentences)[number], string>

interface MessageValues extends Record<string, unknown>, Record<Message, string> {
  texts: Record<string, LanguageValues>
}

export const noTexts = Object.fromEntries(all.map((name) => [name, ''])) as LanguageValues

export function valuesOf(agent: Agent): MessageValues {
  const own = Object.fromEntries(messages.map((name) => [name, agent[name] ?? ''])) as Record<Message, string>
  const texts = Object.entries(agent.texts).map(([language, said]) => {
    const texts = all.map((name) => [name, said[name] ?? ''])
    return [language, Object.fromEntries(texts) as LanguageValues] as const
  })
  return { ...own, texts: Object.fromEntries(texts) }
}

/**
 * Returns the messages as the service takes them. An empty message is stored as none. An empty text of a language is
 * left out, so that the general message applies, unless it was stored as null by other means: then it stays null.
 */
export function bodyOf(values: MessageValues, saved: Agent) {
  const own = Object.fromEntries(messages.map((name) => [name, values[name].trim() || null]))
  const texts = Object.entries(values.texts).map(([language, said]) => {
    const set = all.flatMap((name): [string, string | null][] => {
      const text = said[name].trim()
      if (text !== '') return [[name, text]]
      return saved.texts[language]?.[name] === null ? [[name, null]] : []
    })
    return [language, Object.fromEntries(set)]
  })
  return { ...own, texts: Object.fromEntries(texts) }
}
