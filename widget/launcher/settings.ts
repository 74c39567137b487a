/** How a chat looks; what a page says in attributes holds until the service says it. */
export interface Look {
  color?: string | null | undefined
  position?: string | null | undefined
  title?: string | null | undefined
  launcher?: string | null | undefined
  avatar_url?: string | null | undefined
  scheme?: string | null | undefined
}

/** A person whom the page has signed in, with the proof that its server made. */
export interface KnownUser {
  id: string
  name?: string
  hash: string
}

/** What pages may listen to with `Parley.on`. */
export type ChatEvent = 'open' | 'close' | 'message'

/** Settings that are not saved yet, for the page where they are made. */
export interface Preview {
  look?: Look
  /** The operator's words in one language. */
  texts?: Partial<OwnTexts>
}

/** The operator's words in the visitor's language. */
export interface OwnTexts {
  greeting: string | null
  suggestions: string[]
  placeholder: string | null
  notice: string | null
  footer: string | null
  footer_url: string | null
}
