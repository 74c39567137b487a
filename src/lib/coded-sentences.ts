/** Sentences that rows store as words, each with a code that can be found again from the words. */
export interface CodedSentences<Code extends string> {
  codes: [Code, ...Code[]]
  /** Returns the words of a code. @param values those that stand in braces */
  say(code: Code, values?: Record<string, string | number>): string
  /** Returns the code of a sentence that `say` made, and its values. */
  whyOf(words: string | null): Why<Code>
}

/** The code of a sentence, and its values. */
export interface Why<Code extends string> {
  /** Null: no sentence, or one that has no code. */
  code: Code | null
  values: Record<string, string>
}

/** @param sentences the words of each code, with values in braces */
export function codedSentences<Code extends string>(sentences: Record<Code, string>): CodedSentences<Code> {
  const codes = Object.keys(sentences) as [Code, ...Code[]]
  // Words without a value are looked at first.
  const patterns = codes
    .toSorted((one, other) => Number(sentences[one].includes('{')) - Number(sentences[other].includes('{')))
    .map((code): [Code, RegExp] => {
      const words = RegExp.escape(sentences[code]).replace(/\\\{(\w+)\\\}/g, '(?<$1>.+?)')
      return [code, new RegExp(`^${words}$`, 's')]
    })

  function whyOf(words: string | null): Why<Code> {
    for (const [code, pattern] of words === null ? [] : patterns) {
      const found = pattern.exec(words ?? '')
      if (!found) continue
      const values: Record<string, string> = { ...found.groups }
      const inner = whyOf(values.reason ?? null)
      return {
        code,
        values: inner.code === null ? values : { ...inner.values, ...values, cause: inner.code },
      }
    }
    return { code: null, values: {} }
  }

  return {
    codes,
    say: (code, values = {}) =>
      sentences[code].replace(/\{(\w+)\}/g, (_, name: string) => String(values[name])),
    whyOf,
  }
}
