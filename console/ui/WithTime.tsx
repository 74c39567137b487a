import { Time } from './Time.tsx'

/** The placeholder for a time in a text; no text contains this character itself. */
export const AT = '\uFFFC'

/** A text with a time in it. @param text has `AT` in the time's place */
export function WithTime({ text, at }: { text: string; at: string }) {
  const [before, after] = text.split(AT)
  return (
    <>
      {before}
      <Time at={at} />
      {after}
    </>
  )
}
