import { omitUndefined } from '../../../core/omit-undefined.ts'
import type { TokenResponse } from '../../../contract/oauth.ts'
import type { App, DeviceAuthorization } from '../../../store/entities/oauth-entities.ts'
import { userDenials } from '../../../contract/words/oauth-words.ts'
import type { OAuthDeps } from '../oauth-deps.ts'
import { Refusal } from '../../../core/refusal.ts'
import { issueTokens } from '../tokens.ts'
import { grantedResources, type GrantRequest, requireParameter } from './grant-request.ts'

/**
 * Response to nearly every poll. Created once, because collecting a stack would cost more than the rest of a poll.
 */
const pending = new Refusal(
  'authorization_pending',
  'The user has not yet answered; go on polling.',
)

/**
 * Handles a poll of a device: returns tokens once the user has approved it.
 * @throws {Refusal} `authorization_pending`, `slow_down`, `access_denied`, `expired_token` as RFC 8628 §3.5;
 *   `invalid_grant` when the device code is unknown, used, or belongs to another client
 * @see RFC 8628 §3.4, §3.5
 */
export async function deviceGrant(request: GrantRequest): Promise<TokenResponse> {
  const { deps, app, parameters, resources } = request
  const found = findDevice(deps, app, requireParameter(parameters, 'device_code'))
  const { authorization, userId } = requireAnswer(found)
  const granted = grantedResources({ deps, resources }, authorization.resources)
  deps.polls.forget(authorization.id)
  deps.state.deviceAuthorizations.put({ ...authorization, status: 'consumed' })
  return issueTokens(deps, {
    app,
    userId,
    grant: 'device_code',
    scopes: authorization.scopes,
    resources: granted,
    organizationIds: authorization.organizationIds,
    familyId: authorization.familyId ?? deps.ids.of('family', app.id, userId).uuid(),
    refreshable: true,
    ...omitUndefined({ authTime: authorization.authTime }),
  })
}

interface FoundDevice {
  authorization: DeviceAuthorization
  /** User who approved it; absent while it is pending. */
  userId: string | undefined
}

/** A function of its own: V8 does not optimize code that always throws, and nearly every poll throws here. */
function requireAnswer({ authorization, userId }: FoundDevice) {
  if (userId === undefined) throw pending
  return { authorization, userId }
}

function findDevice(deps: OAuthDeps, app: App, value: string): FoundDevice {
  const authorization = deps.state.deviceAuthorizations.get(value)
  if (authorization === undefined) {
    throw new Refusal('invalid_grant', 'The device code is unknown.')
  }
  if (authorization.clientId !== app.id) {
    throw new Refusal('invalid_grant', 'The device code was issued to another client.')
  }
  if (authorization.status === 'consumed') {
    throw new Refusal('invalid_grant', 'The device code was already used.')
  }
  if (authorization.status === 'denied') {
    deps.polls.forget(value)
    throw new Refusal('access_denied', userDenials.device)
  }
  if (authorization.expiresAt <= deps.clock.now()) {
    deps.polls.forget(value)
    throw new Refusal('expired_token', 'The device code has expired; start again.')
  }
  if (authorization.status === 'pending' || authorization.userId === undefined) {
    // Only a pending device can poll too fast: an answer is returned at any time.
    if (deps.polls.tooFast(value)) {
      throw new Refusal(
        'slow_down',
        `Polling too fast: wait ${deps.polls.intervalSeconds(value)} seconds between polls.`,
      )
    }
    return { authorization, userId: undefined }
  }
  return { authorization, userId: authorization.userId }
}
