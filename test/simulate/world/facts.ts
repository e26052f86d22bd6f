import type { Standings } from '../steps/ask-for.ts'
import { type Role, users } from './fixtures.ts'
import { Discussions } from './discussions.ts'
import type { Organization } from './organizations.ts'
import { JobFacts } from './job-facts.ts'
import { Buckets } from './buckets.ts'
import { XetMemory } from './xet-contents.ts'
import { SecretFacts } from './secret-facts.ts'

/** Time after which a response is on the disk, and survives a power cut, in milliseconds. */
export const syncedAfterMs = 5000

/** What a client knows of something that it has changed; `unsure` if a response is missing. */
export type Standing = 'live' | 'gone' | 'unsure'

interface Fact {
  /** Simulated time of the last change that the server has confirmed. */
  changedAt: number
}

/** Authorization of an app by a user: a code, and the tokens that came of it. */
export interface Grant extends Fact {
  /** Name of the user, by which it is deleted. */
  user: string
  readonly clientId: string
  readonly code: string | undefined
  standing: Standing
  /** Access tokens, with the sandbox time at which they expire. */
  readonly access: Map<string, number>
  /** Refresh token that was not used yet. */
  refresh: string | undefined
  readonly used: string[]
}

export interface Commit extends Fact {
  readonly repo: string
  readonly oid: string
  /** File that it has written. */
  readonly path: string
  readonly text: string
}

export interface Hook extends Fact {
  /** Its secret begins with it, so that its receiver knows it. */
  readonly name: string
  /** Unknown while it is changed. */
  secret: string | undefined
  id: string | undefined
  standing: Standing
  isEnabled: boolean | undefined
  /** Time at which a client has read that it is suspended, if nobody has changed that since. */
  suspendedAt: number | undefined
  /** Whether a change was asked for that has no response yet. */
  isChanging: boolean
  readonly isOrdered: boolean
  /** Commits of which it must hear. */
  expected: { readonly oid: string; readonly changedAt: number }[]
}

export interface KnownRepo extends Fact {
  /** `models/acme/x` */
  readonly path: string
  standing: Standing
  /** Unknown while it is changed. */
  isPrivate: boolean | undefined
  /** Changes of it that were asked for. */
  privacyChanges: number
  /** Branches and tags. */
  readonly refs: Standings
}

/** What nobody has changed yet. */
export const unchanged = () => ({ privacyChanges: 0, refs: new Map() as Standings })

/** User or app that a client has created. */
export interface Named extends Fact {
  /** Username or client id. */
  id: string
  standing: Standing
}

/** What the clients of a sandbox know from its responses. */
export class Facts {
  grants: Grant[] = []
  commits: Commit[] = []
  hooks: Hook[] = []
  repos: KnownRepo[] = []
  guests: Named[] = []
  apps: Named[] = []
  organizations: Organization[] = []
  readonly jobs = new JobFacts()
  readonly discussions = new Discussions()
  readonly xet = new XetMemory()
  readonly buckets = new Buckets()
  readonly secrets = new SecretFacts()
  /** Saved states by name; a reset keeps them. */
  readonly snapshots: Standings = new Map()
  /** Increased when an app is disconnected, before and after: a sign-in meanwhile may be void. */
  disconnects = 0
  /** Names of things with a request that may still change them, even after a reset. */
  readonly busy = new Set<string>()
  /** Members of `acme`; `undefined` while they are not known. Replaced by each change. */
  members: (Fact & { readonly roles: ReadonlyMap<string, Role> }) | undefined
  /** Whether a change of the members has no response yet. */
  isChangingMembers = false
  memberChanges = 0
  /** Moves of the clock that have ended, and those without a response yet. */
  readonly moves = { ended: 0, open: 0 }
  /** Increased when the state was replaced: what was begun before counts no more. */
  epoch = 0
  /** Requests to replace the state that have no response yet. */
  replacing = 0

  /** Whether the state is the one of an epoch. */
  isSame(epoch: number): boolean {
    return this.replacing === 0 && this.epoch === epoch
  }

  /** Number of the last move of the clock; not the same as itself while one goes on. */
  get clockMoves(): number {
    return this.moves.open > 0 ? Number.NaN : this.moves.ended
  }

  /**
   * Begins with what the fixtures have.
   * @param changedAt time of the reset
   */
  begin(changedAt = 0): void {
    this.forget()
    this.buckets.begin(changedAt)
    this.jobs.forget()
    this.secrets.forget()
    const known = { standing: 'live', changedAt } as const
    const roles = Object.entries(users).flatMap(([name, { role }]) =>
      role === undefined ? [] : [[name, role] as const],
    )
    this.members = { roles: new Map(roles), changedAt }
    this.repos = [
      { ...known, path: 'datasets/acme/corpus', isPrivate: false, ...unchanged() },
      { ...known, path: 'models/acme/secret', isPrivate: true, ...unchanged() },
    ]
  }

  /** Forgets everything: the state was replaced. */
  forget(): void {
    this.epoch += 1
    this.grants = []
    this.commits = []
    this.hooks = []
    this.repos = []
    this.guests = []
    this.apps = []
    for (const organization of this.organizations) organization.standing = 'unsure'
    this.organizations = []
    for (const one of this.discussions.all) one.standing = 'unsure'
    this.discussions.all = []
    this.buckets.known = []
    this.members = undefined
    this.jobs.forget()
    this.secrets.forget()
  }

  grantsOf({ id }: Named): Grant[] {
    return this.grants.filter(({ user, clientId }) => user === id || clientId === id)
  }

  /** Adds a repo in the place of a deleted one of the same path. */
  replaceRepo(repo: KnownRepo): void {
    this.repos = [...this.repos.filter(({ path }) => path !== repo.path), repo]
    this.commits = this.commits.filter(({ repo: path }) => path !== repo.path)
  }

  /** After a power cut: what was confirmed since a time may be lost. */
  doubt(since: number): void {
    this.jobs.doubt(since)
    this.secrets.doubt(since)
    const isOld = ({ changedAt }: Fact) => changedAt <= since
    for (const { refs } of this.repos) for (const name of refs.keys()) refs.set(name, 'unsure')
    this.commits = this.commits.filter(isOld)
    for (const bucket of this.buckets.known) bucket.doubt(since)
    for (const hook of this.hooks) {
      hook.expected = hook.expected.filter(isOld)
      if ((hook.suspendedAt ?? 0) > since) hook.suspendedAt = undefined
    }
    for (const fact of [
      ...this.grants,
      ...this.hooks,
      ...this.repos,
      ...this.guests,
      ...this.apps,
      ...this.organizations,
    ]) {
      if (!isOld(fact)) fact.standing = 'unsure'
    }
    this.discussions.doubt(since)
    if (this.members !== undefined && !isOld(this.members)) this.members = undefined
  }
}
