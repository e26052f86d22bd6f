import { createHash } from 'node:crypto'
import { formDecode, readBasic } from '../../core/basic-credentials.ts'
import { isSecretName, maskText } from '../../core/mask.ts'
import { nameKey } from '../../store/state.ts'
import { queryOf } from '../drawing/exchanges.ts'
import type { RequestRecord } from '../log/request-log.ts'
import { literal } from './literals.ts'
import { testSecret, withoutSecrets } from './test-fixtures.ts'
import type { TestScript } from './test-script.ts'

/** Replaces a code or token that no response of the sign-in contained. */
const foreign = literal('not_the_one')

/** Returns the value of a parameter as code: a variable for a value of a response, and no secrets. */
export function valueCode(script: TestScript, name: string, value: string): string {
  const known = script.given.get(value)
  if (known !== undefined) return known
  // For the Hub an empty value is absent, an empty secret too.
  if (value === '') return literal('')
  switch (name) {
    case 'state':
      return literal('a-state')
    case 'nonce':
      return literal('a-nonce')
    case 'code_challenge':
      return challengeCode(script, value)
    case 'code_verifier':
      return verifierCode(script, value)
    case 'client_secret':
      return literal(secretFor(script, value))
    case 'subject_token':
      return literal(subjectFor(script, value))
    case 'redirect_uri':
      return literal(withoutSecrets(value))
    default:
      return isSecretName(name) || maskText(value) !== value ? foreign : literal(value)
  }
}

/** Client authentication of a request. */
export function headersCode(script: TestScript, { request }: RequestRecord): string | undefined {
  const { authorization = '' } = request.headers
  const bearer = /^Bearer +(\S+)$/i.exec(authorization)?.[1]
  if (bearer !== undefined) {
    script.helpers.add('bearer')
    return `bearer(${script.given.get(bearer) ?? foreign})`
  }
  const basic = readBasic(authorization)
  if (basic === undefined) return undefined
  script.helpers.add('basic')
  const { name, password: secret = '' } = basic
  const code = literal(secret === '' ? '' : secretFor(script, secret))
  return `basic(${literal(formDecode(name))}, ${code})`
}

/** Challenge of the test's verifier; an invalid one is sent as it was. */
function challengeCode(script: TestScript, value: string): string {
  if (!/^[A-Za-z0-9\-_]{43}$/.test(value)) return literal(value)
  script.helpers.add('pkce')
  return 'challenge'
}

function verifierCode({ flow, helpers }: TestScript, value: string): string {
  const challenge = createHash('sha256').update(value).digest('base64url')
  if (flow.records.some((record) => queryOf(record).get('code_challenge') === challenge)) {
    helpers.add('pkce')
    return 'verifier'
  }
  // An invalid challenge is refused for its form.
  return literal(/^[A-Za-z0-9\-._~]{43,128}$/.test(value) ? 'x'.repeat(43) : 'too short')
}

function secretFor({ deps }: TestScript, value: string): string {
  const decoded = formDecode(value)
  const isRight = [...deps.state.apps.values()].some(
    ({ clientSecret }) => clientSecret === value || clientSecret === decoded,
  )
  return isRight ? testSecret : 'wrong_secret'
}

function subjectFor({ deps }: TestScript, value: string): string {
  if (deps.state.users.find('email', nameKey(value)) !== undefined) return value
  return value.includes('@') ? 'nobody@example.com' : 'nobody'
}
