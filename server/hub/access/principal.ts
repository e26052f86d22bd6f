import type { Session, User } from '../../store/entities/account-entities.ts'
import type { AccessToken } from '../../store/entities/oauth-entities.ts'

/** Caller of a request and its credentials. */
export type Principal =
  | { readonly kind: 'anonymous' }
  | {
      readonly kind: 'session'
      readonly user: User
      /** Absent when the sandbox itself acts for the user: that never expires. */
      readonly session?: Session
    }
  | { readonly kind: 'token'; readonly user: User; readonly token: AccessToken }

/** Refusal of an anonymous caller where a user is required. */
export const unauthenticated = {
  message: 'Invalid username or password.',
  detail: 'send an access token: Authorization: Bearer hf_…',
} as const

export const anonymous: Principal = { kind: 'anonymous' }
