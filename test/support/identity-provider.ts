import { generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import Provider from 'oidc-provider'

/** The provider's data about the next person who signs in. */
export interface Account {
  sub: string
  email?: string
  email_verified?: boolean
  name?: string
}

/** A real OpenID provider, at which a browser is signed in without a question. */
interface TestIdentityProvider extends AsyncDisposable {
  issuer: string
  /** The next person who signs in; null refuses consent. */
  account: Account | null
  /** The settings of a service whose people sign in here. */
  env: Record<string, string>
  close(): Promise<void>
}

const CLIENT = { client_id: 'parley', client_secret: 'a secret of the client' }

/** Starts a provider. @param redirectUri the address to which it sends browsers back */
export async function startIdentityProvider(redirectUri: string): Promise<TestIdentityProvider> {
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  let account: Account | null = { sub: 'nobody' }
  const provider: Provider = new Provider(issuer, {
    clients: [
      {
        ...CLIENT,
        id_token_signed_response_alg: 'ES256',
        redirect_uris: [redirectUri],
        token_endpoint_auth_method: 'client_secret_basic',
      },
    ],
    claims: { email: ['email', 'email_verified'], profile: ['name'] },
    findAccount: async (_, sub) => ({
      accountId: sub,
      claims: async () => ({ ...account, sub }),
    }),
    features: { devInteractions: { enabled: false } },
    cookies: { keys: ['a key for the cookies of the test'] },
    interactions: { url: (_, interaction) => `/interaction/${interaction.uid}` },
    async loadExistingGrant({ oidc }) {
      const grant = new provider.Grant({
        clientId: CLIENT.client_id,
        ...(oidc.session?.accountId ? { accountId: oidc.session.accountId } : {}),
      })
      grant.addOIDCScope('openid email profile')
      await grant.save()
      return grant
    },
    ttl: { AccessToken: 60, AuthorizationCode: 60, Grant: 60, IdToken: 60, Interaction: 60, Session: 60 },
    jwks: { keys: [signingKey()] },
  })
  provider.use(async (context, next) => {
    if (!context.path.startsWith('/interaction/')) return next()
    const result = account
      ? { login: { accountId: account.sub } }
      : { error: 'access_denied', error_description: 'They did not want to.' }
    await provider.interactionFinished(context.req, context.res, result)
    context.respond = false
  })
  server.on('request', provider.callback())

  const close = async () => {
    server.closeAllConnections()
    server.close()
    await once(server, 'close').catch(() => {})
  }
  return {
    issuer,
    get account() {
      return account
    },
    set account(next) {
      account = next
    },
    env: {
      PARLEY_OIDC_ISSUER: issuer,
      PARLEY_OIDC_CLIENT_ID: CLIENT.client_id,
      PARLEY_OIDC_CLIENT_SECRET: CLIENT.client_secret,
    },
    close,
    [Symbol.asyncDispose]: close,
  }
}

function signingKey() {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  return { ...privateKey.export({ format: 'jwk' }), alg: 'ES256', use: 'sig', kid: 'test' }
}
