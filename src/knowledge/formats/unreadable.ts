/** Signals that a text is not in its declared format. The message says why, in words for people. */
export class Unreadable extends Error {}
