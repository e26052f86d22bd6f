import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { HubServices } from '../services.ts'
import { Refusal } from '../../core/refusal.ts'
import type { RateLimitBucket, RateLimitReading } from '../access/rate-limits.ts'
import { anonymous, type Principal } from '../access/principal.ts'
import { identifySession } from '../oauth/identify.ts'
import { omitUndefined } from '../../core/omit-undefined.ts'
import { bearerToken, xetStoragePath } from './xet-grants.ts'
import { HttpRefusal } from '../../web/plugins/refusals.ts'
import { readSessionCookie } from './session-cookie.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Page of a user, an organization or a repo. */
    isHubPage?: true
  }
}

/**
 * Adds the remaining quota of the caller to responses of the Hub's API and pages. Only `--rate-limits` refuses requests
 * beyond the quota.
 * @see draft-ietf-httpapi-ratelimit-headers
 */
export function registerRateLimits(app: FastifyInstance, deps: HubServices): void {
  // The hooks of the routes have identified the caller.
  app.addHook('preParsing', (request, reply, _payload, done) => {
    const bucket = bucketOf(request)
    if (bucket === undefined) return done()
    const principal = request.principal ?? xetHolderOf(deps, request) ?? viewerOf(deps, request)
    const reading = deps.limits.count(bucket, principal, request.ip)
    reply
      .header('ratelimit', `"${bucket}";r=${reading.remaining};t=${reading.resetSeconds}`)
      .header(
        'ratelimit-policy',
        `"fixed window";"${bucket}";q=${reading.quota};w=${reading.windowSeconds}`,
      )
    if (!reading.exceeded || !deps.settings.rateLimits) return done()
    reply.header('retry-after', reading.resetSeconds)
    const who = principal.kind === 'anonymous' ? request.ip : principal.user.username
    done(
      new Refusal('rate_limited', sentenceFor(principal, request.ip, reading), {
        detail: `${who} has used up ${reading.quota} requests of the bucket ${bucket}; the next window begins in ${reading.resetSeconds} s`,
      }),
    )
  })
}

/** Texts of the Hub, which users search for. */
function sentenceFor(
  principal: Principal,
  address: string,
  { quota, bucket }: RateLimitReading,
): string {
  return principal.kind === 'anonymous'
    ? `We had to rate limit your IP (${address}). To continue using our service, create a HF account or login to your existing account, and make sure you pass a HF_TOKEN if you're using the API.`
    : `We had to rate limit you, you hit the quota of ${quota} ${bucket} requests per 5 minutes period. Upgrade to a PRO user or Team/Enterprise organization account (https://hf.co/pricing) to get higher limits. See https://huggingface.co/docs/hub/rate-limits`
}

/** Returns the user of a token or signed URL of the Xet storage. */
function xetHolderOf({ xet }: HubServices, request: FastifyRequest): Principal | undefined {
  const { url, headers, query } = request
  if (!url.startsWith(xetStoragePath(''))) return undefined
  const { transfer } = query as Record<string, unknown>
  const token = bearerToken(headers)
  return xet.holderOf(
    omitUndefined({ token, transfer: typeof transfer === 'string' ? transfer : undefined }),
  )
}

/** Returns the user of the browser that requests a page. The page refuses an ambiguous session cookie itself. */
function viewerOf(deps: HubServices, { headers }: FastifyRequest): Principal {
  try {
    return identifySession(deps, readSessionCookie(deps.settings, headers))
  } catch (error) {
    if (error instanceof HttpRefusal) return anonymous
    throw error
  }
}

/** A download counts once, at `resolve`: the cache and the storage that it redirects to do not count. */
function bucketOf({ method, url, routeOptions }: FastifyRequest): RateLimitBucket | undefined {
  if (url.startsWith('/api/resolve-cache/')) return undefined
  if (url.startsWith('/api/')) return 'api'
  if (/^(?:\/[^/?]+){2,3}\/resolve\//.test(url)) return 'resolvers'
  if (method !== 'GET' && method !== 'HEAD') return undefined
  const isPage =
    routeOptions.config.isHubPage === true ||
    /^\/(?:login|settings|organizations|oauth\/(?:authorize|device))\b/.test(url)
  return isPage ? 'pages' : undefined
}
