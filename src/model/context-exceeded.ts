/** A model server's words about a failure. For the log and people who configure the server, never for a client. */
export interface ServerSaid {
  code: string | null
  message: string | null
}

/** Tells whether a server says that the request is longer than its model's context. */
export function saysContextExceeded({ code, message }: ServerSaid): boolean {
  return EXCEEDED.test(`${code ?? ''} ${message ?? ''}`)
}

const EXCEEDED =
  /request_too_large|context[ _-]?(?:length|window|size)|(?:prompt|input|request|messages?) (?:is|are) too (?:long|large)|maximum (?:context|prompt|number of tokens|input)|too many (?:input )?tokens|token count.{0,40}exceed|exceed.{0,60}(?:context|token limit|max(?:imum)? tokens)|reduce the length of|must have less than \d+ tokens|max_new_tokens.{0,20}must be/i
