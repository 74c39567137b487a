/** Letters of scripts written from right to left, and characters that change the direction. */
const TURNS =
  /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/u
/** The characters with which a text could end its own isolation, or reach beyond it. */
const ISOLATES = /[\u2066-\u2069]/g

/** Isolates a text from other people, so that its direction does not turn other text in the line. */
export function isolated(text: string): string {
  return TURNS.test(text) ? `\u2068${text.replace(ISOLATES, '')}\u2069` : text
}

/** Joins the texts that are present into one line. */
export function joined(parts: readonly (string | number | null | undefined | false)[], by = ' · '): string {
  return parts
    .flatMap((part) =>
      part === null || part === undefined || part === false || part === '' ? [] : isolated(String(part)),
    )
    .join(by)
}
