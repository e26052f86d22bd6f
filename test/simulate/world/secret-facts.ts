/** App with a secret that is not being changed. */
export interface OwnApp {
  readonly id: string
  readonly secret: string
  readonly old: readonly string[]
  readonly changedAt: number
}

/** Access token that a user has made by hand. */
export interface OwnToken {
  readonly user: string
  readonly text: string
  /** Sandbox time; `undefined` if it never expires. */
  readonly expiresAt: number | undefined
  /** Moves of the clock when it was made. */
  readonly moves: number
  /** Unknown while it is revoked. */
  isRevoked: boolean | undefined
  changedAt: number
}

/** What the clients of a sandbox know of the secrets that they change. */
export class SecretFacts {
  apps: OwnApp[] = []
  tokens: OwnToken[] = []

  forget(): void {
    this.apps = []
    this.tokens = []
  }

  /** After a power cut: what was confirmed since a time may be lost. */
  doubt(since: number): void {
    this.apps = this.apps.filter(({ changedAt }) => changedAt <= since)
    this.tokens = this.tokens.filter(({ changedAt }) => changedAt <= since)
  }
}
