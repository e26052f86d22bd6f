import { createHmac, createSecretKey, timingSafeEqual } from 'node:crypto'

/**
 * Result of the check of a form's nonce:
 * - `genuine`: form of this owner and subject
 * - `other user`, `other session`: form of this subject, opened by another user, or before this user signed in again
 * - `restarted`: created before the last start of the sandbox, so it cannot be checked
 * - `foreign`: not the nonce of this form
 */
export type FormVerdict = 'genuine' | 'other user' | 'other session' | 'restarted' | 'foreign'

/** Session in which a form was opened. */
export interface FormOwner {
  sessionId: string
  userId: string
}

/**
 * Result of a genuine form: its outcome, shared by all equal posts of the form, or `used` when the form was submitted with
 * another answer before.
 */
export type TakenForm = { kind: 'first' | 'repeated'; outcome: Promise<string> } | { kind: 'used' }

/**
 * Binds a form to its session and subject without storing it. Another site can post the fields of the form, but does not
 * know this value.
 * @see RFC 6819 §4.4.1.9, RFC 9700 §4.16
 */
export interface FormNonces {
  /** Creates a new value each time. */
  make(owner: FormOwner, subject: string): string
  check(nonce: string, owner: FormOwner, subject: string): FormVerdict
  /**
   * Takes the answer of a genuine form once. A browser may send a form again: after a second click, a reload or a lost
   * response. An equal answer then gets the outcome of the first. A failed attempt takes nothing.
   * @param nonce genuine nonce of the form
   * @param take runs for the first answer
   */
  take(nonce: string, answer: string, take: () => Promise<string>): TakenForm
  /** Returns a value that proves what a session did; equal for equal parameters. */
  seal(sessionId: string, subject: string): string
  isSeal(seal: string | undefined, sessionId: string, subject: string): boolean
}

const tagLength = 16

/** Limit of remembered forms, far above the number of open pages; older ones are refused. */
const mostRemembered = 10_000

/** @param key 32 random bytes of this start; forms of an earlier start become invalid */
export function createFormNonces(key: Uint8Array): FormNonces {
  // Imported once: Node 24 takes 17 µs to import a raw key, and 2 µs to sign with an imported one.
  const secretKey = createSecretKey(key)
  const sign = (...parts: string[]) =>
    createHmac('sha256', secretKey).update(JSON.stringify(parts)).digest('base64url')
  const tag = (...parts: string[]) => sign(...parts).slice(0, tagLength)
  const run = tag('run')
  let made = 0
  const taken = new Map<number, { answer: string; outcome: Promise<string> }>()
  /** All nonces up to this number count as used. */
  let settled = 0

  const userTag = ({ userId }: FormOwner) => tag('user', userId)
  const sessionTag = ({ sessionId }: FormOwner) => tag('session', sessionId)

  function remember(number: number, form: { answer: string; outcome: Promise<string> }): void {
    taken.set(number, form)
    form.outcome.catch(() => taken.delete(number))
    if (taken.size <= mostRemembered) return
    for (const oldest of taken.keys()) {
      taken.delete(oldest)
      settled = Math.max(settled, oldest)
      return
    }
  }

  return {
    make(owner, subject) {
      made += 1
      const parts = [String(made), userTag(owner), sessionTag(owner)]
      return [run, ...parts, sign(...parts, subject)].join('.')
    },
    check(nonce, owner, subject) {
      const parts = parse(nonce)
      if (parts === undefined) return 'foreign'
      if (parts.run !== run) return 'restarted'
      const { number, user, session, signature } = parts
      if (!isEqual(signature, sign(String(number), user, session, subject))) return 'foreign'
      if (!isEqual(user, userTag(owner))) return 'other user'
      return isEqual(session, sessionTag(owner)) ? 'genuine' : 'other session'
    },
    take(nonce, given, take) {
      const number = parse(nonce)?.number ?? 0
      const answer = sign('answer', given)
      const before = taken.get(number)
      if (before !== undefined) {
        if (before.answer !== answer) return { kind: 'used' }
        return { kind: 'repeated', outcome: before.outcome }
      }
      if (number <= settled) return { kind: 'used' }
      const outcome = take()
      remember(number, { answer, outcome })
      return { kind: 'first', outcome }
    },
    seal(sessionId, subject) {
      return sign('seal', sessionId, subject)
    },
    isSeal(seal, sessionId, subject) {
      return seal !== undefined && isEqual(seal, sign('seal', sessionId, subject))
    },
  }
}

interface NonceParts {
  run: string
  number: number
  user: string
  session: string
  signature: string
}

function parse(nonce: string): NonceParts | undefined {
  const [, run = '', digits = '', user = '', session = '', signature = ''] =
    /^([\w-]{16})\.(\d{1,15})\.([\w-]{16})\.([\w-]{16})\.([\w-]{43})$/.exec(nonce) ?? []
  return signature === '' ? undefined : { run, number: Number(digits), user, session, signature }
}

function isEqual(given: string, expected: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(expected)]
  return one.length === other.length && timingSafeEqual(one, other)
}
