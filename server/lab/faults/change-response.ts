import type { FaultItem } from '../../contract/control-faults.ts'
import { oauthErrorStatuses } from '../../contract/oauth-errors.ts'
import { own } from '../../core/own.ts'
import type { SigningKeys } from '../../hub/oauth/signing-keys.ts'
import { accessTokenHash } from '../../hub/oauth/id-token.ts'
import type { State } from '../../store/state.ts'
import { lengthenTokens, type TokenDocument } from './lengthen.ts'
import { changePayload } from '../../core/payload-path.ts'
import { changeIdToken } from './change-id-token.ts'
import { describeIdToken, describeLengths, describeSet } from './describe-change.ts'

/** Parts of the sandbox that the changes need. */
interface ChangeDeps {
  keys: SigningKeys
  state: Pick<State, 'tokens' | 'refreshTokens'>
}

/** Response of the Hub before a rule changes it. */
export interface OwnResponse {
  status: number
  contentType?: string
  body: unknown
}

/** A rule may name any error, also one that no RFC defines. */
const statuses: Readonly<Record<string, number>> = oauthErrorStatuses

const proxyPage =
  '<html>\r\n<head><title>502 Bad Gateway</title></head>\r\n<body>\r\n<center><h1>502 Bad Gateway</h1></center>\r\n<hr><center>nginx</center>\r\n</body>\r\n</html>\r\n'

export interface ChangedResponse extends OwnResponse {
  /** Each change that was made, in a few words. */
  changes: string[]
}

/** Changes a response as a fault rule says. A stream and other unsupported bodies stay unchanged. */
export async function changeResponse(
  deps: ChangeDeps,
  rule: FaultItem,
  response: OwnResponse,
): Promise<ChangedResponse> {
  const changed = replaceResponse(rule) ?? (await editResponse(deps, rule, response))
  const headers = Object.keys(rule.headers ?? {}).map((name) => `header ${name} set`)
  return { ...changed, changes: [...changed.changes, ...headers] }
}

/** Returns a response that is sent instead of the hub's, if the rule has one. */
function replaceResponse(rule: FaultItem): ChangedResponse | undefined {
  if (rule.break === 'html') {
    const status = rule.status ?? 502
    const changes = [`proxy error page with status ${status}`]
    return { status, contentType: 'text/html', body: proxyPage, changes }
  }
  if (rule.oauthError !== undefined) {
    const status = rule.status ?? own(statuses, rule.oauthError) ?? 400
    const body = {
      error: rule.oauthError,
      error_description: `Refused by fault rule ${rule.id} of the sandbox.`,
    }
    return { ...json(status, body), changes: [`error ${rule.oauthError} with status ${status}`] }
  }
  if (rule.body === undefined) return undefined
  const status = rule.status ?? 200
  const changes = [`response replaced, with status ${status}`]
  return typeof rule.body === 'string'
    ? { status, contentType: 'text/plain; charset=utf-8', body: rule.body, changes }
    : { ...json(status, rule.body), changes }
}

async function editResponse(
  { keys, state }: ChangeDeps,
  rule: FaultItem,
  response: OwnResponse,
): Promise<ChangedResponse> {
  const { set = {}, remove = [], lengthen } = rule
  let { idToken } = rule
  const status = rule.status ?? response.status
  const changes = rule.status === undefined ? [] : [`status set to ${status}`]
  const isEdited = [rule.set, rule.remove, idToken, lengthen].some((edit) => edit !== undefined)
  if (
    !isEdited ||
    typeof response.body !== 'string' ||
    !/\bjson\b/.test(response.contentType ?? '')
  ) {
    return { ...response, status, changes }
  }
  let document: unknown = JSON.parse(response.body)
  if (lengthen !== undefined && hasAccessToken(document)) {
    document = lengthenTokens(state, lengthen, document)
    changes.push(...describeLengths(lengthen))
    // The ID token names the access token that it came with.
    const at_hash = accessTokenHash((document as TokenDocument).access_token)
    idToken = { ...idToken, claims: { at_hash, ...idToken?.claims } }
  }
  if (idToken !== undefined && hasIdToken(document)) {
    document = { ...document, id_token: await changeIdToken(keys, idToken, document.id_token) }
    changes.push(...describeIdToken(rule.idToken ?? {}))
  }
  const { payload, issues } = changePayload(document, { overrides: set, remove })
  const failed = new Set(issues.map(({ path }) => path))
  changes.push(
    ...Object.entries(set)
      .filter(([path]) => !failed.has(`overrides.${path}`))
      .map(([path, value]) => describeSet(path, value)),
    ...remove
      .filter((_path, index) => !failed.has(`remove[${index}]`))
      .map((path) => `${path} removed`),
  )
  return { ...response, status, body: JSON.stringify(payload), changes }
}

function json(status: number, body: unknown): OwnResponse {
  return { status, contentType: 'application/json; charset=utf-8', body: JSON.stringify(body) }
}

function hasAccessToken(document: unknown): document is TokenDocument {
  return typeof (document as { access_token?: unknown } | null)?.access_token === 'string'
}

function hasIdToken(document: unknown): document is { id_token: string } {
  return typeof (document as { id_token?: unknown } | null)?.id_token === 'string'
}
