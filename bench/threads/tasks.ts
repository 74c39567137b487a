import { setTimeout as wait } from 'node:timers/promises'

// Tasks that each pool of threads runs by their names. Those of other pools take one argument.

export function echo(text: string): string {
  return text
}

export function work(ms: number): Promise<void> {
  return wait(ms)
}

export function spin(_nothing: null): never {
  for (;;);
}

/** Takes memory outside of the thread's heap. */
export function hoard(megabytes: number): number {
  const kept = Array.from({ length: megabytes }, () => Buffer.alloc(1024 * 1024, 1))
  return kept.length
}
