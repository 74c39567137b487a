import type { Frame } from '../launcher/frame.ts'
import type { Storage } from '../launcher/storage.ts'
import type { Chat } from './chat.ts'

/** The chat around the parts that only some widgets have. */
export interface ExtraOptions {
  frame: Frame
  storage: Storage
  chat: () => Chat
  language: () => string
  announce: (text: string) => void
  life: AbortSignal
}

/** A part that only some widgets have. */
export interface Extra {
  /** Forgets what was for another visitor. */
  clear(): void
  /** Draws everything in the chat's present language. */
  translate(): Promise<void>
  /** Called whenever the chat was drawn. */
  drawn(): void
}
