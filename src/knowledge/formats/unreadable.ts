/** A text is not what its format says. The message says why, in words for people. */
export class Unreadable extends Error {}
