import { omitUndefined } from '../../core/omit-undefined.ts'
import { wholeSeconds } from '../../core/duration.ts'
import type { DeviceAuthorizationResponse } from '../../contract/oauth.ts'
import type { Deps } from '../deps.ts'
import type { User } from '../../store/entities/account-entities.ts'
import type { App, DeviceAuthorization } from '../../store/entities/oauth-entities.ts'
import { authorizationBar, autoApprover, ownOrganizationIds } from './authorization.ts'
import {
  authenticateClient,
  checkPolicy,
  type FindClient,
  findNamedClient,
  readClientCredentials,
} from './client-authentication.ts'
import { rememberConsent } from './consents.ts'
import { Refusal } from '../../core/refusal.ts'
import { checkResources, readFormOrJson, readResources } from './forms.ts'
import { requestedScopes } from './scope.ts'
import { type Decision, deviceCodeGrant } from '../../contract/words/oauth-words.ts'

/** Without vowels, which form words, and similar characters (0 O, 1 I, 2 Z, 5 S, 6 G, 8 B). */
const userCodeAlphabet = 'CDFGHJKLMNPQRTVWXY3479'

interface DeviceRequest {
  /** Value of the `Authorization` header. */
  authorization?: string
  /** A form, or a JSON object of strings. */
  body: unknown
}

/**
 * Starts a device authorization.
 * @returns the response; `remark` is for the request log
 * @throws {Refusal} `invalid_client` for an unknown client, or an app with a secret that does not send it;
 *   `invalid_scope`
 * @see RFC 8628 §3.1, §3.2
 */
export async function startDeviceAuthorization(
  deps: Deps,
  findClient: FindClient,
  { authorization, body }: DeviceRequest,
): Promise<{ response: DeviceAuthorizationResponse; remark?: string }> {
  const parameters = readFormOrJson(body)
  const credentials = readClientCredentials(authorization, parameters)
  if (credentials.clientId === undefined) {
    throw new Refusal('invalid_request', 'The parameter client_id is missing.')
  }
  const app = await findNamedClient(findClient, credentials)
  authenticateClient(app, credentials, deviceCodeGrant)
  checkPolicy(app, credentials, deviceCodeGrant)
  const resources = readResources(body)
  checkResources(deps.settings, resources)
  const { scopes, remark } = requestedScopes(parameters['scope'], app, deps.settings)
  const response = giveOutCodes(deps, app, scopes, resources)
  return { response, ...omitUndefined({ remark }) }
}

function giveOutCodes(
  deps: Deps,
  app: App,
  scopes: string[],
  resources: string[],
): DeviceAuthorizationResponse {
  const { clock, ids, settings, state, bus } = deps
  const now = clock.now()
  const authorization = state.deviceAuthorizations.put({
    id: ids.of('device code', app.id).uuid(),
    userCode: unusedUserCode(deps, app),
    clientId: app.id,
    scopes,
    organizationIds: [],
    createdAt: now,
    expiresAt: now + settings.lifetimes.deviceCodeMs,
    status: 'pending',
    familyId: ids.of('family', app.id).uuid(),
    ...(resources.length === 0 ? {} : { resources }),
  })
  bus.emit('device.requested', {
    clientId: app.id,
    userCode: authorization.userCode,
    expiresAt: authorization.expiresAt,
  })
  autoApproveDevice(deps, app, authorization)
  const verificationUri = `${settings.baseUrl}/oauth/device`
  return {
    device_code: authorization.id,
    user_code: authorization.userCode,
    verification_uri: verificationUri,
    expires_in: wholeSeconds(settings.lifetimes.deviceCodeMs),
    ...omitUndefined({ interval: settings.device.intervalSeconds }),
    ...(settings.device.verificationUriComplete
      ? { verification_uri_complete: `${verificationUri}?user_code=${authorization.userCode}` }
      : {}),
  }
}

/** Approves as the user of `--auto-approve`; if that user cannot authorize the app, the code waits for another user. */
function autoApproveDevice(deps: Deps, app: App, authorization: DeviceAuthorization): void {
  const user = autoApprover(deps)
  if (user === undefined || authorizationBar(deps, app, user) !== undefined) return
  answerDevice(deps, {
    authorization,
    user,
    decision: 'approve',
    organizationIds: [],
    authTime: deps.clock.now(),
  })
}

function unusedUserCode(deps: Deps, app: App): string {
  const ids = deps.ids.of('user code', app.id)
  for (;;) {
    const letters = ids.pick(userCodeAlphabet, 8)
    const code = `${letters.slice(0, 4)}-${letters.slice(4)}`
    const taken = deps.state.deviceAuthorizations.find('userCode', code)
    if (taken === undefined) return code
  }
}

/**
 * Finds the pending authorization of a typed code, ignoring hyphen, spaces and case.
 * @throws {Refusal} `invalid_request` for a code that is not pending; the message is for the user
 */
export function findPendingDevice(deps: Deps, typed: string): DeviceAuthorization {
  const letters = typed.toUpperCase().replaceAll(/[^A-Z0-9]/g, '')
  const code = `${letters.slice(0, 4)}-${letters.slice(4)}`
  const authorization = deps.state.deviceAuthorizations.find('userCode', code)
  if (authorization === undefined) {
    throw new Refusal('invalid_request', 'This code is not known. Check it on your device.')
  }
  if (authorization.expiresAt <= deps.clock.now()) {
    throw new Refusal('invalid_request', 'This code has expired. Start again on your device.')
  }
  if (authorization.status !== 'pending') {
    throw new Refusal('invalid_request', 'This code was already answered.')
  }
  return authorization
}

/**
 * Stores the user's decision for the next poll of the device.
 * @param organizationIds selected organizations
 * @throws {Refusal} `invalid_request` when the code is no longer pending; `access_denied` when this user cannot authorize
 *   the app
 * @see RFC 8628 §3.3
 */
export function answerDevice(
  deps: Deps,
  answer: {
    authorization: DeviceAuthorization
    user: User
    decision: Decision
    organizationIds: readonly string[]
    authTime: number
  },
): DeviceAuthorization {
  const { state, bus } = deps
  const { user, decision } = answer
  const authorization = findPendingDevice(deps, answer.authorization.userCode)
  const fact = {
    clientId: authorization.clientId,
    userCode: authorization.userCode,
    userId: user.id,
  }
  if (decision === 'deny') {
    const denied = state.deviceAuthorizations.put({
      ...authorization,
      status: 'denied',
      userId: user.id,
    })
    bus.emit('device.denied', fact)
    return denied
  }
  const app = state.apps.get(authorization.clientId)
  const bar = app === undefined ? 'The app no longer exists.' : authorizationBar(deps, app, user)
  if (bar !== undefined) throw new Refusal('access_denied', bar)

  const organizationIds = ownOrganizationIds(deps, user, answer.organizationIds)
  const { clientId, scopes } = authorization
  rememberConsent(deps, { userId: user.id, clientId, scopes }, organizationIds)
  const approved = state.deviceAuthorizations.put({
    ...authorization,
    status: 'approved',
    userId: user.id,
    organizationIds,
    authTime: answer.authTime,
  })
  bus.emit('device.approved', fact)
  return approved
}
