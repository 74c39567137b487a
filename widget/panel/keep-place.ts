/** The reader's place in the thread. */
export interface Place {
  hold: (thread: HTMLElement) => void
  /** True if the newest message is out of sight. */
  readonly isAway: boolean
  toEnd: () => void
  /**
   * Called after each change: keeps a reader who is at the end there, until the last entry by anybody but the agent is
   * at the top.
   */
  settle: () => void
}

/** The distance in pixels within which a reader counts as being at the end. */
const NEAR = 48

/** Keeps the reader's place. @param moved called when the reader has left the end, or come back to it */
export function keepPlace(moved: () => void): Place {
  let thread: HTMLElement | null = null
  let isAtEnd = true
  let isAway = false

  return {
    hold(element) {
      thread = element
      thread.addEventListener('scroll', scrolled, { passive: true })
    },
    get isAway() {
      return isAway
    },
    toEnd() {
      isAtEnd = true
      thread?.scrollTo({ top: thread.scrollHeight })
    },
    settle() {
      if (!thread) return
      if (isAtEnd) {
        const starts = thread.querySelectorAll<HTMLElement>('.entry:not(.assistant)')
        const end = thread.scrollHeight - thread.clientHeight
        const highest = (starts.item(starts.length - 1)?.offsetTop ?? end) - 12
        thread.scrollTop = Math.max(thread.scrollTop, Math.min(end, highest))
      }
      look()
    },
  }

  function scrolled(): void {
    isAtEnd = !isFarFromEnd()
    look()
  }

  function look(): void {
    if (isFarFromEnd() === isAway) return
    isAway = !isAway
    moved()
  }

  function isFarFromEnd(): boolean {
    return thread !== null && thread.scrollHeight - thread.clientHeight - thread.scrollTop > NEAR
  }
}
