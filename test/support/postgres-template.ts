import pg from 'pg'
import { openDatabase } from '../../src/storage/database.ts'
import { triggers } from '../../src/triggers.ts'

/** Creates an empty database with the schema. Copying it is faster than migrating each database. */
export async function makeTemplate(admin: pg.Pool, serverUrl: string, name: string): Promise<void> {
  await admin.query(`create database ${name}`)
  const database = await openDatabase({ databaseUrl: withDatabase(serverUrl, name), dataDir: '' })
  await database.migrate({ triggers })
  await database.close()
}

/** Creates the template for all test files of a run. */
export async function makeTemplateOfRun(serverUrl: string): Promise<{ name: string; drop(): Promise<void> }> {
  const name = `parley_${process.pid}_${Date.now().toString(36)}_run`
  const admin = new pg.Pool({ connectionString: serverUrl, max: 1 })
  // `end` does not wait for the connection: the server may stop before it is closed, and end it with an error.
  admin.on('error', () => {})
  const drop = async () => {
    await admin.query(`drop database if exists ${name} with (force)`)
    await admin.end()
  }
  await makeTemplate(admin, serverUrl, name)
  return { name, drop }
}

/** Returns the address of another database on the same server. */
export function withDatabase(serverUrl: string, name: string): string {
  const address = new URL(serverUrl)
  address.pathname = `/${name}`
  return address.href
}
