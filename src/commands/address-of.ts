import type { Config } from '../config.ts'

type Listening = Pick<Config, 'host' | 'port'>

/** Returns the address at which a service with these settings is reached on this machine. */
export function localAddress({ host, port }: Listening): string {
  const named = host === '0.0.0.0' || host === '::' ? 'localhost' : host.includes(':') ? `[${host}]` : host
  return `http://${named}:${port}`
}

/** Returns the address at which people reach the service, as far as its settings tell. */
export function addressOf(config: Listening & Pick<Config, 'publicUrl'>): string {
  return (config.publicUrl ?? localAddress(config)).replace(/\/+$/, '')
}
