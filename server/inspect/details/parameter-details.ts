import type { FlowStepDetail } from '../../contract/control-flows.ts'
import { deviceCodeGrant, tokenExchangeGrant } from '../../contract/words/oauth-words.ts'
import { formDecode, readBasic } from '../../core/basic-credentials.ts'
import { omitUndefined } from '../../core/omit-undefined.ts'
import { redirectOf } from '../log/request-reason.ts'
import { formOf, recordPath, queryOf } from '../drawing/exchanges.ts'
import type { RequestRecord } from '../log/request-log.ts'
import { jsonOf } from './json-body.ts'
import { knownClaim } from './known-claims.ts'
import { knownParameter, type ParameterPlace } from './known-parameters.ts'
import type { SecretReveal } from './reveal.ts'

type Parameter = FlowStepDetail['parameters'][number]

/** Longer JSON values are shown in the raw body only. */
const longestValue = 2000

/** Lists the parameters of a request in order. */
export function requestParameters(record: RequestRecord, reveal: SecretReveal): Parameter[] {
  const place = placeOf(record)
  const read = (where: Parameter['place']) => (name: string, value: string) =>
    describe(reveal, { name, value, place: where }, place)
  return [
    ...headerParameters(record, reveal),
    ...Array.from(queryOf(record), ([name, value]) => read('query')(name, value)),
    ...Array.from(formOf(record), ([name, value]) => read('form')(name, value)),
    ...jsonMembers(record.request.body).map(([name, value]) => read('json')(name, value)),
  ]
}

/** Lists the members of a JSON response, and the parameters of a redirect. */
export function answerParameters(record: RequestRecord, reveal: SecretReveal): Parameter[] {
  return [
    ...redirectParameters(record, reveal),
    ...jsonMembers(record.response.body).map(([name, value]) =>
      describe(reveal, { name, value, place: 'json' }, 'answer'),
    ),
  ]
}

export function redirectParameters(record: RequestRecord, reveal: SecretReveal): Parameter[] {
  return Array.from(redirectOf(record) ?? [], ([name, value]) =>
    describe(reveal, { name, value, place: 'redirect' }, 'answer'),
  )
}

/** Lists the client credentials of a request. */
function headerParameters({ request }: RequestRecord, reveal: SecretReveal): Parameter[] {
  const { authorization } = request.headers
  if (authorization === undefined) return []
  const header = describe(
    reveal,
    { name: 'authorization', value: authorization, place: 'header' },
    'answer',
  )
  const value = reveal.header('authorization', authorization)
  const name = readBasic(authorization)?.name
  return [
    { ...header, value, secret: true },
    ...(name === undefined
      ? []
      : [
          describe(reveal, { name: 'client_id', value: formDecode(name), place: 'header' }, 'code'),
        ]),
  ]
}

function jsonMembers(body: unknown): [name: string, value: string][] {
  return Object.entries(jsonOf(body) ?? {}).map(([name, value]) => {
    const text = typeof value === 'string' ? value : JSON.stringify(value)
    return [name, text.length > longestValue ? `${text.slice(0, longestValue)}…` : text]
  })
}

function describe(
  reveal: SecretReveal,
  { name, value, place }: Pick<Parameter, 'name' | 'value' | 'place'>,
  readAt: ParameterPlace,
): Parameter {
  const known = knownParameter(name)
  const isRead = readAt === 'answer' || (value !== '' && known?.readAt.includes(readAt) === true)
  const meaning = known ?? (readAt === 'answer' ? claimAsParameter(name) : undefined)
  return {
    name,
    ...reveal.show(name, value),
    place,
    ...omitUndefined({ purpose: meaning?.purpose, source: meaning?.source }),
    ...(isRead ? {} : { ignored: true as const }),
  }
}

/** Checks whether this is a userinfo response, which consists of claims. */
function claimAsParameter(name: string): { purpose: string; source: string } | undefined {
  const claim = knownClaim(name)
  return claim === undefined ? undefined : { purpose: claim.meaning, source: claim.source }
}

function placeOf(record: RequestRecord): ParameterPlace {
  switch (recordPath(record)) {
    case '/oauth/authorize':
      return 'authorize'
    case '/oauth/register':
      return 'register'
    case '/oauth/device':
      return record.method === 'POST' ? 'device' : 'page'
    case '/oauth/token':
      return grantPlace(record.grantType)
    default:
      return 'page'
  }
}

function grantPlace(grantType: string | undefined): ParameterPlace {
  if (grantType === 'refresh_token') return 'refresh'
  if (grantType === deviceCodeGrant) return 'device token'
  return grantType === tokenExchangeGrant ? 'exchange' : 'code'
}
