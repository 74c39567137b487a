const IN_CONTEXT = 5

/** The ranks at which the right answers were found. */
export class Ranks {
  count = 0
  #first = 0
  #reciprocal = 0
  #among = 0

  /** Adds a rank. @param place from 0; -1 if the answer was not found */
  add(place: number) {
    this.count++
    if (place === 0) this.#first++
    if (place >= 0 && place < IN_CONTEXT) this.#among++
    if (place >= 0) this.#reciprocal += 1 / (place + 1)
  }

  first = () => `${((100 * this.#first) / this.count).toFixed(1)}%`
  /** Returns the share of answers that a language model would be given. */
  inContext = () => `${((100 * this.#among) / this.count).toFixed(1)}%`
  mean = () => (this.#reciprocal / this.count).toFixed(3)
}
