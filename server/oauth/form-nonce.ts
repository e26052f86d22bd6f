import { createHmac, createSecretKey, timingSafeEqual } from 'node:crypto'

/**
 * What a nonce that came back with a form says of it:
 * - `genuine`: the form of this session and subject, answered for the first time
 * - `used`: it was answered before
 * - `restarted`: made before the sandbox started, and so of no use any more
 * - `foreign`: not the nonce of this form
 */
export type FormVerdict = 'genuine' | 'used' | 'restarted' | 'foreign'

/**
 * Ties a form to the session that was shown it and to what it asks, without storing who was shown what: a page
 * elsewhere can post the form's fields, but cannot know this value.
 * @see RFC 6819 §4.4.1.9, RFC 9700 §4.16
 */
export interface FormNonces {
  /** Another value each time. */
  make(sessionId: string, subject: string): string
  /** Whether it was made for this, used or not. */
  matches(nonce: string | undefined, sessionId: string, subject: string): boolean
  /** Judges a nonce and uses it up. */
  redeem(nonce: string, sessionId: string, subject: string): FormVerdict
}

/** Many more than pages that stand open: of those that are older none is taken any more. */
const mostRemembered = 10_000

/** @param key 32 random bytes of this start: a sandbox that starts again does not know its old forms */
export function createFormNonces(key: Uint8Array): FormNonces {
  // Read once: Node 24 takes 17 µs to read a raw key, and 2 to sign with one that was read.
  const secretKey = createSecretKey(key)
  const sign = (...parts: string[]) =>
    createHmac('sha256', secretKey).update(JSON.stringify(parts)).digest('base64url')
  const run = sign('run').slice(0, 8)
  let made = 0
  const used = new Set<number>()
  /** All up to here count as used. */
  let settled = 0

  function parse(nonce: string): { run: string; number: number; signature: string } | undefined {
    const [, of = '', digits = '', signature = ''] =
      /^([\w-]{8})\.(\d{1,15})\.([\w-]{43})$/.exec(nonce) ?? []
    return signature === '' ? undefined : { run: of, number: Number(digits), signature }
  }

  function isSigned(
    { number, signature }: { number: number; signature: string },
    sessionId: string,
    subject: string,
  ): boolean {
    // Of one length, both of them: `parse` takes no other.
    const expected = sign(String(number), sessionId, subject)
    return timingSafeEqual(Buffer.from(signature), Buffer.from(expected))
  }

  function markUsed(number: number): void {
    used.add(number)
    if (used.size <= mostRemembered) return
    for (const oldest of used) {
      used.delete(oldest)
      settled = Math.max(settled, oldest)
      return
    }
  }

  return {
    make(sessionId, subject) {
      made += 1
      return `${run}.${made}.${sign(String(made), sessionId, subject)}`
    },
    matches(nonce, sessionId, subject) {
      const parts = nonce === undefined ? undefined : parse(nonce)
      return parts !== undefined && isSigned(parts, sessionId, subject)
    },
    redeem(nonce, sessionId, subject) {
      const parts = parse(nonce)
      if (parts === undefined) return 'foreign'
      if (parts.run !== run) return 'restarted'
      if (!isSigned(parts, sessionId, subject)) return 'foreign'
      if (parts.number <= settled || used.has(parts.number)) return 'used'
      markUsed(parts.number)
      return 'genuine'
    },
  }
}
