import type { JWK } from 'jose'

/** The keys that sign ID tokens. Made in the background or when first needed, never on the start path. */
export interface SigningKeys {
  /** Public members only (RFC 7517 §9.3), the present key first. */
  published(): Promise<JWK[]>
  /** Signs claims as a compact RS256 JWT (RFC 7515 §7.1) with the present key. */
  sign(claims: Record<string, unknown>): Promise<string>
  /**
   * Makes a new key the present one.
   * @param keepOld whether the old one stays published, so that its signatures still verify
   * @returns the new `kid`
   */
  rotate(keepOld?: boolean): Promise<string>
}
