import { bestTag } from '../lib/language/best-tag.ts'
import type { Agent } from './agent.ts'
import type { AgentSettings } from './settings.ts'

/** The messages that an agent sends without a prompt to answer. */
const MESSAGES = ['greeting', 'pause_message', 'resume_message', 'unsupported_message'] as const

type Message = (typeof MESSAGES)[number]

/** Returns an agent with the messages for the language of a conversation, where it has some. */
export function inLanguage(agent: Agent, language: string | null): Agent {
  const { texts } = agent.settings
  const tag = bestTag(Object.keys(texts), language)
  if (tag === undefined) return agent
  const said = MESSAGES.flatMap((name) => {
    const text = texts[tag]?.[name]
    return text === undefined ? [] : [[name, text]]
  })
  return { ...agent, settings: { ...agent.settings, ...Object.fromEntries(said) } }
}

/** True if a message of an agent depends on the language. */
export function differsByLanguage({ texts }: AgentSettings, name: Message): boolean {
  return Object.values(texts).some((ofLanguage) => ofLanguage[name] !== undefined)
}
