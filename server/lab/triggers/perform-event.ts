import { Refusal, type RefusalCode } from '../../core/refusal.ts'
import type { Repo } from '../../store/entities/hub-entities.ts'
import type { AnyRepoType } from '../../contract/words/hub-words.ts'
import { createRecipe, findRecipe } from './event-catalog.ts'
import type { HubDeps } from '../../hub/hub-deps.ts'
import type { HubEvent } from '../../hub/events/hub-event.ts'
import { privateCopy } from './private-copy.ts'
import { repoKey } from '../../hub/files/repo-names.ts'
import {
  findReposNamed,
  parseRepoTarget,
  refusalOfRepo,
  requireRepoNamed,
} from '../../hub/access/named-repo.ts'
import { createBucket } from '../../hub/buckets/buckets.ts'
import { createRepo } from '../../hub/repos/repos.ts'
import { rightInNamespace } from '../../hub/access/rights.ts'
import type { Role } from '../../contract/words/account-words.ts'

export interface EventRequest {
  /** A scope, or scope and action. */
  event: string
  kind?: string
  /** `namespace/name`, with `models/`, `datasets/`, `spaces/` or `buckets/` before it where needed. */
  repo: string
}

/** Events caused by a request, in the order in which they happened. */
export interface PerformedEvents {
  /** Preparing events, such as a comment before it is edited. */
  prepared: HubEvent[]
  /** Requested event and its side events. */
  requested: HubEvent[]
}

/**
 * Causes an event by its real action, as the repo's owner or an administrator.
 * @param announce called with each requested event before it is emitted
 * @throws {Refusal} for an unknown event, kind or repo, an ambiguous name (with the candidates), and the Hub's own
 *   refusals
 */
export function performEvent(
  deps: HubDeps,
  request: EventRequest,
  announce: (event: HubEvent) => void = () => {},
): PerformedEvents {
  const { event, kind } = request
  const isCreation = findRecipe(event, kind) === createRecipe
  const repo = isCreation ? planRepo(deps, request.repo) : requireRepoNamed(deps, request.repo)
  const recipe = isCreation ? createRecipe : findRecipe(event, kind, repo.type)
  const performed: PerformedEvents = { prepared: [], requested: [] }
  const cause = deps.cause ?? 'trigger'
  const run = () =>
    recipe.run({
      deps: hubOf(deps, deps, recording(deps.bus, performed.requested, announce), cause),
      preparing: hubOf(deps, deps, recording(deps.bus, performed.prepared), cause),
      repo,
      actorId: findActor(deps, repo),
    })
  refusing(run)
  return performed
}

/**
 * Returns the events that {@link performEvent} would cause, without causing them.
 */
export function previewEvent(deps: HubDeps, request: EventRequest): PerformedEvents {
  return performEvent(hubOf(deps, privateCopy(deps), unheard, deps.cause ?? 'trigger'), request)
}

/**
 * Creates events for payloads without a change of the state. The namespace must exist, the repo need not; an existing
 * repo can be created.
 * @returns the requested events as of {@link performEvent}, marked as synthetic and not emitted
 * @throws {Refusal} as {@link performEvent}
 */
export function synthesizeEvent(deps: HubDeps, request: EventRequest): HubEvent[] {
  const staged = hubOf(deps, privateCopy(deps), unheard, 'synthetic')
  if (findRecipe(request.event, request.kind) === createRecipe) {
    const { type, name } = parseNewTarget(request.repo)
    const existing = staged.state.repos.find('name', repoKey(type, name))
    if (existing !== undefined) staged.state.repos.delete(existing.id)
  } else if (findReposNamed(staged, request.repo).length === 0) {
    makeUpRepo(staged, request.repo)
  }
  return performEvent(staged, request).requested
}

/** Picks the dependencies of the Hub: `deps` may be those of the whole server, and each event has its own. */
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

/** Tells whether a name is that of a bucket, whose contents need the hashes of Xet. */
export function namesBucket(deps: HubDeps, text: string): boolean {
  return (
    parseRepoTarget(text).type === 'bucket' ||
    findReposNamed(deps, text).some(({ type }) => type === 'bucket')
  )
}

/** Describes a repo before it is created. */
function planRepo(deps: HubDeps, text: string): Repo {
  const staged = { ...deps, ...privateCopy(deps), bus: unheard }
  return makeUpRepo(staged, text)
}

function makeUpRepo(deps: HubDeps, text: string): Repo {
  const { type, name } = parseNewTarget(text)
  if (type === 'bucket') return refusing(() => createBucket(deps, { name }))
  const sdk = type === 'space' ? { sdk: 'static' } : {}
  return refusing(() => createRepo(deps, { type, name, ...sdk }))
}

function parseNewTarget(text: string): { type: AnyRepoType; name: string } {
  const { type = 'model', name } = parseRepoTarget(text)
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
  throw refusalOfRepo(
    'conflict',
    `${repo.name} has no owner with write access, so no user can do this.`,
  )
}

/** Reports the Hub's refusals as errors of the field `repo`. */
function refusing<T>(run: () => T): T {
  try {
    return run()
  } catch (error) {
    // A refusal with a path comes from here.
    if (!(error instanceof Refusal) || error.issues.length > 0) throw error
    const { code, message } = error
    throw refusalOfRepo(reportable.has(code) ? code : 'invalid', message)
  }
}

const reportable: ReadonlySet<RefusalCode> = new Set(['forbidden', 'not_found', 'conflict'])
