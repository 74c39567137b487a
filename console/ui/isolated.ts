/** Letters that are written from right to left, and signs that turn the direction. */
const TURNS =
  /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/u
/** The signs by which a text would end its own isolation, or go on beyond it. */
const ISOLATES = /[\u2066-\u2069]/g

/** Isolates what somebody wrote, so that its direction turns no other text in the line. */
export function isolated(text: string): string {
  return TURNS.test(text) ? `\u2068${text.replace(ISOLATES, '')}\u2069` : text
}

/** Several texts in one line, those that are there. */
export function joined(parts: readonly (string | number | null | undefined | false)[], by = ' · '): string {
  return parts
    .flatMap((part) =>
      part === null || part === undefined || part === false || part === '' ? [] : isolated(String(part)),
    )
    .join(by)
}
