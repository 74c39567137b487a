/** The table of the desk that is exported with conversations, and the column that orders its rows. */
export const exportedOfDesk = { conversation_notes: 'id' } as const
