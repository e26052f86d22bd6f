import { own } from '../../core/own.ts'
import { Refusal } from '../../core/refusal.ts'
import type { Repo } from '../../store/entities/hub-entities.ts'
import { permitCommit } from '../commits/commit-access.ts'
import { type Commit, type ObjectStore, peelTags, readCommit } from '../files/git-objects.ts'
import { walkAncestors } from '../files/history.ts'
import type { HubDeps } from '../hub-deps.ts'
import type { Principal } from '../access/principal.ts'
import { recordPullRequestCommit, requirePullRequestOpen } from '../commits/pull-request-commits.ts'
import { RefRoom } from '../commits/ref-room.ts'
import { isRefName, moveRefsAndTell } from '../commits/repo-refs.ts'
import { mainRef } from '../files/revisions.ts'

/** Change of a ref in a push. */
export interface RefCommand {
  /** Full name. */
  readonly ref: string
  /** Target that the client has seen; null = create it. */
  readonly oldId: string | null
  /** New target; null = delete it. */
  readonly newId: string | null
}

/** Result of a command; git shows `problem` after `[remote rejected]`. */
export interface CommandResult {
  readonly ref: string
  /** Absent if it succeeded. */
  readonly problem?: string
  /** Reason for the developer. */
  readonly detail?: string
}

export interface PushInput {
  readonly repo: Repo
  readonly commands: readonly RefCommand[]
  /** All or nothing. */
  readonly atomic: boolean
}

type JudgeDeps = Pick<HubDeps, 'state' | 'settings' | 'clock'>

/** Refuses all commands for one problem. */
export function refuseAll(
  commands: readonly RefCommand[],
  problem: string,
  detail?: string,
): CommandResult[] {
  return commands.map(({ ref }) => ({ ref, problem, ...(detail === undefined ? {} : { detail }) }))
}

/**
 * Checks the commands of a push before its objects are read. The rules are those of a commit over the API; branches and
 * tags may be moved anywhere.
 */
export function judgePush(
  deps: JudgeDeps,
  principal: Principal,
  { repo, commands, atomic }: PushInput,
): CommandResult[] {
  const named = new Map<string, number>()
  for (const { ref } of commands) named.set(ref, (named.get(ref) ?? 0) + 1)
  const judged = commands.map((command): CommandResult => {
    const refused =
      named.get(command.ref) === 1
        ? judge(deps, principal, repo, command)
        : { problem: 'multiple updates for ref not allowed' }
    return { ref: command.ref, ...refused }
  })
  const results = refuseClashes(repo, commands, judged)
  return atomic ? allOrNothing(results) : results
}

/**
 * Moves the refs of a push whose objects are stored, with one event, and returns the result of each.
 * @param input with the present repo
 */
export function applyPush(
  deps: HubDeps,
  principal: Exclude<Principal, { kind: 'anonymous' }>,
  input: PushInput,
): CommandResult[] {
  const { repo, commands, atomic } = input
  const objects = deps.objects.of(repo)
  const judged = judgePush(deps, principal, input).map((result, index): CommandResult => {
    const command = commands[index]
    if (result.problem !== undefined || command === undefined) return result
    const problem = wrongTarget(objects, command)
    return problem === undefined ? result : { ...result, problem }
  })
  const results = atomic ? allOrNothing(judged) : judged
  const accepted = commands.filter(
    (command, index) => results[index]?.problem === undefined && command.newId !== command.oldId,
  )
  if (accepted.length === 0) return results
  for (const command of accepted) recordInPullRequest(deps, objects, repo, command)
  const targets = Object.fromEntries(accepted.map(({ ref, newId }) => [ref, newId]))
  moveRefsAndTell(deps, repo, targets, principal.user.id)
  return results
}

function allOrNothing(results: readonly CommandResult[]): CommandResult[] {
  const fails = results.some(({ problem }) => problem !== undefined)
  return results.map((result) =>
    fails && result.problem === undefined ? { ...result, problem: 'atomic push failure' } : result,
  )
}

function judge(
  deps: JudgeDeps,
  principal: Principal,
  repo: Repo,
  command: RefCommand,
): Pick<CommandResult, 'problem' | 'detail'> {
  const { ref, oldId, newId } = command
  const present = own(repo.refs, ref) ?? null
  const problem = wrongRef(ref, present) ?? (newId === null ? undeletable(ref) : undefined)
  if (problem !== undefined) return { problem }
  if (present !== oldId) {
    return {
      problem: 'fetch first',
      detail: `the client expects ${oldId}, but it is at ${present}`,
    }
  }
  try {
    permitCommit(deps, principal, repo, ref)
    return {}
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const { message, detail } = error
    return { problem: message, ...(detail === undefined ? {} : { detail }) }
  }
}

/** Refuses new refs that conflict with another one. A ref whose deletion is refused still counts. */
function refuseClashes(
  repo: Repo,
  commands: readonly RefCommand[],
  judged: readonly CommandResult[],
): CommandResult[] {
  const isRefused = (index: number) => judged[index]?.problem !== undefined
  const gone = new Set(
    commands.flatMap(({ ref, newId }, index) => (newId === null && !isRefused(index) ? [ref] : [])),
  )
  const room = new RefRoom(Object.keys(repo.refs).filter((ref) => !gone.has(ref)))
  return judged.map((result, index) => {
    const { ref } = result
    if (isRefused(index) || commands[index]?.newId === null) return result
    const clash = own(repo.refs, ref) === undefined ? room.findClash(ref) : undefined
    if (clash !== undefined) return { ref, problem: `conflicts with ${clash}` }
    room.add(ref)
    return result
  })
}

function wrongRef(ref: string, present: string | null): string | undefined {
  const [, kind, name = ''] = /^refs\/(heads|tags|pr)\/(.+)$/s.exec(ref) ?? []
  if (kind === undefined) return 'only branches, tags and pull requests can be pushed'
  if (kind !== 'pr') return isRefName(name) ? undefined : 'this name is not possible'
  return present === null ? 'there is no such pull request' : undefined
}

function undeletable(ref: string): string | undefined {
  if (ref === mainRef) return `Cannot delete ${ref}`
  return ref.startsWith('refs/pr/') ? 'a pull request cannot be deleted by a push' : undefined
}

function wrongTarget(objects: ObjectStore, { ref, newId }: RefCommand): string | undefined {
  if (newId === null) return undefined
  const target = ref.startsWith('refs/tags/') ? peelTags(objects, newId) : newId
  const { type } = objects.read(target)
  return type === 'commit' ? undefined : `it leads to a ${type}, not to a commit`
}

/** Adds the new commits to a pull request, oldest first. */
function recordInPullRequest(
  deps: HubDeps,
  objects: ObjectStore,
  repo: Repo,
  { ref, oldId, newId }: RefCommand,
): void {
  const discussion = requirePullRequestOpen(deps, repo, ref)
  if (discussion === undefined || newId === null) return
  const base = own(repo.refs, discussion.base ?? mainRef)
  const known = [oldId, base].flatMap((id) => id ?? [])
  for (const commit of commitsSince(objects, newId, known)) {
    recordPullRequestCommit(deps, discussion, commit)
  }
}

/** @returns oldest first */
function commitsSince(objects: ObjectStore, id: string, known: readonly string[]): Commit[] {
  const before = new Set<string>()
  for (const commit of walkAncestors(objects, known)) before.add(commit.id)
  const commits: Commit[] = []
  const ids = new Set([id])
  for (const next of ids) {
    if (before.has(next)) continue
    const commit = readCommit(objects, next)
    commits.unshift(commit)
    for (const parentId of commit.parentIds) ids.add(parentId)
  }
  return commits
}
