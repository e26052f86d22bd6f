import type { FaultItem } from '../../contract/control-faults.ts'
import { oauthErrorStatuses } from '../../contract/oauth-errors.ts'
import { own } from '../../core/own.ts'
import type { SigningKeys } from '../../oauth/signing-keys.ts'
import { changePayload } from '../../core/payload-path.ts'

export interface Answer {
  status: number
  contentType?: string
  body: unknown
}

/** A rule may name any error, also one that no RFC defines. */
const statuses: Readonly<Record<string, number>> = oauthErrorStatuses

const proxyPage =
  '<html>\r\n<head><title>502 Bad Gateway</title></head>\r\n<body>\r\n<center><h1>502 Bad Gateway</h1></center>\r\n<hr><center>nginx</center>\r\n</body>\r\n</html>\r\n'

/** Changes a response as a fault rule says. A stream and other unsupported bodies stay unchanged. */
export async function changeAnswer(
  keys: SigningKeys,
  rule: FaultItem,
  answer: Answer,
): Promise<Answer> {
  if (rule.break === 'html') {
    return { status: rule.status ?? 502, contentType: 'text/html', body: proxyPage }
  }
  if (rule.oauthError !== undefined) {
    const body = {
      error: rule.oauthError,
      error_description: `Refused by fault rule ${rule.id} of the sandbox.`,
    }
    return json(rule.status ?? own(statuses, rule.oauthError) ?? 400, body)
  }
  const status = rule.status ?? answer.status
  if (typeof rule.body === 'string') {
    return { status: rule.status ?? 200, contentType: 'text/plain; charset=utf-8', body: rule.body }
  }
  if (rule.body !== undefined) return json(rule.status ?? 200, rule.body)
  if (rule.set === undefined && rule.remove === undefined && rule.idToken === undefined) {
    return { ...answer, status }
  }
  if (typeof answer.body !== 'string' || !/\bjson\b/.test(answer.contentType ?? '')) {
    return { ...answer, status }
  }
  let document: unknown = JSON.parse(answer.body)
  if (rule.idToken !== undefined) document = await changeIdToken(keys, rule.idToken, document)
  const { payload } = changePayload(document, {
    overrides: rule.set ?? {},
    remove: rule.remove ?? [],
  })
  return { ...answer, status, body: JSON.stringify(payload) }
}

function json(status: number, body: unknown): Answer {
  return { status, contentType: 'application/json; charset=utf-8', body: JSON.stringify(body) }
}

/** Changes the claims and signs again, so that nothing else is wrong with the token. */
async function changeIdToken(
  keys: SigningKeys,
  { kid, claims = {}, breakSignature }: NonNullable<FaultItem['idToken']>,
  document: unknown,
): Promise<unknown> {
  const idToken = (document as { id_token?: unknown } | null)?.id_token
  if (typeof idToken !== 'string') return document
  const payload = Buffer.from(idToken.split('.')[1] ?? '', 'base64url').toString('utf8')
  const merged = Object.entries({ ...(JSON.parse(payload) as object), ...claims })
  const changed = Object.fromEntries(merged.filter(([, value]) => value !== null))
  const signed = await keys.sign(changed, kid)
  return {
    ...(document as object),
    id_token: breakSignature === true ? withOtherSignature(signed) : signed,
  }
}

/** Returns the token with another signature of the same length: readable, but invalid. */
function withOtherSignature(token: string): string {
  const end = token.lastIndexOf('.') + 1
  const signature = Buffer.from(token.slice(end), 'base64url')
  return (
    token.slice(0, end) + Buffer.from(signature.map((byte) => byte ^ 0xff)).toString('base64url')
  )
}
