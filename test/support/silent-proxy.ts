import { connect, createServer, type Socket } from 'node:net'
import { closeWith, listenInPlaceOf } from './in-place-of.ts'

/** A TCP proxy on loopback that can fall silent, like a network that drops every packet. */
interface SilentProxy {
  /** The given address, through the proxy. */
  url: string
  /** Drops everything from now on, without ending connections. Those that are open stay dead for good. */
  silence(): void
  /** Lets new connections pass again, with what those made in the silence have sent: TCP would send it again. */
  heal(): void
  /** Returns the number of dropped pieces of data. */
  dropped(): number
  close(): Promise<void>
}

/** Starts a proxy. @param target the address whose host and port it replaces */
export async function startSilentProxy(target: string): Promise<SilentProxy> {
  const { hostname, port } = new URL(target)
  const sockets = new Set<Socket>()
  let isSilent = false
  let dropped = 0
  let dead = new WeakSet<Socket>()
  let delayed: (() => void)[] = []

  const server = createServer({ allowHalfOpen: true }, (client) => {
    const upstream = connect({ host: hostname, port: Number(port), allowHalfOpen: true })
    pass(client, upstream)
    pass(upstream, client)
  })

  function pass(from: Socket, to: Socket): void {
    sockets.add(from)
    from.on('data', (data) => {
      if (!isSilent && !dead.has(from)) return to.write(data)
      dropped++
      if (!dead.has(from)) delayed.push(() => to.write(data))
    })
    from.on('error', () => {})
    from.on('end', () => {
      if (!dead.has(from)) to.end()
    })
    from.on('close', () => {
      sockets.delete(from)
      if (!dead.has(from)) to.destroy()
    })
  }

  const url = await listenInPlaceOf(server, target)
  return {
    url,
    silence() {
      isSilent = true
      dead = new WeakSet(sockets)
    },
    heal() {
      isSilent = false
      for (const send of delayed) send()
      delayed = []
    },
    dropped: () => dropped,
    close: () => closeWith(server, sockets),
  }
}
