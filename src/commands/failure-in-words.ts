import { existsSync } from 'node:fs'
import { dirname } from 'node:path'

/** Sentences about a file or folder, by the code of the operating system. */
const REASONS: Record<string, (path: string) => string> = {
  ENOENT: (path) =>
    existsSync(dirname(path)) ? `there is no ${path}` : `there is no folder ${dirname(path)}`,
  EISDIR: (path) => `${path} is a folder, not a file`,
  ENOTDIR: (path) => `a part of the path ${path} is a file, not a folder`,
  EACCES: (path) => `this user may not use ${path}`,
  EPERM: (path) => `this user may not use ${path}`,
  EROFS: (path) => `${path} cannot be written: it is on a read-only file system`,
  ENOSPC: (path) => `${path} cannot be written: the disk is full`,
}

/** Returns a failure as a sentence for users, with the file or the address at fault. */
export function failureInWords(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return failureInWords(error.errors[0])
  const {
    message,
    code = '',
    path,
    syscall,
    address,
    port,
    hostname,
  } = error as NodeJS.ErrnoException & {
    address?: string
    port?: number
    hostname?: string
  }
  // Only failures of the operating system have these: other messages are sentences already.
  if (syscall === 'getaddrinfo') return `there is no machine ${hostname} (${code})`
  if (syscall === 'connect')
    return `nothing answers at ${address ?? path}${port ? ` port ${port}` : ''} (${code})`
  if (syscall === undefined || path === undefined) return message
  return REASONS[code]?.(path) ?? `${path} cannot be used (${code})`
}
