import type { Kysely } from 'kysely'
import type { Engine } from '../engine.ts'
import type { Tables } from '../tables.ts'

export async function up(_db: Kysely<Tables>, _engine: Engine): Promise<void> {}
