import { omitUndefined } from '../../core/omit-undefined.ts'
import type { App, DeviceAuthorization } from '../../state/entities/oauth.ts'
import { checks } from '../checks.ts'
import { deviceCodeGrant, userDenials } from '../../contract/words/oauth.ts'
import type { OAuthDeps } from '../deps.ts'
import { Refusal } from '../../core/refusal.ts'
import { inOrder } from '../in-order.ts'
import { issueTokens } from '../tokens.ts'
import { grantedResources, type GrantRequest, requireParameter } from './grant-request.ts'

/**
 * What nearly every poll is answered. Made once: it says the same to all, and to collect a stack each time would
 * cost more than the rest of a poll.
 */
const pending = new Refusal(
  'authorization_pending',
  'The user has not yet answered; go on polling.',
)

/**
 * Answers a poll of a device: tokens once the user has allowed it.
 * @throws {Refusal} `authorization_pending`, `slow_down`, `access_denied`, `expired_token` as RFC 8628 §3.5;
 *   `invalid_grant` when the device code is unknown, another client's, or used
 * @see RFC 8628 §3.4, §3.5
 */
export const deviceGrant = inOrder(checks['POST /oauth/token'][deviceCodeGrant])<GrantRequest>()
  .step('parameters', ({ parameters }) => ({ value: requireParameter(parameters, 'device_code') }))
  .step('grant', ({ deps, app, value }) => requireAnswer(findDevice(deps, app, value)))
  .step('tokens', async ({ deps, app, authorization, userId, resources }) => {
    deps.polls.forget(authorization.id)
    deps.state.deviceAuthorizations.put({ ...authorization, status: 'consumed' })
    const response = await issueTokens(deps, {
      app,
      userId,
      grant: 'device_code',
      scopes: authorization.scopes,
      resources: grantedResources({ resources }, authorization.resources),
      organizationIds: authorization.organizationIds,
      familyId: deps.ids.of('family', app.id, userId).uuid(),
      refreshable: true,
      ...omitUndefined({ authTime: authorization.authTime }),
    })
    return { response }
  })

interface FoundDevice {
  authorization: DeviceAuthorization
  /** Who has allowed it; absent while it waits. */
  userId: string | undefined
}

/** By itself: V8 only ever interprets what always throws, and nearly every poll is told to wait. */
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
    // Only who waits can be too fast: an answer is told at once, however soon it is asked for.
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
