import { Discussion, type KnownComment, type Status } from '../world/discussions.ts'
import type { KnownRepo } from '../world/facts.ts'
import { users } from '../world/fixtures.ts'
import type { Reply, World } from '../world/world.ts'
import { change } from './change.ts'
import { chooseRepo, listenFor, push, sendCommit } from './hub.ts'
import type { Steps } from './step.ts'

const { token } = users.alice
const statusPromise = { promise: 'a discussion has the status that was confirmed' } as const

/** Returns true for a repo that has kept its path, and that no step moves or deletes. */
const isSteadyRepo = ({ facts }: World, repo: KnownRepo) =>
  facts.repos.includes(repo) && repo.standing === 'live'

const pathOf = ({ repo, num }: Discussion) => `/api/${repo.path}/discussions/${num}`

const post = (world: World, path: string, json: object, as = token) =>
  world.send(path, { method: 'POST', json, token: as })

interface Shown {
  readonly _id: string
  readonly title: string
  readonly status: Status
  readonly events: readonly { readonly id: string }[]
  readonly changes?: { readonly mergeCommitId?: string }
}

interface Opening {
  readonly kind: 'discussion' | 'draft' | 'pull request'
  readonly base: string
  readonly file: { readonly path: string; readonly text: string }
}

/** Opens one. @returns its number */
async function send(world: World, repo: KnownRepo, { kind, base, file }: Opening) {
  const title = `A ${kind} ${world.scheduler.count}`
  const isPullRequest = kind === 'pull request'
  const reply = isPullRequest
    ? await sendCommit(world, repo.path, file, token, '?create_pr=1', base)
    : await post(world, `/api/${repo.path}/discussions`, {
        title,
        description: file.text,
        pullRequest: kind === 'draft',
      })
  if (reply.status !== 200) return undefined
  const { num, pullRequestUrl } = reply.json() as { num?: number; pullRequestUrl?: string }
  return num ?? Number(pullRequestUrl?.split('/').at(-1))
}

async function open(world: World): Promise<Discussion | undefined> {
  const { facts, random, scheduler } = world
  const repo = chooseRepo(world)
  if (repo === undefined || facts.discussions.all.length > 20) return undefined
  const { epoch } = facts
  const isSteady = () => facts.isSame(epoch) && isSteadyRepo(world, repo)
  const kind = random.pick(['discussion', 'draft', 'pull request', 'pull request'] as const)
  const base = repo.refs.get('the-branch') === 'live' && random.chance(0.3) ? 'the-branch' : 'main'
  const path = `pull-${scheduler.count}-${random.int(1000)}.txt`
  const text = `Text ${random.int(1000)}\n`
  const num = await send(world, repo, { kind, base, file: { path, text } })
  if (num === undefined || !isSteady()) return undefined
  const shown = await world.send(`/api/${repo.path}/discussions/${num}`, { token })
  if (shown.status !== 200 || !isSteady()) return undefined
  const { _id: id, title, status, events } = shown.json() as Shown
  const known = facts.discussions.all.filter((one) => one.repo === repo && one.standing === 'live')
  if (known.some((one) => one.num === num)) {
    world.fail(
      'the discussions of a repo are numbered without a gap',
      `${repo.path} has two of the number ${num}`,
    )
  }
  const isPullRequest = kind === 'pull request'
  const discussion = new Discussion({
    id,
    repo,
    num,
    title,
    status,
    base,
    changedAt: scheduler.now,
    file: isPullRequest ? { path, text } : undefined,
    isPullRequest: kind !== 'discussion',
  })
  facts.discussions.all.push(discussion)
  const [opening] = events
  if (opening !== undefined && !isPullRequest) noteComment(world, discussion, opening.id, text, 0)
  return discussion
}

function noteComment(
  { scheduler }: World,
  { comments }: Discussion,
  id: string,
  text: string,
  sentAt: number,
): void {
  const { count: confirmedAt, now: changedAt } = scheduler
  const about = { isHidden: false, reactions: new Set<string>(), isUnsure: false }
  comments.push({ id, text, ...about, sentAt, confirmedAt, changedAt })
}

/** Returns a function that returns true while nothing has happened that explains a refusal. */
function steady(world: World, discussion: Discussion): () => boolean {
  const { facts } = world
  const { epoch } = facts
  const { repo } = discussion
  return () =>
    facts.isSame(epoch) &&
    discussion.standing === 'live' &&
    discussion.repo === repo &&
    isSteadyRepo(world, repo)
}

async function comment(world: World, discussion: Discussion): Promise<void> {
  const isSteady = steady(world, discussion)
  const note = listenFor(world)
  const text = `Answer ${world.scheduler.count} ${world.random.int(1000)}`
  const sentAt = world.scheduler.count
  const reply = await post(world, `${pathOf(discussion)}/comment`, { comment: text })
  if (reply.status !== 200 || !isSteady()) return
  const { newMessage } = reply.json() as { newMessage: { id: string } }
  noteComment(world, discussion, newMessage.id, text, sentAt)
  note(newMessage.id)
}

/** Edits or hides a comment, or reacts to it. */
async function changeComment(world: World, discussion: Discussion): Promise<void> {
  const { random } = world
  const known = discussion.comments.filter(({ isUnsure }) => !isUnsure)
  if (known.length === 0) return
  const one = random.pick(known)
  const path = `${pathOf(discussion)}/comment/${one.id}`
  const content = `Edited ${world.scheduler.count}`
  const [way, json, done] = random.pick<[string, object, (comment: KnownComment) => void]>([
    ['edit', { content }, (it) => void (it.text = content)],
    ['hide', {}, (it) => void (it.isHidden = true)],
    ['reaction', { reaction: 'heart' }, (it) => void it.reactions.add('alice')],
  ])
  const isAllowed = way === 'hide' || !one.isHidden
  const isSteady = steady(world, discussion)
  one.isUnsure = true
  const reply = await post(world, `${path}/${way}`, json)
  if (!isSteady() || reply.status >= 500) return
  one.isUnsure = false
  if ((reply.status === 200) !== isAllowed) {
    world.fail(
      'a confirmed comment stays in its place',
      `${discussion.name}: ${way} of ${one.id} was answered with ${reply.status}: ${reply.text}`,
    )
  }
  if (reply.status !== 200) return
  done(one)
  one.changedAt = world.scheduler.now
}

async function retitle(world: World, discussion: Discussion): Promise<void> {
  const title = `Title ${world.scheduler.count}`
  await change(world, discussion, {
    request: () => post(world, `${pathOf(discussion)}/title`, { title }),
    isAllowed: true,
    isSteady: steady(world, discussion),
    done: () => void (discussion.title = title),
    ...statusPromise,
  })
}

async function changeStatus(world: World, discussion: Discussion): Promise<void> {
  const { status: before, isRefDeleted } = discussion
  const status = world.random.pick(['open', 'open', 'closed'] as const)
  const isPossible = before !== 'merged' && before !== status
  await change(world, discussion, {
    request: () => post(world, `${pathOf(discussion)}/status`, { status }),
    isAllowed: isPossible && !(status === 'open' && isRefDeleted),
    isSteady: steady(world, discussion),
    done: () => void (discussion.status = status),
    ...statusPromise,
  })
}

/** Two people merge at once, while somebody may commit. */
async function merge(world: World, discussion: Discussion): Promise<void> {
  const { file, repo, base, status } = discussion
  const note = listenFor(world)
  const isSteady = steady(world, discussion)
  const mergeOnce = () => post(world, `${pathOf(discussion)}/merge`, {})
  const isBusy = world.random.chance(0.5)
  const isMerged = await change(world, discussion, {
    request: async () => {
      const others = isBusy ? [push(world, repo, { path: 'a.txt', text: 'beside a merge\n' })] : []
      const [one, other] = await Promise.all([mergeOnce(), mergeOnce(), ...others])
      const found = [one, other].filter((reply): reply is Reply => reply?.status === 200)
      if (found.length > 1) world.fail(statusPromise.promise, `${discussion.name} was merged twice`)
      return found[0] ?? one
    },
    ...(base === 'main' && { isAllowed: status === 'open' && file !== undefined }),
    isSteady,
    done: () => void (discussion.status = 'merged'),
    ...statusPromise,
  })
  if (!isMerged || file === undefined || base !== 'main') return
  const shown = await world.send(pathOf(discussion), { token })
  if (shown.status !== 200 || !isSteady()) return
  const oid = (shown.json() as Shown).changes?.mergeCommitId
  if (oid === undefined)
    return world.fail(statusPromise.promise, `${discussion.name} is merged without a commit`)
  world.facts.commits.push({ repo: repo.path, oid, ...file, changedAt: world.scheduler.now })
  note(oid)
}

async function remove(world: World, discussion: Discussion): Promise<void> {
  const { repoId } = world.sandbox.deps.state.discussions.get(discussion.id) ?? {}
  world.facts.discussions.deleted.add(`${repoId}/${discussion.num}`)
  await change(world, discussion, {
    request: () => world.send(pathOf(discussion), { method: 'DELETE', token }),
    isAllowed: true,
    isSteady: steady(world, discussion),
    done: () => void (discussion.standing = 'gone'),
    ...statusPromise,
  })
}

async function deleteRef(world: World, discussion: Discussion): Promise<void> {
  const { status, isRefDeleted, isPullRequest } = discussion
  const isOver = status === 'closed' || status === 'merged'
  await change(world, discussion, {
    request: () => world.send(`${pathOf(discussion)}/ref`, { method: 'DELETE', token }),
    isAllowed: isPullRequest && isOver && !isRefDeleted,
    isSteady: steady(world, discussion),
    done: () => void (discussion.isRefDeleted = true),
    ...statusPromise,
  })
}

/** Shows what was confirmed. */
async function read(world: World, discussion: Discussion): Promise<void> {
  const isSteady = steady(world, discussion)
  const { changes, isChanging } = discussion
  const reply = await world.send(`${pathOf(discussion)}?diff=1`, { token })
  const isSame = () => !isChanging && discussion.changes === changes && isSteady()
  if (reply.status >= 500 || !isSame()) return
  const { title, status } = reply.status === 200 ? (reply.json() as Shown) : {}
  if (title === discussion.title && status === discussion.status) return
  world.fail(statusPromise.promise, `${discussion.name} is ${discussion.status}: ${reply.text}`)
}

const acts = [retitle, changeStatus, changeStatus, merge, merge, deleteRef, read]

async function work(world: World): Promise<void> {
  const { random, facts } = world
  const isUsable = ({ standing, isChanging, repo }: Discussion) =>
    standing === 'live' && !isChanging && isSteadyRepo(world, repo)
  const found = facts.discussions.all.filter(isUsable)
  const discussion =
    found.length === 0 || random.chance(0.3) ? await open(world) : random.pick(found)
  for (let count = 0; count < 5; count++) {
    if (discussion === undefined || !isUsable(discussion)) return
    await Promise.all([
      comment(world, discussion),
      comment(world, discussion),
      changeComment(world, discussion),
      random.pick(acts)(world, discussion),
    ])
  }
  if (discussion !== undefined && isUsable(discussion) && random.chance(0.1)) {
    await remove(world, discussion)
  }
}

export const discussionSteps: Steps = { 'work on a discussion': { weight: 1.5, run: work } }
