import { createHmac } from 'node:crypto'
import type { XetRight } from '../../contract/words/hub-words.ts'
import type { Clock } from '../../core/clock.ts'
import type { Ids } from '../../core/ids.ts'
import { Refusal } from '../../core/refusal.ts'
import { equalSecrets } from '../../core/secrets.ts'
import type { Repo } from '../../store/entities/hub-entities.ts'
import { permit, type PermitDeps } from '../access/access.ts'
import { findRepo } from '../access/find-repo.ts'
import type { Principal } from '../access/principal.ts'
import { permitLfsUpload } from '../commits/commit-access.ts'

/** What the holder of a Xet token may do. */
export interface XetGrant {
  readonly principal: Principal
  readonly repo: Pick<Repo, 'id' | 'type' | 'name'>
  readonly right: XetRight
  /** Branch or `refs/pr/N` that is written to; absent for a future pull request, and for a bucket. */
  readonly revision?: string | undefined
}

/** Part of a xorb that a URL leads to. */
export interface XorbAddress {
  /** Id of the repo that has it. */
  readonly repo: string
  readonly xorb: string
  /** Transfer that requested the URL. */
  readonly transfer: string
  /** First byte of the xorb as it is sent. */
  readonly first: number
  /** Last byte. */
  readonly last: number
  /** Milliseconds since 1970, on the sandbox clock. */
  readonly until: number
  readonly secret: string
}

/** Tokens and URLs of the Xet storage. They live as long as the sandbox's process, or until a reset. */
export interface XetTokens {
  /**
   * Id of the storage, which changes with each start and reset, and when xorbs are removed. Clients remember under the URL of
   * a storage which chunks it has: one that lacks some must not have the URL of the one before.
   */
  storage(): string
  /** Gives the storage another id. Tokens and URLs stay valid. */
  move(): void
  /** Returns what changes with each reset. */
  era(): unknown
  /** @returns the token, when it expires in milliseconds since 1970, and the id of what its holder transfers */
  grant(grant: XetGrant): {
    readonly token: string
    readonly until: number
    readonly transfer: string
  }
  /**
   * Checks a token, and that its holder still has the right.
   * @throws {Refusal} `invalid_token` for an unknown or expired token, `forbidden` for one that may only read; what
   *   {@link permit} refuses
   */
  check(
    token: string | undefined,
    right: XetGrant['right'],
  ): { grant: XetGrant; repo: Repo; transfer: string }
  /**
   * Checks that the holder of a token still has its right, whether or not it has expired meanwhile.
   * @returns the repo as it is now
   * @throws {Refusal} `not_found` for a repo that is gone; what {@link permit} refuses
   */
  recheck(grant: XetGrant): Repo
  /** Returns the owner of a token, or of the URLs of a transfer, even after they have expired. */
  holderOf(by: { readonly token?: string; readonly transfer?: string }): Principal | undefined
  /** Signs the URL of a part of a xorb, whose holder needs no token. */
  sign(part: Pick<XorbAddress, 'repo' | 'xorb' | 'first' | 'last' | 'transfer'>): XorbAddress
  /** @throws {Refusal} `forbidden` for an invalid or expired URL */
  checkAddress(address: XorbAddress): void
  /**
   * Invalidates URLs and tokens to write: clients do not upload again what they know of the storage. Tokens to read stay,
   * because clients request no new one before they expire; a holder who has lost the right is refused.
   */
  clear(): void
}

const lifetimeMs = 15 * 60 * 1000
/** Most tokens at once; the oldest go first. */
const mostTokens = 10_000
const prefix = 'xet_sandbox_'

/**
 * Creates the tokens of a sandbox.
 * @param newStorageId returns another id each time, also in another run with the same seed
 */
export function createXetTokens(
  deps: PermitDeps & {
    readonly clock: Pick<Clock, 'now'>
    readonly ids: { of(...names: readonly string[]): Pick<Ids, 'bytes'> }
  },
  newStorageId: () => string,
): XetTokens {
  const { clock } = deps
  const ids = deps.ids.of('xet')
  const grants = new Map<string, XetGrant & { readonly until: number; readonly transfer: string }>()
  const holders = new Map<string, Principal>()
  const newStorage = () => ({ id: newStorageId(), key: ids.bytes(32) })
  let made: ReturnType<typeof newStorage> | undefined
  const current = () => (made ??= newStorage())
  const secretOf = ({ repo, xorb, first, last, until, transfer }: Omit<XorbAddress, 'secret'>) =>
    createHmac('sha256', current().key)
      .update([repo, xorb, first, last, until, transfer].join(' '))
      .digest('base64url')

  return {
    storage: () => current().id,
    move() {
      if (made !== undefined) made = { ...made, id: newStorageId() }
    },
    era: () => current().key,
    grant(grant) {
      // With a seed, the bytes are the same again after a reset.
      const token = `${prefix}${current().id}_${Buffer.from(ids.bytes(24)).toString('base64url')}`
      const until = clock.now() + lifetimeMs
      const transfer = Buffer.from(ids.bytes(6)).toString('hex')
      grants.set(token, { ...grant, until, transfer })
      holders.set(transfer, grant.principal)
      for (const [oldest, { transfer: itsTransfer }] of grants) {
        if (grants.size <= mostTokens) break
        grants.delete(oldest)
        holders.delete(itsTransfer)
      }
      return { token, until, transfer }
    },
    check(token = '', right) {
      const grant = grants.get(token)
      if (grant === undefined || grant.until < clock.now()) {
        throw new Refusal('invalid_token', 'Invalid or expired Xet token', {
          detail: `ask for a new one at …/xet-${right}-token`,
        })
      }
      if (right === 'write' && grant.right === 'read') {
        throw new Refusal('forbidden', 'The Xet token may only read', {
          detail: 'uploads need one from …/xet-write-token',
        })
      }
      return { grant, repo: permitGrant(deps, grant, right), transfer: grant.transfer }
    },
    recheck: (grant) => permitGrant(deps, grant, grant.right),
    holderOf: ({ token = '', transfer = '' }) =>
      grants.get(token)?.principal ?? holders.get(transfer),
    sign(part) {
      const until = clock.now() + lifetimeMs
      return { ...part, until, secret: secretOf({ ...part, until }) }
    },
    checkAddress(address) {
      const detail = 'ask for the reconstruction of the file again'
      if (!equalSecrets(address.secret, secretOf(address))) {
        throw new Refusal('forbidden', 'Invalid URL', { detail })
      }
      if (address.until < clock.now()) throw new Refusal('forbidden', 'Expired URL', { detail })
    },
    clear() {
      for (const [token, { right, transfer }] of grants) {
        if (right === 'read') continue
        grants.delete(token)
        holders.delete(transfer)
      }
      made = undefined
    },
  }
}

function permitGrant(deps: PermitDeps, grant: XetGrant, right: XetRight): Repo {
  const { principal, revision } = grant
  const { id, type, name } = grant.repo
  // After a reset, or when it was deleted, the repo of this name may be another one.
  const repo = deps.state.repos.get(id) ?? findRepo(deps, type, name)?.repo
  if (repo === undefined) throw new Refusal('not_found', 'The repo of the token is gone')
  if (right === 'read') permit(deps, principal, { action: 'repo.download', repo })
  else if (repo.type === 'bucket') permit(deps, principal, { action: 'repo.write', repo })
  else permitLfsUpload(deps, principal, repo, revision)
  return repo
}
