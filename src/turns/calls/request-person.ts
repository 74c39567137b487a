import { REQUEST_PERSON } from '../../model/built-in-tools.ts'
import type { Tool } from '../../tools/tool.ts'
import { PERSON_ASKED, PERSON_REASON, PERSON_TOOL } from '../prompt/wording.ts'

/** The built-in tool by which a model hands a conversation over to a person. @param ask makes the conversation wait */
export function requestPersonTool(ask: () => Promise<void>): Tool {
  return {
    name: REQUEST_PERSON,
    description: PERSON_TOOL,
    parameters: {
      type: 'object',
      properties: {
        reason: { type: 'string', description: PERSON_REASON },
      },
    },
    idempotent: true,
    restore: true,
    requires: 'none',
    async call() {
      await ask()
      return PERSON_ASKED
    },
  }
}
