import type {
  DecodedToken,
  FlowDetail,
  FlowStepDetail,
} from '../../../../server/contract/control-flows.ts'
import { formatDateTime } from '../../../lib/format.ts'
import { plainText } from './plain-text.ts'

/** Name and value that an artefact shows. */
export interface Part {
  name: string
  value: string
}

/** Object of a step that the audience should look at. */
export type Artefact =
  | { kind: 'device'; userCode: string; url: string }
  | { kind: 'redirect-uri'; redirectUri: NonNullable<FlowStepDetail['redirectUri']> }
  | { kind: 'pkce'; pkce: NonNullable<FlowStepDetail['pkce']> }
  | { kind: 'exchange'; subject: string; token: string | undefined; links: readonly Link[] }
  | { kind: 'tokens'; tokens: readonly DecodedToken[] }
  | { kind: 'url'; base: string; parts: readonly (Part & { isKey: boolean })[] }
  | { kind: 'claims'; parts: readonly Part[] }
  | { kind: 'parts'; label: string; parts: readonly Part[] }

type Link = NonNullable<FlowStepDetail['exchange']>[number]

/** Parameters that the URL of a step is about. */
const keyParameters: ReadonlySet<string> = new Set(['code', 'error', 'code_challenge'])
/** Most rows that an audience reads. */
const mostParts = 9

/** Returns the artefact of a step; `undefined` for a step that its sentence explains. */
export function chooseArtefact(
  detail: FlowStepDetail,
  { device }: Pick<FlowDetail, 'device'>,
): Artefact | undefined {
  return (
    deviceOf(detail, device) ??
    redirectUriOf(detail) ??
    exchangeOf(detail) ??
    pkceOf(detail) ??
    tokensOf(detail) ??
    urlOf(detail) ??
    claimsOf(detail)
  )
}

function valueOf({ parameters }: FlowStepDetail, name: string): string | undefined {
  return parameters.find((parameter) => parameter.name === name)?.value
}

function deviceOf(detail: FlowStepDetail, waiting: FlowDetail['device']): Artefact | undefined {
  const userCode = valueOf(detail, 'user_code')
  const url = valueOf(detail, 'verification_uri_complete') ?? valueOf(detail, 'verification_uri')
  if (userCode !== undefined && url !== undefined) return { kind: 'device', userCode, url }
  // While the device waits, the audience may still want to scan its code.
  if (waiting === undefined || detail.step.kind === 'message') return undefined
  const { verificationUri, verificationUriComplete = verificationUri } = waiting
  return { kind: 'device', userCode: waiting.userCode, url: verificationUriComplete }
}

/** Returns the redirect URI only where it is the reason of the refusal. */
function redirectUriOf({ redirectUri, step }: FlowStepDetail): Artefact | undefined {
  return redirectUri?.matches === false && step.outcome === 'refused'
    ? { kind: 'redirect-uri', redirectUri }
    : undefined
}

function exchangeOf(detail: FlowStepDetail): Artefact | undefined {
  const { exchange: links, step } = detail
  const subject = links?.find(({ label }) => label === 'subject')
  if (links === undefined || subject === undefined) return undefined
  const token = step.from === 'hub' ? valueOf(detail, 'access_token') : undefined
  return { kind: 'exchange', subject: subject.value, token, links }
}

/** Returns the pair at the token endpoint: where the two values meet. */
function pkceOf({ pkce, request, step }: FlowStepDetail): Artefact | undefined {
  if (pkce?.verifier === undefined || !isTokenRequest(request)) return undefined
  return step.from !== 'hub' || pkce.equal === false ? { kind: 'pkce', pkce } : undefined
}

function isTokenRequest(request: FlowStepDetail['request']): boolean {
  return request?.line.startsWith('POST /oauth/token') === true
}

/** Returns tokens that the Hub issues, not the one that a request carries. */
function tokensOf({ tokens, step }: FlowStepDetail): Artefact | undefined {
  return tokens.length > 0 && step.from === 'hub' ? { kind: 'tokens', tokens } : undefined
}

function urlOf(detail: FlowStepDetail): Artefact | undefined {
  const { parameters, step, answer, request } = detail
  const redirected = parameters.filter(({ place }) => place === 'redirect')
  const sent = step.from === 'browser' ? parameters.filter(({ place }) => place === 'query') : []
  const shown = redirected.length > 0 ? redirected : sent
  if (!shown.some(({ name }) => keyParameters.has(name))) return undefined
  const location = answer?.headers.find(([name]) => name === 'location')?.[1]
  const url = redirected.length > 0 ? location : request?.line.replace(/^\S+ /u, '')
  return {
    kind: 'url',
    base: url?.split(/[?#]/u, 1)[0] ?? '',
    parts: shown
      .slice(0, mostParts)
      .map(({ name, value }) => ({ name, value, isKey: keyParameters.has(name) })),
  }
}

/** Returns what the Hub tells an app about the user. */
function claimsOf({ parameters, step }: FlowStepDetail): Artefact | undefined {
  const rows = parameters.filter(({ place, value }) => place === 'json' && !/^[[{]/u.test(value))
  if (step.from !== 'hub' || step.to === 'browser' || rows.length === 0) return undefined
  const parts = rows.slice(0, mostParts).map(({ name, value }) => ({ name, value }))
  return { kind: 'claims', parts }
}

/** Claims that an app checks or stores, in the order in which they are explained. */
const toldClaims = ['iss', 'aud', 'sub', 'preferred_username', 'nonce', 'exp', 'at_hash']

/** Returns the claims that an app depends on, without quotes, and times as times. */
export function readableClaims({ claims = [] }: Pick<DecodedToken, 'claims'>): Part[] {
  return toldClaims.flatMap((name) => {
    const claim = claims.find((each) => each.name === name)
    if (claim === undefined) return []
    return [
      { name, value: claim.time ? formatDateTime(claim.time) : plainText(unquoted(claim.value)) },
    ]
  })
}

function unquoted(json: string): string {
  return /^".*"$/su.test(json) ? json.slice(1, -1) : json
}
