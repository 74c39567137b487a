import pg from 'pg'

/**
 * Creates a database of this name on a PostgreSQL server, replacing one that a broken run left; returns its URL.
 * @param template the database that it copies; without one it is empty
 */
export async function createDatabase(server: string, name: string, template = 'template1'): Promise<string> {
  await dropDatabase(server, name)
  await onServer(server, `create database ${name} template ${template}`)
  const url = new URL(server)
  url.pathname = `/${name}`
  return url.href
}

export async function dropDatabase(server: string, name: string): Promise<void> {
  await onServer(server, `drop database if exists ${name} with (force)`)
}

async function onServer(server: string, command: string): Promise<void> {
  const client = new pg.Client({ connectionString: server })
  await client.connect()
  await client.query(command)
  await client.end()
}
