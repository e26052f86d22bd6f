import { createHash } from 'node:crypto'
import type { FlowStepDetail } from '../../contract/control-flows.ts'
import { isScope } from '../../contract/scopes.ts'
import { differenceOf } from '../../core/text-difference.ts'
import { omitUndefined } from '../../core/omit-undefined.ts'
import { matchRedirectUri, nearestRedirectUri } from '../../hub/oauth/redirect-uri.ts'
import { parseScope } from '../../hub/oauth/scope.ts'
import type { App } from '../../store/entities/oauth-entities.ts'
import type { DrawingDeps } from '../drawing/context.ts'
import { deviceOf } from '../drawing/draw-device-flow.ts'
import { redirectOf } from '../log/request-reason.ts'
import { formOf, recordPath, queryOf } from '../drawing/exchanges.ts'
import type { Flow } from '../flows/flows.ts'
import { tokenOfResponse } from '../flows/parties.ts'
import type { RequestRecord } from '../log/request-log.ts'
import { textMember } from './json-body.ts'
import type { SecretReveal } from './reveal.ts'

/** Sign-in of a step, and the request of the step. */
export interface StepContext {
  readonly deps: DrawingDeps
  readonly flow: Flow
  readonly record: RequestRecord
  readonly app: App | undefined
  readonly reveal: SecretReveal
}

/** Compares challenge and verifier if both are known (RFC 7636 §4.6). */
export function describePkce(context: StepContext): FlowStepDetail['pkce'] {
  const { deps, flow, record, reveal } = context
  const isExchange = recordPath(record) === '/oauth/token'
  if (!isExchange && recordPath(record) !== '/oauth/authorize') return undefined
  const asked = isExchange ? flow.records.findLast(hasChallenge) : record
  const code = codeOf(record)
  const challenge =
    (code === undefined ? undefined : deps.state.codes.get(code)?.codeChallenge) ??
    (asked === undefined ? undefined : (queryOf(asked).get('code_challenge') ?? undefined))
  if (challenge === undefined) return undefined
  const verifier = verifierOf(isExchange ? [record] : flow.records)
  const computed = verifier === undefined ? undefined : hashOf(verifier)
  return {
    method: (asked === undefined ? null : queryOf(asked).get('code_challenge_method')) ?? 'S256',
    challenge,
    ...(verifier === undefined ? {} : { verifier: reveal.show('code_verifier', verifier) }),
    ...omitUndefined({ computed }),
    ...(computed === undefined ? {} : { equal: computed === challenge }),
  }
}

function hasChallenge(record: RequestRecord): boolean {
  return recordPath(record) === '/oauth/authorize' && queryOf(record).has('code_challenge')
}

function verifierOf(records: readonly RequestRecord[]): string | undefined {
  const exchange = records.findLast((record) => formOf(record).has('code_verifier'))
  return exchange === undefined ? undefined : (formOf(exchange).get('code_verifier') ?? undefined)
}

function hashOf(verifier: string): string {
  return createHash('sha256').update(verifier).digest('base64url')
}

/** Compares the redirect URI with the registered ones, each with the position of the first difference. */
export function describeRedirectUri({
  deps,
  record,
  app,
}: StepContext): FlowStepDetail['redirectUri'] {
  const isExchange = recordPath(record) === '/oauth/token'
  const sent = (isExchange ? formOf(record) : queryOf(record)).get('redirect_uri')
  if (sent === null) return undefined
  if (isExchange) {
    // The token request must repeat the redirect URI of its code (RFC 6749 §4.1.3).
    const bound = deps.state.codes.get(codeOf(record) ?? '')?.redirectUri
    if (bound === undefined) return undefined
    const matches = bound === sent
    const nearest = { value: bound, parts: differenceOf(sent, bound), others: 0 }
    return {
      sent,
      matches,
      registered: [compare(sent, bound, matches)],
      ...(matches ? {} : { nearest }),
    }
  }
  if (app === undefined) return undefined
  const matchesOne = (uri: string) => matchRedirectUri({ redirectUris: [uri] }, sent).matches
  return {
    sent,
    matches: matchRedirectUri(app, sent).matches,
    registered: app.redirectUris.map((uri) => compare(sent, uri, matchesOne(uri))),
    ...omitUndefined({ nearest: nearestRedirectUri(app, sent) }),
  }
}

function compare(sent: string, value: string, matches: boolean) {
  const longest = Math.max(sent.length, value.length)
  let index = 0
  while (index < longest && sent[index] === value[index]) index += 1
  return { value, matches, ...(matches ? {} : { differsAt: index }) }
}

/** Compares requested and granted scopes, with the reason for each that was not granted. */
export function describeScopes(context: StepContext): FlowStepDetail['scopes'] {
  const { record, app } = context
  const requested = scopeParameter(record)
  const granted = grantedScopes(context)
  if (requested === undefined && granted === undefined) return undefined
  const asked = requested === undefined ? [] : parseScope(requested)
  const refused = asked.flatMap((scope) => {
    if (granted?.includes(scope) === true) return []
    const because = reasonAgainst(scope, app, granted !== undefined, record.error)
    return because === undefined ? [] : [{ scope, because }]
  })
  return { asked, granted: [...(granted ?? [])], refused }
}

function scopeParameter(record: RequestRecord): string | undefined {
  return (
    queryOf(record).get('scope') ??
    formOf(record).get('scope') ??
    textMember(record.request.body, 'scope')
  )
}

/** @param error error of the request: only for a refused one it matters whether the app is configured with the scope */
function reasonAgainst(
  scope: string,
  app: App | undefined,
  isOver: boolean,
  error: string | undefined,
): string | undefined {
  if (!isScope(scope)) return 'Unknown scope.'
  if (error === 'invalid_scope' && app?.scopes.includes(scope) === false) {
    return 'Not configured for the app.'
  }
  return isOver ? 'Not granted before, or omitted.' : undefined
}

function grantedScopes({ deps, flow, record }: StepContext): readonly string[] | undefined {
  const answered = textMember(record.response.body, 'scope')
  if (answered !== undefined) return parseScope(answered)
  const code = deps.state.codes.get(codeOf(record) ?? '')
  if (code !== undefined) return code.scopes
  return recordPath(record).startsWith('/oauth/device') && record.status < 400
    ? deviceOf(deps, flow)?.scopes
    : undefined
}

/** Ids of the organizations that the user lets the app act for. */
export function organizationsOf({ deps, flow, record }: StepContext): readonly string[] {
  const code = deps.state.codes.get(codeOf(record) ?? '')
  const device = recordPath(record).startsWith('/oauth/device') ? deviceOf(deps, flow) : undefined
  return (tokenOfResponse(deps, record) ?? code ?? device)?.organizationIds ?? []
}

/** Returns the code that the request sent or its response contained. */
function codeOf(record: RequestRecord): string | undefined {
  return redirectOf(record)?.get('code') ?? formOf(record).get('code') ?? undefined
}
