import { bestTag } from '../language/best-tag.ts'
import type { Agent } from './agent.ts'
import type { Occasion } from './occasion.ts'
import type { AgentSettings } from './settings.ts'
import { fillForModel, fillForUser } from './variables.ts'

/** The messages that an agent sends without a prompt to answer. */
const MESSAGES = [
  'greeting',
  'pause_message',
  'resume_message',
  'unsupported_message',
  'away_message',
  'follow_up_message',
] as const

type Message = (typeof MESSAGES)[number]

/**
 * Returns an agent with its texts as they are said in a conversation: the messages for its language, where it has some,
 * and the values of variables.
 */
export function inConversation(agent: Agent, occasion: Occasion): Agent {
  const { texts, instructions, answer_rules, time_zone, ...settings } = agent.settings
  const ofLanguage = texts[bestTag(Object.keys(texts), occasion.language) ?? '']
  const forUser = (text: string) => fillForUser(text, occasion, time_zone)
  const forModel = (text: string) => fillForModel(text, occasion, time_zone)
  const messages = MESSAGES.map((name) => {
    const text = ofLanguage?.[name] === undefined ? settings[name] : ofLanguage[name]
    return [name, text && forUser(text)]
  })
  return {
    ...agent,
    settings: {
      ...agent.settings,
      ...Object.fromEntries(messages),
      instructions: forModel(instructions),
      answer_rules: forModel(answer_rules),
      texts: eachText(texts, forUser),
    },
  }
}

function eachText(texts: AgentSettings['texts'], change: (text: string) => string): AgentSettings['texts'] {
  const changed = Object.entries(texts).map(([tag, ofLanguage]) => [
    tag,
    Object.fromEntries(Object.entries(ofLanguage).map(([name, text]) => [name, text && change(text)])),
  ])
  return Object.fromEntries(changed)
}

/** True if a message of an agent depends on the language of the conversation. */
export function differsByLanguage(settings: AgentSettings, name: Message): boolean {
  const all = allTexts(settings, name)
  return all.length > 1 || all.some((text) => text?.includes('{{'))
}

/** True if it depends on the person, or on the channel through which they write. */
export function differsByPerson(settings: AgentSettings, name: Message): boolean {
  return allTexts(settings, name).some((text) => text !== null && /\{\{\s*(?:user\.|channel)/.test(text))
}

/** Returns a message as it is said in each language, the one for all other languages first. */
function allTexts({ texts, ...settings }: AgentSettings, name: Message): (string | null)[] {
  const ofLanguages = Object.values(texts).flatMap(({ [name]: text }) => (text === undefined ? [] : [text]))
  return [settings[name], ...ofLanguages]
}
