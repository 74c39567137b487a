import * as oidc from 'openid-client'
import type { OidcSettings } from '../../config.ts'
import { type Clock, HOUR_MS } from '../../lib/clock.ts'
import { memo } from '../../lib/memo.ts'
import { type Outbound, OutboundError } from '../../lib/outbound/outbound.ts'
import { requirePeerBounds } from '../../lib/outbound/read-peer-json.ts'
import { invitation } from '../schemas.ts'
import type { Flow } from './flow.ts'
import { OidcRefusal } from './refusal.ts'

/** The identity of a person at the identity provider. */
export interface Identity {
  issuer: string
  subject: string
}

/** Facts about a person from the provider besides their identity. */
export interface IdentityDetails {
  /** The address in lower case; null unless the provider states that it is the person's. */
  verifiedEmail: string | null
  name: string | null
}

/** The identity provider of the installation. It is not called before somebody signs in. */
export interface IdentityProvider {
  /** Returns the provider's address at which a person signs in. @throws OidcRefusal */
  addressFor(flow: Flow, redirectUri: string): Promise<string>
  /**
   * Exchanges the code with which the provider has sent a browser back. `details` fetches the rest, which may take
   * another call.
   * @param callback the address to which the provider has sent the browser
   * @throws OidcRefusal
   */
  identify(
    callback: URL,
    flow: Flow,
  ): Promise<{ identity: Identity; details: () => Promise<IdentityDetails> }>
  /** Reads the provider's published description and returns its name. @throws OidcRefusal */
  check(): Promise<string>
}

const SCOPE = 'openid email profile'
const TIMEOUT_MS = 10_000
/**
 * The largest answer. It also bounds the library's parsing of tokens, whose parts are not JSON until they are decoded.
 */
const LARGEST_ANSWER = 256 * 1024
/** The time for which a provider's description is reused. Its keys are read again when they change. */
const KNOWN_FOR_MS = HOUR_MS

export function identityProvider(
  settings: OidcSettings,
  { outbound, clock }: { outbound: Outbound; clock: Clock },
): IdentityProvider {
  const known = memo<string, Promise<oidc.Configuration>>(1)
  const configuration = () =>
    known(settings.issuer, Math.floor(clock() / KNOWN_FOR_MS), () => discover(settings, outbound))

  return {
    addressFor: (flow, redirectUri) =>
      asking(async () => {
        const parameters = {
          redirect_uri: redirectUri,
          scope: SCOPE,
          state: flow.state,
          nonce: flow.nonce,
          code_challenge: await oidc.calculatePKCECodeChallenge(flow.verifier),
          code_challenge_method: 'S256',
        }
        return oidc.buildAuthorizationUrl(await configuration(), parameters).href
      }),
    identify: (callback, flow) =>
      asking(async () => {
        const provider = await configuration()
        const tokens = await oidc.authorizationCodeGrant(provider, callback, {
          expectedState: flow.state,
          expectedNonce: flow.nonce,
          pkceCodeVerifier: flow.verifier,
          idTokenExpected: true,
        })
        const claims = tokens.claims()
        if (!claims) throw new OidcRefusal('provider_failed')
        return {
          identity: { issuer: claims.iss, subject: claims.sub },
          details: () =>
            asking(async () => {
              const isComplete = claims.email !== undefined || !provider.serverMetadata().userinfo_endpoint
              return detailsOf(
                isComplete ? claims : await oidc.fetchUserInfo(provider, tokens.access_token, claims.sub),
              )
            }),
        }
      }),
    check: () => asking(async () => (await configuration()).serverMetadata().issuer),
  }
}

/** Reads the provider's own description. Tokens are accepted only with a signature of its published keys. */
async function discover(settings: OidcSettings, outbound: Outbound): Promise<oidc.Configuration> {
  const { issuer, clientId, clientSecret } = settings
  const isPlain = issuer.startsWith('http:')
  const options = {
    [oidc.customFetch]: guardedFetch(outbound, new URL(issuer).origin),
    execute: isPlain ? [oidc.allowInsecureRequests] : [],
  }
  const found = await oidc.discovery(new URL(issuer), clientId, {}, oidc.None(), options)
  const metadata = found.serverMetadata()
  // RFC 8414 section 2: a server that names no methods accepts the secret in the header.
  const takesPost = metadata.token_endpoint_auth_methods_supported?.includes('client_secret_post') ?? false
  const authentication = takesPost
    ? oidc.ClientSecretPost(clientSecret)
    : oidc.ClientSecretBasic(clientSecret)
  const provider = new oidc.Configuration(metadata, clientId, clientSecret, authentication)
  provider[oidc.customFetch] = options[oidc.customFetch]
  provider.timeout = TIMEOUT_MS / 1000
  if (isPlain) oidc.allowInsecureRequests(provider)
  oidc.enableNonRepudiationChecks(provider)
  return provider
}

/** Makes the library's calls with the guarded client. Only the issuer itself was set by the operator of the service. */
function guardedFetch(outbound: Outbound, trustedOrigin: string): oidc.CustomFetch {
  return async (address, { method, headers, body, signal }) => {
    const answer = await outbound.of(null).request(address, {
      method: method === 'POST' ? 'POST' : 'GET',
      headers,
      ...(body === null || body === undefined ? {} : { body: String(body) }),
      ...(signal ? { signal } : {}),
      // A code works once: it must not be lost on a connection that is just closing.
      freshConnection: method === 'POST',
      trusted: new URL(address).origin === trustedOrigin,
      timeoutMs: TIMEOUT_MS,
      maxResponseBytes: LARGEST_ANSWER,
    })
    requirePeerBounds(answer.body)
    const fields = Object.entries(answer.headers).flatMap(([name, value]): [string, string][] =>
      value === undefined ? [] : [[name, String(value)]],
    )
    return new Response(BODILESS.has(answer.status) ? null : new Uint8Array(answer.body), {
      status: answer.status,
      headers: fields,
    })
  }
}

/** The statuses of which a Response may have no body. */
const BODILESS = new Set([204, 205, 304])

function detailsOf(claims: oidc.UserInfoResponse | oidc.IDToken): IdentityDetails {
  const { email, email_verified, name } = claims
  // Some providers send the boolean as a text.
  const isVerified = email_verified === true || String(email_verified) === 'true'
  const address = invitation.shape.email.safeParse(email)
  return {
    verifiedEmail: isVerified && address.success ? address.data.toLowerCase() : null,
    name: typeof name === 'string' ? name : null,
  }
}

/** Turns any error of the library into a refusal that has it as its cause. */
async function asking<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask()
  } catch (error) {
    if (error instanceof OidcRefusal) throw error
    if (error instanceof oidc.AuthorizationResponseError && error.error === 'access_denied')
      throw new OidcRefusal('sign_in_cancelled', error)
    throw new OidcRefusal(gaveNoAnswer(error) ? 'provider_unreachable' : 'provider_failed', error)
  }
}

function gaveNoAnswer(error: unknown): boolean {
  if (error instanceof OutboundError) return error.reason !== 'blocked' && error.reason !== 'too_large'
  return error instanceof Error && gaveNoAnswer(error.cause)
}
