import { REQUEST_PERSON } from '../../model/built-in-tools.ts'
import type { Tool } from '../../tools/tool.ts'

/** The built-in tool by which a model hands a conversation over to a person. @param ask makes the conversation wait */
export function requestPersonTool(ask: () => Promise<void>): Tool {
  return {
    name: REQUEST_PERSON,
    description:
      'Hands this conversation over to a person of the team. Call it when the user asks for a person, or when you ' +
      'cannot help and a person could. Do not call it again while the user already waits for one.',
    parameters: {
      type: 'object',
      properties: {
        reason: { type: 'string', description: 'In a few words: what the person should help with.' },
      },
    },
    idempotent: true,
    restore: true,
    requires: 'none',
    async call() {
      await ask()
      return 'A person of the team was asked for and will answer in this conversation.'
    },
  }
}
