import { pathOf, queryPartOf } from '../../core/request-target.ts'
import { deviceCodeGrant, tokenExchangeGrant } from '../../contract/words/oauth-words.ts'
import type { FlowActor, FlowKind } from '../../contract/words/sandbox-words.ts'
import { idTokenType } from '../../contract/words/ci-words.ts'
import { own } from '../../core/own.ts'
import { textMember } from '../details/json-body.ts'
import type { RequestRecord } from '../log/request-log.ts'
import { redirectOf } from '../log/request-reason.ts'
import type { MessageName } from './message-names.ts'

/** Request and response by their names in the RFCs. */
export interface MessagePair {
  /** Party that sends the request. */
  from: FlowActor
  request: MessageName | `${string} /${string}`
  answer: MessageName
}

type Reader = (record: RequestRecord, client: FlowActor) => MessagePair

const readers: Readonly<Record<string, Reader>> = {
  'GET /oauth/authorize': (record) => ({
    from: 'browser',
    request: 'authorization request',
    answer: authorizationResponse(record),
  }),
  'POST /oauth/authorize': (record) => ({
    from: 'browser',
    request: formOf(record).has('client_id') ? 'authorization request' : decisionOf(record),
    answer: authorizationResponse(record),
  }),
  'GET /login': (record) => ({
    from: 'browser',
    request: 'request for the login page',
    answer: page(record, 'login page'),
  }),
  'POST /login': (record) => ({
    from: 'browser',
    request: 'sign-in form',
    answer: isRedirect(record)
      ? 'redirect back'
      : page(record, record.status === 200 ? 'password page' : 'login page'),
  }),
  'POST /oauth/device': (record) => ({
    from: 'device',
    request: 'device authorization request',
    answer: answer(record, 'device authorization response'),
  }),
  'GET /oauth/device': (record) => ({
    from: 'browser',
    request: 'request for the code page',
    answer: page(record, 'code page'),
  }),
  'POST /oauth/device/verify': (record) => ({
    from: 'browser',
    request: hasAnswered(record) ? decisionOf(record) : 'user enters code',
    answer: isStandIn(record) ? 'response' : isRedirect(record) ? 'redirect' : 'code page',
  }),
  'GET /oauth/device/verify': (record) => ({
    from: 'browser',
    request: 'request for the consent page',
    answer: page(record, 'consent page'),
  }),
  'GET /oauth/device/done': (record) => ({
    from: 'browser',
    request: 'request for the confirmation page',
    answer: page(record, 'confirmation page'),
  }),
  'POST /oauth/token': (record, client) => ({
    from: client,
    request: tokenRequest(record),
    answer: answer(record, 'token response'),
  }),
  'GET /oauth/userinfo': userinfo,
  'POST /oauth/userinfo': userinfo,
  'POST /oauth/register': (record) => ({
    from: 'app',
    request: 'registration request',
    answer: answer(record, 'registration response'),
  }),
}

export function readExchange(record: RequestRecord, kind: FlowKind): MessagePair {
  const client: FlowActor = kind === 'device-code' ? 'device' : 'app'
  const route = `${record.method} ${recordPath(record)}` as const
  return (
    own(readers, route)?.(record, client) ?? {
      from: client,
      request: route as `${string} /${string}`,
      answer: answer(record, 'response'),
    }
  )
}

export function recordPath({ url }: Pick<RequestRecord, 'url'>): string {
  return pathOf(url)
}

export function queryOf({ url }: RequestRecord): URLSearchParams {
  return queryPartOf(url)
}

export function formOf({ request }: RequestRecord): URLSearchParams {
  return request.body instanceof URLSearchParams ? request.body : new URLSearchParams()
}

/** Checks whether a call of the control API represents a browser's request: it lacks the headers of one. */
export function isStandIn({ request }: RequestRecord): boolean {
  return Object.keys(request.headers).length === 0
}

function userinfo(record: RequestRecord, client: FlowActor): MessagePair {
  return {
    from: client,
    request: 'userinfo request',
    answer: answer(record, 'userinfo response'),
  }
}

function tokenRequest(record: RequestRecord): MessageName {
  switch (record.grantType) {
    case 'refresh_token':
      return 'refresh request'
    case deviceCodeGrant:
      return 'device token request'
    case tokenExchangeGrant:
      return isCiExchange(record) ? 'CI identity exchange' : 'token exchange request'
    default:
      return formOf(record).has('code_verifier') ? 'token request with PKCE' : 'token request'
  }
}

function isCiExchange(record: RequestRecord): boolean {
  const name = 'subject_token_type'
  const type = formOf(record).get(name) ?? textMember(record.request.body, name)
  return type === idTokenType
}

function authorizationResponse(record: RequestRecord): MessageName {
  const target = redirectOf(record)
  if (target?.has('code') === true) return 'code → redirect URI'
  if (target?.has('error') === true) return 'error → redirect URI'
  return page(record, 'consent page')
}

function decisionOf(record: RequestRecord): MessageName {
  return formOf(record).get('decision') === 'deny' ? 'user denies' : 'user approves'
}

function hasAnswered(record: RequestRecord): boolean {
  return formOf(record).has('decision') || isStandIn(record)
}

function answer(record: RequestRecord, name: MessageName): MessageName {
  return isOk(record) ? name : 'error response'
}

function page(record: RequestRecord, name: MessageName): MessageName {
  const location = record.response.headers['location']
  if (typeof location === 'string') {
    return location.startsWith('/login') ? 'redirect to the login page' : 'redirect'
  }
  return isOk(record) || name === 'login page' ? name : 'error page'
}

function isOk({ status }: RequestRecord): boolean {
  return status > 0 && status < 400
}

function isRedirect({ status }: RequestRecord): boolean {
  return status >= 300 && status < 400
}
