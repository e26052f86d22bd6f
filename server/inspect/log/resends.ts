/** Header by which a resent request is recognized. The value is secret, and the header is in no log. */
export const resendHeader = 'hub-sandbox-resend'

interface Resend {
  /** Original request. */
  readonly of: string
  /** Id of the new request, once it has arrived. */
  id?: string
}

/** Requests that are being sent again, by a secret that only the sandbox knows. */
export interface Resends {
  start(secret: string, of: string): void
  /** Marks an arrived request as a resend. @returns the id of the original, if the secret is known */
  claim(secret: string, id: string): string | undefined
  /** Ends a resend. @returns the id of the new request, if it arrived */
  end(secret: string): string | undefined
}

export function createResends(): Resends {
  const running = new Map<string, Resend>()
  return {
    start(secret, of) {
      running.set(secret, { of })
    },
    claim(secret, id) {
      const resend = running.get(secret)
      if (resend === undefined) return undefined
      resend.id = id
      return resend.of
    },
    end(secret) {
      const id = running.get(secret)?.id
      running.delete(secret)
      return id
    },
  }
}
