/** Returns the result of a tool as the tool gave it, without the marks between which a model reads it. */
export function withoutMarks(content: unknown): string {
  return String(content).replace(/^<result (\w+)>\n([\s\S]*)\n<\/result \1>$/, '$2')
}
