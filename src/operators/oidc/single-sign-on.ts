import type { OidcSettings } from '../../config.ts'
import type { Clock } from '../../lib/clock.ts'
import type { Outbound } from '../../lib/outbound/outbound.ts'
import type { IdentityProvider } from './provider.ts'

/** The means of signing in through an identity provider. */
export interface SingleSignOn {
  settings: OidcSettings
  provider: IdentityProvider
}

/** Opens the single sign-on; null when no identity provider is set. The library is loaded only when one is. */
export async function openSingleSignOn(
  settings: OidcSettings | null,
  dependencies: { outbound: Outbound; clock: Clock },
): Promise<SingleSignOn | null> {
  if (settings === null) return null
  const { identityProvider } = await import('./provider.ts')
  return { settings, provider: identityProvider(settings, dependencies) }
}
