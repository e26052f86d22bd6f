import { suspendedStatus } from '../../server/contract/words/webhook-words.ts'
import type { Delivery } from '../../server/store/entities/webhook-entities.ts'
import type { State } from '../../server/store/state.ts'
import { jobInvariants } from './job-invariants.ts'
import { findGap, findLostComment, findWrongStatus } from './discussed.ts'
import { problemOfLargeFiles } from './large-files.ts'
import { ProcessDied } from './platform/disk.ts'
import { findOrphan } from './orphans.ts'
import { firstOf, groupBy } from './world/lists.ts'
import { suspensionInvariants } from './suspension-invariants.ts'
import type { InvariantName } from './world/violation.ts'
import type { World } from './world/world.ts'

/** Something that is always true of a running sandbox. */
export interface Invariant {
  readonly name: InvariantName
  /** Returns what is wrong; `undefined` if nothing is. */
  readonly check: (world: World, state: State) => string | undefined
}

/** The comment of an event that has created one. */
const newComment =
  /"event":\{"action":"create","scope":"discussion.comment"\}.*"comment":\{"id":"([0-9a-f]{24})"/
/** The commit to which an event has moved the main branch. */
const pushedToMain = /"ref":"refs\/heads\/main",[^}]*"newSha":"([0-9a-f]{40})"/

const isFinal = ({ state }: Delivery) => ['succeeded', 'failed', 'cancelled'].includes(state)

/** Everything that must be true after each step, in the order in which it is checked. */
export const invariants: readonly Invariant[] = [
  {
    name: 'a confirmed commit stays in the history of its branch',
    check: (world, state) =>
      firstOf(
        groupBy(world.facts.commits, ({ repo }) => repo),
        ([path, commits]) => {
          const known = world.facts.repos.find((repo) => repo.path === path)
          if (known?.standing !== 'live') return undefined
          const repo = repoAt(state, path)
          if (repo === undefined) return `${path} is gone`
          const history = historyOf(world, repo.id, repo.refs['refs/heads/main'])
          return firstOf(commits, ({ oid }) =>
            history.has(oid) ? undefined : `${path} has lost the commit ${oid}`,
          )
        },
      ),
  },
  {
    name: 'a large file that a repo has is whole',
    check: problemOfLargeFiles,
  },
  {
    name: 'a created repo exists, and a deleted one does not',
    check: (world, state) =>
      firstOf(world.facts.repos, ({ path, standing }) => {
        if (standing === 'unsure') return undefined
        const exists = repoAt(state, path) !== undefined
        return exists === (standing === 'live')
          ? undefined
          : `${path} ${exists ? 'exists' : 'does not exist'}, and was ${standing}`
      }),
  },
  {
    name: 'a created webhook exists, and a deleted one does not',
    check: (world, state) =>
      firstOf(world.facts.hooks, ({ id, name, standing, isChanging }) => {
        if (id === undefined || standing === 'unsure' || isChanging) return undefined
        const exists = state.webhooks.has(id)
        return exists === (standing === 'live') ? undefined : `${name} is ${standing}`
      }),
  },
  {
    name: 'an event is delivered to a webhook once',
    check: (world, state) =>
      firstOf(world.facts.hooks, (hook) => {
        if (hook.id === undefined || hook.standing !== 'live' || hook.isChanging) return undefined
        const found = new Map<string, number>()
        for (const delivery of state.deliveries.group('webhook', hook.id)) {
          if (delivery.derivedFrom !== undefined) continue
          const body = state.deliveryBodies.get(delivery.id)?.body ?? ''
          const [, oid] = pushedToMain.exec(body) ?? newComment.exec(body) ?? []
          if (oid !== undefined) found.set(oid, (found.get(oid) ?? 0) + 1)
        }
        const isSuspended = state.webhooks.get(hook.id)?.status === suspendedStatus
        return firstOf(hook.expected, ({ oid }) => {
          const count = found.get(oid) ?? 0
          const isRight = count === 1 || (count === 0 && isSuspended)
          return isRight ? undefined : `${hook.name} has ${count} deliveries of ${oid}`
        })
      }),
  },
  {
    name: 'the attempts of a delivery are numbered without a gap',
    check: (_world, state) =>
      firstOf(state.deliveries.values(), ({ id, attempts }) => {
        const numbers = state.attempts.group('delivery', id).map(({ number }) => number)
        const isRight = numbers.every((number, index) => number === index + 1)
        return isRight && numbers.length === attempts
          ? undefined
          : `${id} has ${attempts} attempts, numbered ${numbers.join(', ')}`
      }),
  },
  {
    name: 'a delivery is in one state that its attempts explain',
    check: (_world, state) =>
      firstOf(state.deliveries.values(), (delivery) => {
        const { id, finishedAt } = delivery
        if (isFinal(delivery) !== (finishedAt !== undefined)) {
          return `${id} is ${delivery.state}, and ${finishedAt === undefined ? 'not finished' : 'finished'}`
        }
        const attempts = state.attempts.group('delivery', id)
        if (
          delivery.state === 'succeeded' &&
          !attempts.some(({ outcome }) => outcome === 'succeeded')
        ) {
          return `${id} is succeeded, and no attempt of it is`
        }
        // Those by hand are sent beside it.
        const own = attempts.filter(
          ({ outcome, source }) => outcome === undefined && source !== 'replay',
        )
        if (own.length > 1) return `${id} has ${own.length} attempts in flight`
        if (!state.deliveryBodies.has(id)) return `${id} has no body`
        return undefined
      }),
  },
  {
    name: 'a family has one usable refresh token',
    check: (_world, state) =>
      firstOf(
        groupBy([...state.refreshTokens.values()], ({ familyId }) => familyId),
        ([family, tokens]) => {
          const usable = tokens.filter(
            ({ usedAt, revokedAt }) => usedAt === undefined && revokedAt === undefined,
          )
          return usable.length <= 1
            ? undefined
            : `the family ${family} has ${usable.length} usable refresh tokens`
        },
      ),
  },
  {
    name: 'no token outlives its user or app',
    check: (_world, state) =>
      firstOf(state.tokens.values(), ({ id, userId, clientId, revokedAt }) => {
        if (revokedAt !== undefined) return undefined
        // The user of a CI job is its publisher.
        const isUser = userId === undefined || state.users.has(userId)
        if (!isUser && !state.trustedPublishers.has(userId)) return `${id} has no user`
        const isKnown =
          clientId === undefined ||
          state.apps.has(clientId) ||
          state.metadataDocuments.has(clientId)
        return isKnown ? undefined : `${id} has no app`
      }),
  },
  {
    name: 'a confirmed comment stays in its place',
    check: findLostComment,
  },
  {
    name: 'a discussion has the status that was confirmed',
    check: findWrongStatus,
  },
  {
    name: 'the discussions of a repo are numbered without a gap',
    check: findGap,
  },
  {
    name: 'nothing outlives what it belongs to',
    check: (_world, state) => findOrphan(state),
  },
  {
    name: 'each ref of a repo points to a whole history',
    check: (world, state) =>
      firstOf(state.repos.values(), (repo) =>
        firstOf(Object.entries(repo.refs), ([ref, target]) => {
          const objects = world.sandbox.deps.objects.of(repo)
          return objects.has(target)
            ? undefined
            : `${ref} of ${repo.name} points to a missing ${target}`
        }),
      ),
  },
  ...jobInvariants,
  ...suspensionInvariants,
]

/** Checks a running sandbox, and notes the first thing that is wrong. */
export function check(world: World): void {
  // What was known may just have been replaced.
  if (!world.isRunning || world.violation !== undefined || world.facts.replacing > 0) return
  const { disk } = world
  const { fault } = disk
  // The check reads, not the product.
  disk.fault = undefined
  for (const { name, check: problemOf } of invariants) {
    let problem: string | undefined
    try {
      problem = problemOf(world, world.sandbox.deps.state)
    } catch (error) {
      // A kill within an operation of the disk can meet the check's own.
      if (error instanceof ProcessDied) break
      problem = String(error)
    }
    if (problem === undefined) continue
    world.fail(name, problem)
    break
  }
  disk.fault = fault
}

/** @param path such as `models/acme/x` */
function repoAt(state: State, path: string) {
  const [kind = '', ...name] = path.split('/')
  return state.repos.find('name', `${kind.slice(0, -1)}/${name.join('/')}`)
}

/** All commits that a commit reaches by its first parents. */
function historyOf(world: World, id: string, head: string | undefined): Set<string> {
  const objects = world.sandbox.deps.objects.of({ id })
  const history = new Set<string>()
  for (let at = head; at !== undefined; at = objects.readCommit(at).parentIds[0]) history.add(at)
  return history
}
