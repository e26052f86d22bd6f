import type { Static } from 'typebox'
import type { AccessStatus } from '../../contract/words/hub-words.ts'
import type {
  DecisionsResponse,
  PersonReference,
  RequestReference,
} from '../../contract/hub-gates.ts'
import { derivedObjectId } from '../../core/ids.ts'
import { own } from '../../core/own.ts'
import { omitUndefined } from '../../core/omit-undefined.ts'
import { Refusal } from '../../core/refusal.ts'
import type { User } from '../../store/entities/account-entities.ts'
import type { AccessRequest, Repo } from '../../store/entities/hub-entities.ts'
import { nameKey } from '../../store/state.ts'
import type { HubDeps } from '../hub-deps.ts'
import type { GateQuestion } from './gate-form.ts'
import { gitTypeOf } from '../files/repo-names.ts'

/** Limits of the answers that a user sends with a request. */
const mostAnswers = 50
const longestQuestion = 200
const longestResponse = 1000

type GateDeps = Pick<HubDeps, 'state' | 'clock' | 'bus'>

/**
 * Asks for access to a gated repo: it is granted at once with automatic gating, else pending. A user who asked before
 * changes nothing.
 * @param input `fields`: answers by question; `questions`: those of the repo's form, all of which need an answer
 * @throws {Refusal} `invalid` if the repo is not gated or an answer is missing, impossible or too long, `forbidden` for a user who was rejected
 */
export function askForAccess(
  deps: GateDeps,
  {
    repo,
    user,
    fields,
    questions = [],
  }: {
    repo: Repo
    user: User
    fields: Record<string, string>
    questions?: readonly GateQuestion[]
  },
): Repo {
  requireGated(repo)
  checkAnswers(fields)
  for (const question of questions) checkAnswer(question, own(fields, question.name) ?? '')
  const before = findRequest(repo, user)
  if (before?.status === 'rejected') {
    throw new Refusal('forbidden', 'Your request to access this repo has been rejected', {
      ...(before.rejectionReason !== undefined && { detail: before.rejectionReason }),
    })
  }
  if (before !== undefined) return repo
  const status = repo.gated === 'auto' ? 'accepted' : 'pending'
  const asked = Object.keys(fields).length === 0 ? {} : { fields }
  return store(deps, repo, { userId: user.id, status, at: deps.clock.now(), ...asked })
}

/**
 * Withdraws the own request.
 * @throws {Refusal} `invalid` if the repo is not gated, `not_found` without a pending request
 */
export function cancelRequest(deps: GateDeps, { repo, user }: { repo: Repo; user: User }): Repo {
  requireGated(repo)
  if (findRequest(repo, user)?.status !== 'pending') {
    throw new Refusal('not_found', 'You have no pending request to access this repo')
  }
  const accessRequests = repo.accessRequests.filter(({ userId }) => userId !== user.id)
  const changed = deps.state.repos.put({ ...repo, accessRequests })
  emitChange(deps, repo, { userId: user.id })
  return changed
}

interface Decision {
  repo: Repo
  request: RequestReference
  status: AccessStatus
  rejectionReason?: string
}

/**
 * Moves a request to another list.
 * @throws {Refusal} `invalid` if the repo is not gated; `not_found` for an unknown user, without a request, or if the
 *   request is in that list already
 */
export function decideRequest(
  deps: GateDeps,
  { repo, request, status, rejectionReason }: Decision,
): Repo {
  requireGated(repo)
  const user = requirePerson(deps, personOf(repo, request))
  const before = findRequest(repo, user)
  if (before === undefined) {
    throw new Refusal('not_found', `${user.username} has not asked for access to this repo`)
  }
  if (before.status === status) {
    throw new Refusal('not_found', `The request of ${user.username} is ${status} already`)
  }
  const { rejectionReason: _earlier, ...rest } = before
  // A request that is put back may have a reason, too: what its user should change.
  const reason = status === 'accepted' ? {} : omitUndefined({ rejectionReason })
  return store(deps, repo, { ...rest, status, ...reason })
}

/**
 * Moves requests to another list, each that is there.
 * @returns the results in their order
 * @throws {Refusal} `invalid` if one of them names nobody; then none is moved
 */
export function decideRequests(
  deps: GateDeps,
  { requests, ...decision }: Omit<Decision, 'request'> & { requests: readonly RequestReference[] },
): DecisionResult[] {
  for (const { requestId, ...person } of requests) {
    if (requestId === undefined) requireNamed(person)
  }
  return requests.map((request) => {
    const { requestId: _, ...named } = request
    const repo = deps.state.repos.get(decision.repo.id) ?? decision.repo
    const isUnknown = request.requestId === undefined && findPerson(deps, named) === undefined
    if (isUnknown) return { ...named, ok: false, error: 'user_not_found' }
    try {
      decideRequest(deps, { ...decision, repo, request })
      return { ...named, ok: true }
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      return { ...named, ok: false, error: 'request_not_found' }
    }
  })
}
export type DecisionResult = Static<typeof DecisionsResponse>[number]

/**
 * Gives a user access without a request.
 * @param input `granter`: name of the user who does it
 * @throws {Refusal} `invalid` if the repo is not gated or the user has access, `not_found` for an unknown user
 */
export function grantAccess(
  deps: GateDeps,
  { repo, person, granter }: { repo: Repo; person: PersonReference; granter: string },
): Repo {
  requireGated(repo)
  const user = requirePerson(deps, person)
  if (findRequest(repo, user)?.status === 'accepted') {
    throw new Refusal('invalid', `${user.username} has access to this repo already`)
  }
  const request = { userId: user.id, status: 'accepted' as const, at: deps.clock.now() }
  return store(deps, repo, { ...request, grantedBy: granter })
}

/** @throws {Refusal} `invalid` */
export function requireGated(repo: Repo): void {
  if (repo.gated !== false) return
  throw new Refusal('invalid', `The ${repo.type} ${repo.name} is not gated`)
}

function checkAnswers(fields: Record<string, string>): void {
  const answers = Object.entries(fields)
  if (answers.length > mostAnswers) {
    throw new Refusal('invalid', `A request has at most ${mostAnswers} answers`)
  }
  const isLong = ([question, answer]: [string, string]) =>
    question.length > longestQuestion || answer.length > longestResponse
  if (answers.some(isLong)) {
    const limits = `${longestQuestion} characters, an answer at most ${longestResponse}`
    throw new Refusal('invalid', `A question has at most ${limits}`)
  }
}

function checkAnswer({ name, kind, options }: GateQuestion, answer: string): void {
  const isMissing = answer.trim() === '' || (kind === 'checkbox' && answer === 'false')
  if (isMissing) throw new Refusal('invalid', `Missing answer: ${name}`)
  if (kind === 'select' && options.length > 0 && !options.includes(answer)) {
    throw new Refusal('invalid', `Invalid answer to ${name}: use one of ${options.join(', ')}`)
  }
}

/** Returns the id of the request of a user, who has at most one for a repo. */
export function requestIdOf(repo: Repo, userId: string): string {
  return derivedObjectId('access-request', `${repo.id}/${userId}`)
}

function personOf(repo: Repo, { requestId, ...person }: RequestReference): PersonReference {
  if (requestId === undefined) return person
  const request = repo.accessRequests.find(({ userId }) => requestIdOf(repo, userId) === requestId)
  if (request !== undefined) return { userId: request.userId }
  throw new Refusal('not_found', `Access request not found: ${requestId}`)
}

function findRequest({ accessRequests }: Repo, { id }: User): AccessRequest | undefined {
  return accessRequests.find(({ userId }) => userId === id)
}

function store(deps: GateDeps, repo: Repo, request: AccessRequest): Repo {
  const others = repo.accessRequests.filter(({ userId }) => userId !== request.userId)
  const changed = deps.state.repos.put({ ...repo, accessRequests: [...others, request] })
  emitChange(deps, repo, request)
  return changed
}

function emitChange(
  { bus }: GateDeps,
  repo: Repo,
  { userId, status }: Pick<AccessRequest, 'userId'> & Partial<Pick<AccessRequest, 'status'>>,
): void {
  bus.emit('access.changed', {
    userId,
    repo: repo.name,
    repoType: gitTypeOf(repo),
    ...omitUndefined({ status }),
  })
}

function requirePerson(deps: GateDeps, person: PersonReference): User {
  requireNamed(person)
  const found = findPerson(deps, person)
  if (found !== undefined) return found
  throw new Refusal('not_found', `User not found: ${person.user ?? person.userId}`)
}

function requireNamed({ user, userId }: PersonReference): void {
  if (user !== undefined || userId !== undefined) return
  throw new Refusal('invalid', 'Either user, userId or requestId must be provided')
}

function findPerson({ state }: GateDeps, { user = '', userId }: PersonReference): User | undefined {
  return userId === undefined ? state.users.find('name', nameKey(user)) : state.users.get(userId)
}
