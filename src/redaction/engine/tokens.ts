const FIELDS = 4
const FIRST_CAPACITY = 1024
/** Memory for more than this many tokens is not kept. */
const MOST_KEPT = 65_536

/**
 * Runs of ASCII letters and digits that contain a digit, in the order of the text. One text after another uses the same
 * memory: a megabyte can have half a million tokens.
 */
export class Tokens {
  #fields = new Int32Array(FIRST_CAPACITY * FIELDS)
  #count = 0

  get count(): number {
    return this.#count
  }

  clear(): void {
    this.#count = 0
    if (this.#fields.length > MOST_KEPT * FIELDS) this.#fields = new Int32Array(FIRST_CAPACITY * FIELDS)
  }

  /** Records a run with the number of letters before its first digit, and in total. */
  add(start: number, end: number, lead: number, letters: number): void {
    const at = this.#count++ * FIELDS
    if (at === this.#fields.length) {
      const more = new Int32Array(at * 2)
      more.set(this.#fields)
      this.#fields = more
    }
    this.#fields[at] = start
    this.#fields[at + 1] = end
    this.#fields[at + 2] = lead
    this.#fields[at + 3] = letters
  }

  start(token: number): number {
    return this.#fields[token * FIELDS] as number
  }

  end(token: number): number {
    return this.#fields[token * FIELDS + 1] as number
  }

  /** Returns the number of letters before the first digit. */
  lead(token: number): number {
    return this.#fields[token * FIELDS + 2] as number
  }

  /** Tells whether the token consists only of digits. */
  isNumber(token: number): boolean {
    return this.#fields[token * FIELDS + 3] === 0
  }
}
