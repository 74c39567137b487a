/** A prompt whose answer came with a 2xx: from then on it must be there. */
export interface Answered {
  id: string
  conversation: string
  /** The word that no other prompt has; the model's answer repeats it. */
  mark: string
  prompt: string
  /** Null: the agent was paused in the conversation, and gave no answer. */
  answer: string | null
  /** `erasing`: its erasure was asked for, and no call has said yet that nothing remains. */
  state: 'kept' | 'erasing' | 'erased'
}

/** A request, for the plots. */
interface Asked {
  at: number
  what: string
  ms: number
  /** 0: no answer, because the process was killed or not there. */
  status: number
}

/** The acts of the callers of a soak, and the answers they were given. */
export interface Ledger {
  answered: Answered[]
  asked: Asked[]
  /** The messages of each person of the channel, in the order in which the platform handed them over. */
  said: Map<string, string[]>
  kills: { at: number; backAfterMs: number }[]
  /** The broken promises, by the name of the promise. */
  broken: Map<string, string[]>
  /** The time since the beginning, in milliseconds. */
  now(): number
}

export function openLedger(): Ledger {
  const begun = performance.now()
  return {
    answered: [],
    asked: [],
    said: new Map(),
    kills: [],
    broken: new Map(),
    now: () => performance.now() - begun,
  }
}

export function note(ledger: Ledger, promise: string, what: string): void {
  ledger.broken.set(promise, [...(ledger.broken.get(promise) ?? []), what])
}

/** True if what is stored is what the caller was told. An answer that a pause has overtaken is stored and not told. */
export function isKept(
  { prompt, answer }: Pick<Answered, 'prompt' | 'answer'>,
  stored: { prompt: unknown; response: unknown },
): boolean {
  return stored.prompt === prompt && (answer === null || stored.response === answer)
}
