import type { Frame } from './frame.ts'
import type { Language } from './language.ts'
import type { ChatEvent, KnownUser, Look, Preview } from './settings.ts'
import type { Storage } from './storage.ts'

/** The things that the launcher gives the panel. */
export interface PanelOptions {
  frame: Frame
  key: string
  storage: Storage
  language: Language
  user: KnownUser | null
  preview: Preview | null
  onLook: (look: Look) => void
  emit: (event: ChatEvent, detail: unknown) => void
}

/** The interface that the panel offers to the launcher. */
export interface Panel {
  shown(isShown: boolean): void
  /** Sends a message. @param id its key, if it may have been kept as waiting already */
  send(text: string, id?: string): void
  identify(user: KnownUser): void
  logout(): void
  language(language: Language): void
  /** Lays unsaved settings over the saved ones. */
  preview(preview: Preview | null): void
  disconnect(): void
}

/** The script that the launcher loads when the chat is opened. */
export interface PanelScript {
  openPanel(options: PanelOptions): Panel
}
