/** The look of a chat; the page's attributes apply until the service has sent its own. */
export interface Look {
  color?: string | null | undefined
  position?: string | null | undefined
  title?: string | null | undefined
  launcher?: string | null | undefined
  avatar_url?: string | null | undefined
  scheme?: string | null | undefined
}

/** A person whom the page has signed in, with the proof that the page's server made. */
export interface KnownUser {
  id: string
  name?: string
  hash: string
}

/** The events that pages can listen to with `Parley.on`. */
export type ChatEvent = 'open' | 'close' | 'message'

/** Unsaved settings, shown on the page where they are edited. */
export interface Preview {
  look?: Look
  /** The operator's texts in one language. */
  texts?: Partial<OwnTexts>
}

/** The operator's texts in the visitor's language. */
export interface OwnTexts {
  greeting: string | null
  suggestions: string[]
  placeholder: string | null
  notice: string | null
  footer: string | null
  footer_url: string | null
}
