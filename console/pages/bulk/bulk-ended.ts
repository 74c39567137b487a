const listeners: (() => void)[] = []

/** Has a function called whenever an act on many conversations has ended. */
export function onBulkEnd(listener: () => void): void {
  listeners.push(listener)
}

/** Tells that an act on many conversations has ended. */
export function tellBulkEnd(): void {
  for (const listener of listeners) listener()
}
