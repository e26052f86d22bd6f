import type { User } from '../../server/store/entities/account-entities.ts'
import type { AccessToken } from '../../server/store/entities/oauth-entities.ts'
import type { TestApp } from './app.ts'

type World = Pick<TestApp, 'state' | 'deps' | 'clock'>

/** Makes a user access token, by default one that may write. */
export function mintUserToken(
  { state, deps, clock }: World,
  user: User,
  more: Partial<AccessToken> = {},
): string {
  return state.tokens.put({
    id: deps.ids.objectId(),
    token: `hf_sandbox_${deps.ids.alphanumeric(24)}`,
    kind: 'user',
    role: 'write',
    userId: user.id,
    createdAt: clock.now(),
    scopes: [],
    organizationIds: [],
    ...more,
  }).token
}

/** The header of a request with a {@link mintUserToken} of its own. */
export function bearerOf(
  world: World,
  user: User,
  more: Partial<AccessToken> = {},
): Record<string, string> {
  return { authorization: `Bearer ${mintUserToken(world, user, more)}` }
}
