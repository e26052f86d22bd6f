import { Refusal, type RefusalCode } from '../../core/refusal.ts'
import { suggestion } from '../../core/suggestion.ts'
import type { Repo } from '../../state/entities/hub.ts'
import { type RepoType, repoTypes } from '../../contract/words/hub.ts'
import { createRecipe, findRecipe } from './catalog.ts'
import type { HubDeps } from '../../hub/hub-deps.ts'
import type { HubEvent } from '../../events/hub-event.ts'
import { rehearse } from './rehearsal.ts'
import { repoKey } from '../../hub/files/repo-names.ts'
import { findRepo, findReposOfAnyType } from '../../hub/access/find-repo.ts'
import { createRepo } from '../../hub/repos/repos.ts'
import { rightInNamespace } from '../../hub/access/rights.ts'
import type { Role } from '../../contract/words/accounts.ts'

export interface EventRequest {
  /** A scope, or scope and action. */
  event: string
  kind?: string
  /** `namespace/name`, with `models/`, `datasets/` or `spaces/` before it where needed. */
  repo: string
}

/** What came of a request, in the order in which it happened. */
export interface PerformedEvents {
  /** What had to happen first, such as a comment before it is edited. */
  prepared: HubEvent[]
  /** What was asked for, with what always comes with it. */
  asked: HubEvent[]
}

/**
 * Causes an event by doing what causes it, as the repo's owner or an administrator.
 * @param announce told of each event that was asked for, right before everybody else is
 * @throws {Refusal} for an unknown event, kind or repo, a name that fits several repos (with the
 *   candidates), and whatever the hub itself refuses
 */
export function performEvent(
  deps: HubDeps,
  request: EventRequest,
  announce: (event: HubEvent) => void = () => {},
): PerformedEvents {
  const recipe = findRecipe(request.event, request.kind)
  const repo =
    recipe === createRecipe ? planRepo(deps, request.repo) : requireRepoNamed(deps, request.repo)
  const performed: PerformedEvents = { prepared: [], asked: [] }
  const cause = deps.cause ?? 'trigger'
  const run = () =>
    recipe.run({
      deps: hubOf(deps, deps, recording(deps.bus, performed.asked, announce), cause),
      preparing: hubOf(deps, deps, recording(deps.bus, performed.prepared), cause),
      repo,
      actorId: findActor(deps, repo),
    })
  refusing(run)
  return performed
}

/**
 * The events that {@link performEvent} would cause, without anything happening and anybody being
 * told.
 */
export function previewEvent(deps: HubDeps, request: EventRequest): PerformedEvents {
  return performEvent(hubOf(deps, rehearse(deps), unheard, deps.cause ?? 'trigger'), request)
}

/**
 * Events for sending a payload without anything behind it. Here the repo need not exist, its
 * namespace must; one that exists can be created.
 * @returns what {@link performEvent} would have been asked for, marked as synthetic and told to
 *   nobody
 * @throws {Refusal} as {@link performEvent}
 */
export function synthesizeEvent(deps: HubDeps, request: EventRequest): HubEvent[] {
  const staged = hubOf(deps, rehearse(deps), unheard, 'synthetic')
  if (findRecipe(request.event, request.kind) === createRecipe) {
    const { type, name } = parseNewTarget(request.repo)
    const existing = staged.state.repos.find('name', repoKey(type, name))
    if (existing !== undefined) staged.state.repos.delete(existing.id)
  } else if (findRepos(staged, request.repo).length === 0) {
    makeUpRepo(staged, request.repo)
  }
  return performEvent(staged, request).asked
}

/** What a hub needs of `deps`, and no more: they may be those of the whole server, and each event has its own. */
function hubOf(
  { settings, clock, ids }: HubDeps,
  { state, objects }: Pick<HubDeps, 'state' | 'objects'>,
  bus: HubDeps['bus'],
  cause: HubEvent['cause'],
): HubDeps {
  return { settings, clock, ids, state, objects, bus, cause }
}

const unheard: HubDeps['bus'] = { emit: () => {} }

function recording(
  bus: HubDeps['bus'],
  events: HubEvent[],
  announce: (event: HubEvent) => void = () => {},
): HubDeps['bus'] {
  return {
    emit(type, data) {
      if (type === 'hub.event') {
        const event = data as HubEvent
        events.push(event)
        announce(event)
      }
      bus.emit(type, data)
    },
  }
}

/**
 * The one repo a name means.
 * @throws {Refusal} `not_found`; `conflict` with the candidates when a name fits several
 */
export function requireRepoNamed(deps: HubDeps, text: string): Repo {
  const found = findRepos(deps, text)
  const [repo] = found
  if (repo === undefined) {
    throw refusal(
      'not_found',
      `There is no repo ${text}${suggestion(text, repoNames(deps, text))}.`,
    )
  }
  if (found.length === 1) return repo
  const candidates = found.map(({ type, name }) => `${type}s/${name}`)
  throw refusal('conflict', `Several repos are called ${text}: ${candidates.join(', ')}.`)
}

/** What repos are called, in the words of `text`: with the type before it or without. */
function* repoNames({ state }: HubDeps, text: string): Iterable<string> {
  const { type } = parseTarget(text)
  for (const repo of state.repos.values()) {
    if (type === undefined) yield repo.name
    else yield `${repo.type}s/${repo.name}`
  }
}

function findRepos(deps: HubDeps, text: string): Repo[] {
  const { type, name } = parseTarget(text)
  if (type === undefined) return findReposOfAnyType(deps, name)
  const found = findRepo(deps, type, name)
  return found === undefined ? [] : [found.repo]
}

/** `datasets/acme/corpus` → dataset, acme/corpus */
function parseTarget(text: string): { type?: RepoType; name: string } {
  const type = repoTypes.find((candidate) => text.startsWith(`${candidate}s/`))
  const isPrefix = type !== undefined && text.split('/').length === 3
  return isPrefix ? { type, name: text.slice(type.length + 2) } : { name: text }
}

/** A repo that is not there yet: what is known of it before it is created. */
function planRepo(deps: HubDeps, text: string): Repo {
  const staged = { ...deps, ...rehearse(deps), bus: unheard }
  return makeUpRepo(staged, text)
}

function makeUpRepo(deps: HubDeps, text: string): Repo {
  const { type, name } = parseNewTarget(text)
  const sdk = type === 'space' ? { sdk: 'static' } : {}
  return refusing(() => createRepo(deps, { type, name, ...sdk }))
}

function parseNewTarget(text: string): { type: RepoType; name: string } {
  const { type = 'model', name } = parseTarget(text)
  return { type, name }
}

function findActor({ state }: HubDeps, repo: Repo): string {
  if (state.users.has(repo.ownerId)) return repo.ownerId
  const members = state.organizations.get(repo.ownerId)?.members ?? []
  const actor = (['admin', 'write'] satisfies Role[])
    .map((right) =>
      members.find(({ userId }) => rightInNamespace(state, userId, repo.ownerId) === right),
    )
    .find((member) => member !== undefined)
  if (actor !== undefined) return actor.userId
  throw refusal(
    'conflict',
    `Nobody can do this: ${repo.name} has no owner with the right to write.`,
  )
}

/** The hub's refusals, as such of the repo that the trigger named. */
function refusing<T>(run: () => T): T {
  try {
    return run()
  } catch (error) {
    // One that names its place was made here.
    if (!(error instanceof Refusal) || error.issues.length > 0) throw error
    const { code, message } = error
    throw refusal(tellable.has(code) ? code : 'invalid', message)
  }
}

const tellable: ReadonlySet<RefusalCode> = new Set(['forbidden', 'not_found', 'conflict'])

function refusal(code: RefusalCode, message: string): Refusal {
  return new Refusal(code, message, { issues: [{ path: 'repo', message }] })
}
