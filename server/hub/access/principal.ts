import type { Session, User } from '../../state/entities/accounts.ts'
import type { AccessToken } from '../../state/entities/oauth.ts'

/** Who makes a request, and with what. */
export type Principal =
  | { readonly kind: 'anonymous' }
  | {
      readonly kind: 'session'
      readonly user: User
      /** Absent when the sandbox itself acts for the user: that does not end. */
      readonly session?: Session
    }
  | { readonly kind: 'token'; readonly user: User; readonly token: AccessToken }

/** What is said to nobody who wants what takes a user. */
export const unauthenticated = {
  message: 'Invalid username or password.',
  detail: 'send an access token: Authorization: Bearer hf_…',
} as const

export const anonymous: Principal = { kind: 'anonymous' }
