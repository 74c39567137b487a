import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/** True where PostgreSQL's client programs are installed, which backups need. */
export const hasPostgresTools = (process.env.PATH ?? '')
  .split(delimiter)
  .some((folder) => existsSync(join(folder, 'pg_dump')))
