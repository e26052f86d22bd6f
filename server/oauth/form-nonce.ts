import { createHmac } from 'node:crypto'
import { equalSecrets } from '../core/secrets.ts'

/**
 * Ties a form to the session that was shown it and to what it asks, without storing anything: a page elsewhere
 * can post the form's fields, but cannot know this value.
 * @see RFC 6819 §4.4.1.9, RFC 9700 §4.16
 */
export interface FormNonces {
  make(sessionId: string, subject: string): string
  matches(nonce: string | undefined, sessionId: string, subject: string): boolean
}

export function createFormNonces(key: Uint8Array): FormNonces {
  const make = (sessionId: string, subject: string) =>
    createHmac('sha256', key)
      .update(JSON.stringify([sessionId, subject]))
      .digest('base64url')
  return {
    make,
    matches: (nonce, sessionId, subject) =>
      nonce !== undefined && equalSecrets(nonce, make(sessionId, subject)),
  }
}
