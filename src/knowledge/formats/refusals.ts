/** Reasons for which a file is not read this time. */
export const TOO_SLOW = { refused: 'it takes too long to read', isPassing: true } as const
export const TOO_LARGE = { refused: 'it takes too much memory to read', isPassing: true } as const
export const SPENT = {
  refused: "reading the team's PDF and DOCX files has taken too long within an hour: add it again later",
  isPassing: true,
} as const
