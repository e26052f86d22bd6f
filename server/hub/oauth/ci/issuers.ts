import type { Settings } from '../../../core/settings.ts'
import { isLoopbackHost } from '../../../core/loopback.ts'
import type { TrustedPublisher } from '../../../store/entities/oauth-entities.ts'
import { type CiProvider, ciProviders, publicIssuers } from '../../../contract/words/ci-words.ts'

/** Issuer of the ID tokens that the sandbox itself mints as a provider. */
export function sandboxIssuer(
  { baseUrl }: Pick<Settings, 'baseUrl'>,
  provider: CiProvider,
): string {
  return `${baseUrl}/_sandbox/ci/${provider}`
}

/** Returns the provider that the sandbox is for an issuer; `undefined` for every other issuer. */
export function providerOfSandboxIssuer(
  settings: Pick<Settings, 'baseUrl'>,
  issuer: string,
): CiProvider | undefined {
  return ciProviders.find((provider) => sandboxIssuer(settings, provider) === issuer)
}

/** Issuers whose ID tokens a publisher accepts: its own, and the sandbox in the role of its provider. */
export function trustedIssuers(
  settings: Pick<Settings, 'baseUrl'>,
  { provider, issuer = publicIssuers[provider] }: Pick<TrustedPublisher, 'provider' | 'issuer'>,
): string[] {
  return [
    ...(issuer === undefined ? [] : [issuer]),
    ...(provider === 'custom' ? [] : [sandboxIssuer(settings, provider)]),
  ]
}

/** Returns why a URL cannot be an issuer (OpenID Connect Discovery §3); `undefined` when it can. */
export function issuerProblem(issuer: string): string | undefined {
  const url = URL.canParse(issuer) ? new URL(issuer) : undefined
  if (url === undefined) return 'is not a URL'
  const isSafe =
    url.protocol === 'https:' || (url.protocol === 'http:' && isLoopbackHost(url.hostname))
  if (!isSafe) return 'must begin with https: (http: on loopback only)'
  if (url.username !== '' || url.password !== '') return 'contains a user name or password'
  return url.search === '' && url.hash === '' ? undefined : 'has a query or fragment'
}
