import { Time } from './Time.tsx'

/** Stands in a text for the time that belongs there; no text has this letter itself. */
export const AT = '\uFFFC'

/** A text with a time in it. @param text has `AT` where it belongs */
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
