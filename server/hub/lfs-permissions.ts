import { createHmac } from 'node:crypto'
import type { LfsAddressQuery } from '../contract/hub-lfs.ts'
import type { Clock } from '../core/clock.ts'
import { Refusal } from '../core/refusal.ts'
import { equalSecrets } from '../core/secrets.ts'
import type { LfsPointer } from './lfs-objects.ts'

/** What an address lets whoever has it do, without a token. */
export interface LfsPermission {
  readonly purpose: LfsAddressQuery['purpose']
  readonly repoId: string
  readonly content: LfsPointer
}

/** Time enough for a client to come to the last of the many addresses that it got at once. */
const lifetimeMs = 60 * 60 * 1000

/**
 * Makes and checks the permissions that addresses carry.
 * @param key of this sandbox alone: no other one honours what it signed
 */
export function createLfsPermissions({ now }: Pick<Clock, 'now'>, key: Uint8Array) {
  const sign = ({ purpose, repoId, content }: LfsPermission, until: number) =>
    createHmac('sha256', key)
      .update([purpose, repoId, content.oid, content.size, until].join(' '))
      .digest('base64url')

  return {
    grant(permission: LfsPermission): LfsAddressQuery {
      const until = now() + lifetimeMs
      const { purpose, content } = permission
      return { purpose, size: content.size, until, secret: sign(permission, until) }
    },
    /** @throws {Refusal} `forbidden` */
    check(permission: LfsPermission, { until, secret }: LfsAddressQuery): void {
      if (!equalSecrets(secret, sign(permission, until))) {
        throw refused('it is not for this', 'no batch of this sandbox has given it out as it is')
      }
      if (until < now()) throw refused('it has expired', 'ask for a batch again')
    },
  }
}

function refused(problem: string, detail: string): Refusal {
  return new Refusal('forbidden', `The address cannot be used: ${problem}`, { detail })
}
