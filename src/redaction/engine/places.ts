const FIRST_CAPACITY = 16
/** Of more than this the memory is not kept. */
const MOST_KEPT = 65_536

/** Starts and ends of stretches of a text, in order. One memory serves text after text, as that of `Tokens` does. */
export class Places {
  #numbers = new Int32Array(FIRST_CAPACITY)
  #length = 0

  /** Starts at even places, ends behind them; behind `length` there is what was there before. */
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

  add(start: number, end: number): void {
    if (this.#length === this.#numbers.length) {
      const more = new Int32Array(this.#length * 2)
      more.set(this.#numbers)
      this.#numbers = more
    }
    this.#numbers[this.#length++] = start
    this.#numbers[this.#length++] = end
  }
}
