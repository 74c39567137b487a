import { queries } from './queries.ts'

const forgets = [() => queries.clear()]

/** Has a function called when somebody signs out: it forgets what was read, because somebody else may sign in. */
export function onSignOut(forget: () => void): void {
  forgets.push(forget)
}

/** Forgets everything that this tab has read. */
export function forgetRead(): void {
  for (const forget of forgets) forget()
}
