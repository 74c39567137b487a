import pg from 'pg'

/** Makes an empty database of this name on a PostgreSQL server, in place of one that a broken run left; returns its URL. */
export async function createDatabase(server: string, name: string): Promise<string> {
  await dropDatabase(server, name)
  await onServer(server, `create database ${name}`)
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
