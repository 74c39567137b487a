/** The turns that are under way in this process. */
export interface InFlight {
  /** Counts a turn as under way until it settles; returns its promise. */
  track<T>(turn: Promise<T>): Promise<T>
  /** Resolves when every turn under way has ended. */
  settled(): Promise<void>
}

export function trackInFlight(): InFlight {
  const turns = new Set<Promise<unknown>>()
  return {
    track(turn) {
      turns.add(turn)
      const done = () => void turns.delete(turn)
      turn.then(done, done)
      return turn
    },
    async settled() {
      while (turns.size > 0) await Promise.allSettled(turns)
    },
  }
}
