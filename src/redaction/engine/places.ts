const FIRST_CAPACITY = 16
/** Of more than this the memory is not kept. */
const MOST_KEPT = 65_536

/**
 * Places in a text, in order; of stretches the start and the end of each. One memory serves text after text, as that of
 * `Tokens` does.
 */
export class Places {
  #numbers = new Int32Array(FIRST_CAPACITY)
  #length = 0

  /** Behind `length` there is what was there before. */
  get numbers(): Int32Array {
    return this.#numbers
  }

  get length(): number {
    return this.#length
  }

  clear(): void {
    this.#length = 0
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
