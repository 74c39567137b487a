import { addColumns, index, type Step } from '../migration.ts'

/** The name of the chat of a conversation that goes by another external id. */
export const steps: readonly Step[] = [
  addColumns('conversations', { chat: 'text' }),
  index('conversations_chat', (create) =>
    create.on('conversations').columns(['team_id', 'chat']).where('chat', 'is not', null),
  ),
]
