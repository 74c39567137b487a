import { z } from 'zod'
import { errors, single } from '../http/schemas.ts'
import type { Server } from '../http/server.ts'
import { findConversation } from '../transcripts/conversations/find-conversation.ts'
import { conversationId } from '../transcripts/conversations/schemas.ts'
import { automationPreview, type PreviewDependencies, previewAutomation } from './preview-automation.ts'
import { readRule } from './save-rule.ts'

export function automationPreviewRoutes(server: Server, dependencies: PreviewDependencies): void {
  const { db } = dependencies
  server.get(
    '/conversations/:id/automations/:automation_id',
    {
      config: { right: 'respond' },
      schema: {
        operationId: 'previewAutomation',
        summary: 'What an automation would do in a conversation, without doing it',
        description:
          'Also of one that is off. Each action is looked at by itself, as if those before it had not been carried out.',
        tags: ['automations'],
        params: conversationId.extend({ automation_id: z.string().describe('Id of the automation.') }),
        response: {
          200: single(automationPreview),
          ...errors('conversation_not_found', 'automation_not_found'),
        },
      },
    },
    async ({ caller, params }) => {
      const conversation = await findConversation(db, caller, params.id)
      const rule = await readRule(db, caller.agentId, 'automation', params.automation_id)
      return { data: await previewAutomation(dependencies, conversation, rule) }
    },
  )
}
