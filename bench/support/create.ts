import type { BenchServer } from './servers.ts'

/**
 * Creates something with `POST /api/v1/…` and returns its id, and for a key the key itself.
 * @throws Error with the answer
 */
export async function create(
  { url, headers }: Pick<BenchServer, 'url' | 'headers'>,
  path: string,
  body: object,
): Promise<{ id: number; api_key: string }> {
  const response = await fetch(`${url}/api/v1/${path}`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (!response.ok) throw new Error(await response.text())
  const { data } = (await response.json()) as { data: { id: number; api_key: string } }
  return data
}

/** Creates another agent of the team; returns the headers with its key. */
export async function addAgent(server: BenchServer): Promise<Record<string, string>> {
  const { id } = await create(server, 'agents', { name: 'Another' })
  const { api_key } = await create(server, `agents/${id}/keys`, { name: 'bench' })
  return { ...server.headers, 'x-api-key': api_key }
}
