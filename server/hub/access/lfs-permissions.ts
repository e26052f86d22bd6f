import { createHmac } from 'node:crypto'
import type { LfsAddressQuery } from '../../contract/hub-lfs.ts'
import type { Clock } from '../../core/clock.ts'
import { Refusal } from '../../core/refusal.ts'
import { equalSecrets } from '../../core/secrets.ts'
import type { LfsPointer } from '../files/lfs-objects.ts'

/** Permission in a signed URL: its holder needs no token. */
export interface LfsPermission {
  readonly purpose: 'upload' | 'verify' | 'download'
  readonly repoId: string
  readonly content: LfsPointer
}

/** Long enough for a client to reach the last of the many URLs of a batch. */
const lifetimeMs = 60 * 60 * 1000

/**
 * Signs and checks the permissions in URLs.
 * @param key secret of this sandbox: other sandboxes reject its signatures
 */
export function createLfsPermissions({ now }: Pick<Clock, 'now'>, key: Uint8Array) {
  let count = 0
  const sign = (
    { purpose, repoId, content }: LfsPermission,
    { until, nr }: Pick<LfsAddressQuery, 'until' | 'nr'>,
  ) =>
    createHmac('sha256', key)
      .update([purpose, repoId, content.oid, content.size, until, nr].join(' '))
      .digest('base64url')

  return {
    grant(permission: LfsPermission): LfsAddressQuery {
      // Two uploads of one object may run at once, each with its own URL.
      const validity = { until: now() + lifetimeMs, nr: ++count }
      const { repoId, content } = permission
      return { repo: repoId, size: content.size, ...validity, secret: sign(permission, validity) }
    },
    /**
     * @param oid object that is requested
     * @throws {Refusal} `forbidden`
     */
    check(
      purpose: LfsPermission['purpose'],
      oid: string,
      { repo, size, until, nr, secret }: LfsAddressQuery,
    ): LfsPermission {
      const permission = { purpose, repoId: repo, content: { oid, size } }
      if (!equalSecrets(secret, sign(permission, { until, nr }))) {
        throw refused('it is not for this', 'no batch of this sandbox has given it out as it is')
      }
      if (until < now()) throw refused('it has expired', 'ask for a batch again')
      return permission
    },
  }
}

function refused(problem: string, detail: string): Refusal {
  return new Refusal('forbidden', `Invalid URL: ${problem}`, { detail })
}
