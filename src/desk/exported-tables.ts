/** The tables of the desk that are exported with conversations, and the column that orders the rows of each. */
export const exportedOfDesk = {
  conversation_notes: 'id',
  message_translations: 'id',
  handoff_summaries: 'id',
} as const
