const FIRST_CAPACITY = 16
/** Memory for more than this many places is not kept. */
const MOST_KEPT = 65_536

/**
 * Places in a text, in order; for stretches, the start and the end of each. One text after another uses the same
 * memory, as in `Tokens`.
 */
export class Places {
  #numbers = new Int32Array(FIRST_CAPACITY)
  #length = 0
  /** An index that a reader keeps between its queries. */
  cursor = 0

  /** Only the first `length` numbers are valid. Those after them are left over from earlier texts. */
  get numbers(): Int32Array {
    return this.#numbers
  }

  get length(): number {
    return this.#length
  }

  clear(): void {
    if (this.#length === 0) return
    this.#length = 0
    this.cursor = 0
    if (this.#numbers.length > MOST_KEPT) this.#numbers = new Int32Array(FIRST_CAPACITY)
  }

  add(place: number): void {
    if (this.#length === this.#numbers.length) {
      const more = new Int32Array(this.#length * 2)
      more.set(this.#numbers)
      this.#numbers = more
    }
    this.#numbers[this.#length++] = place
  }
}
