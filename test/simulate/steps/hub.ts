import { users, type UserName, userNames } from '../world/fixtures.ts'
import { type KnownRepo, unchanged } from '../world/facts.ts'
import { ConnectionLost, type Reply, type World } from '../world/world.ts'
import type { Steps } from './step.ts'

/** Users who may write to the repos of `acme`. */
const writers: readonly UserName[] = ['alice', 'bob']

export interface NewFile {
  readonly path: string
  readonly text: string
  /** Line of the commit in place of one with the text. */
  readonly line?: object
}

const commitLines = (world: World, { path, text, line }: NewFile) =>
  [
    { key: 'header', value: { summary: `Change ${path} ${world.scheduler.count}` } },
    line ?? { key: 'file', value: { path, content: text } },
  ]
    .map((line) => JSON.stringify(line))
    .join('\n')

/** Sends a commit with one file, by default to the main branch. @param path such as `datasets/acme/corpus` */
export const sendCommit = (
  world: World,
  path: string,
  file: NewFile,
  token: string,
  query = '',
  branch = 'main',
): Promise<Reply> =>
  world.send(`/api/${path}/commit/${branch}${query}`, {
    method: 'POST',
    text: commitLines(world, file),
    token,
    headers: { 'content-type': 'application/x-ndjson' },
  })

/** Returns true for a repo that a client has created. */
export const isOwn = ({ path }: KnownRepo) => path.includes('/acme/repo-')

/** Path of the page of a repo. @param path such as `models/acme/x` */
export const pageOf = (path: string) => `/${path.replace('models/', '')}`

export const typeOf = ({ path }: KnownRepo) => path.slice(0, path.indexOf('s/'))

/** Does something to a repo, whose outcome is in doubt until the response has come. */
export async function ask(world: World, repo: KnownRepo, request: () => Promise<Reply>) {
  const { epoch } = world.facts
  try {
    const reply = await request()
    if (!world.facts.isSame(epoch)) return undefined
    return reply
  } catch (error) {
    if (error instanceof ConnectionLost) repo.standing = 'unsure'
    throw error
  }
}

export function chooseRepo(world: World): KnownRepo | undefined {
  const found = world.facts.repos.filter(({ standing }) => standing === 'live')
  return found.length === 0 ? undefined : world.random.pick(found)
}

async function commit(world: World): Promise<void> {
  const repo = chooseRepo(world)
  if (repo === undefined) return
  const path = world.random.pick(['README.md', 'a.txt', 'b/c.txt', 'data/train.csv'])
  const text = `${path} ${world.random.int(1_000_000)}\n`.repeat(1 + world.random.int(20))
  await push(world, repo, { path, text })
}

/** Commits a file by the API. @returns the commit, if the server has confirmed it */
async function commitFile(
  world: World,
  { path }: KnownRepo,
  file: NewFile,
  token: string,
): Promise<string | undefined> {
  const reply = await sendCommit(world, path, file, token)
  return reply.status === 200 ? (reply.json() as { commitOid: string }).commitOid : undefined
}

/** Commits a file to the main branch. */
export async function push(
  world: World,
  repo: KnownRepo,
  file: NewFile,
  send = commitFile,
): Promise<void> {
  const { token } = users[world.random.pick(writers)]
  const note = listenFor(world)
  const { epoch } = world.facts
  const oid = await send(world, repo, file, token)
  if (!world.facts.isSame(epoch) || oid === undefined) return
  // Another repo may have its path by now.
  if (!world.facts.repos.includes(repo) || repo.standing !== 'live') return
  const { now: changedAt } = world.scheduler
  const { path, text } = file
  world.facts.commits.push({ repo: repo.path, oid, path, text, changedAt })
  note(oid)
}

/**
 * Notes the webhooks that must hear of something: those that are there from its beginning to its end.
 * @returns function that is called at the end with the id of a commit to main, or of a comment
 */
export function listenFor({ facts, scheduler }: World): (id: string) => void {
  const hooks = facts.hooks.filter(
    ({ standing, isEnabled }) => standing === 'live' && isEnabled === true,
  )
  const before = new Map(hooks.map((hook) => [hook, hook.changedAt]))
  return (id) => {
    for (const [{ standing, isEnabled, ...hook }, knownAt] of before) {
      const isSteady = hook.changedAt === knownAt && !hook.isChanging
      if (standing !== 'live' || isEnabled !== true || !isSteady) continue
      hook.expected.push({ oid: id, changedAt: scheduler.now })
    }
  }
}

async function createRepo(world: World): Promise<void> {
  const isPrivate = world.random.chance(0.4)
  const name = `repo-${world.random.int(40)}`
  const path = `models/acme/${name}`
  if (world.facts.repos.some((repo) => repo.path === path && repo.standing !== 'gone')) return
  const repo: KnownRepo = {
    path,
    standing: 'unsure',
    isPrivate,
    ...unchanged(),
    changedAt: world.scheduler.now,
  }
  world.facts.replaceRepo(repo)
  const reply = await ask(world, repo, () =>
    world.send('/api/repos/create', {
      method: 'POST',
      json: { type: 'model', name, organization: 'acme', private: isPrivate },
      token: users.alice.token,
    }),
  )
  if (reply?.status !== 200) return
  repo.standing = 'live'
  repo.changedAt = world.scheduler.now
}

async function deleteRepo(world: World): Promise<void> {
  const repo = chooseRepo(world)
  if (repo === undefined || !isOwn(repo)) return
  repo.standing = 'unsure'
  const reply = await ask(world, repo, () =>
    world.send('/api/repos/delete', {
      method: 'DELETE',
      json: { type: typeOf(repo), name: repo.path.split('/').at(-1), organization: 'acme' },
      token: users.alice.token,
    }),
  )
  if (reply?.status !== 200) return
  repo.standing = 'gone'
  repo.changedAt = world.scheduler.now
}

const privacyOf = ({ path }: KnownRepo) => `privacy of ${path}`

/** Reads a repo as somebody, who must see it only if the rules say so. */
async function read(world: World): Promise<void> {
  const repo = chooseRepo(world)
  if (repo === undefined) return
  const user = world.random.pick([...userNames, undefined])
  const { epoch, members } = world.facts
  const { privacyChanges, isPrivate } = repo
  const isBusy = world.facts.busy.has(privacyOf(repo))
  const reply = await world.send(`/api/${repo.path}`, {
    ...(user !== undefined && { token: users[user].token }),
  })
  if (!world.facts.isSame(epoch) || repo.standing !== 'live' || reply.status >= 500) return
  if (members === undefined || members !== world.facts.members) return
  if (isBusy || isPrivate === undefined || privacyChanges !== repo.privacyChanges) return
  const isMember = user !== undefined && members.roles.has(user)
  const mayRead = !isPrivate || isMember
  if ((reply.status === 200) === mayRead) return
  world.fail(
    'a private repo is visible to members only',
    `${user ?? 'somebody without a token'} was answered with ${reply.status} for ${isPrivate ? 'the private' : 'the public'} ${repo.path}`,
  )
}

/** Makes a public repo private, or the other way round. */
async function changePrivacy(world: World): Promise<void> {
  const repo = chooseRepo(world)
  if (repo?.isPrivate === undefined) return
  const { busy, epoch } = world.facts
  const isPrivate = !repo.isPrivate
  repo.isPrivate = undefined
  repo.privacyChanges += 1
  busy.add(privacyOf(repo))
  const reply = await ask(world, repo, () =>
    world.send(`/api/${repo.path}/settings`, {
      method: 'PUT',
      json: { private: isPrivate },
      token: users.alice.token,
    }),
  ).finally(() => {
    // Otherwise nobody knows whether it came before or after a reset.
    if (world.facts.isSame(epoch)) busy.delete(privacyOf(repo))
  })
  if (reply?.status !== 200) return
  repo.isPrivate = isPrivate
  repo.changedAt = world.scheduler.now
}

/** Commits as somebody who may not. */
async function intrude(world: World): Promise<void> {
  const repo = chooseRepo(world)
  const { members } = world.facts
  const user = world.random.pick(userNames)
  const role = members?.roles.get(user)
  if (repo === undefined || members === undefined || role === 'admin' || role === 'write') return
  const file = { path: 'a.txt', text: 'not mine\n' }
  const reply = await sendCommit(world, repo.path, file, users[user].token)
  if (reply.status < 300 && members === world.facts.members)
    world.fail('a repo is written to by its writers only', `${user} with ${role ?? 'no role'}`)
}

async function discuss(world: World): Promise<void> {
  const repo = chooseRepo(world)
  if (repo === undefined) return
  const { token } = users[world.random.pick(['alice', 'bob', 'carol'] as const)]
  const opened = await world.send(`/api/${repo.path}/discussions`, {
    method: 'POST',
    json: { title: 'A question', description: 'Why?', pullRequest: world.random.chance(0.5) },
    token,
  })
  if (opened.status !== 200) return
  const { num } = opened.json() as { num: number }
  await world.send(`/api/${repo.path}/discussions/${num}/comment`, {
    method: 'POST',
    json: { comment: 'Because.' },
    token,
  })
}

async function mergePullRequest(world: World): Promise<void> {
  const repo = chooseRepo(world)
  if (repo === undefined) return
  const { token } = users.alice
  const file = { path: `pr-${world.random.int(5)}.txt`, text: `${world.random.int(1000)}\n` }
  const made = await sendCommit(world, repo.path, file, token, '?create_pr=1')
  if (made.status !== 200) return
  const url = (made.json() as { pullRequestUrl?: string }).pullRequestUrl
  const num = url?.split('/').at(-1)
  // Two people press the button at the same time.
  await Promise.all(
    [users.alice, users.bob].map(({ token: own }) =>
      world.send(`/api/${repo.path}/discussions/${num}/merge`, {
        method: 'POST',
        json: {},
        token: own,
      }),
    ),
  )
}

export const hubSteps: Steps = {
  commit: { weight: 14, run: (world) => commit(world) },
  'commits at once': {
    weight: 3,
    run: async (world) => void (await Promise.all([commit(world), commit(world), commit(world)])),
  },
  'merge a pull request': { weight: 3, run: mergePullRequest },
  'create a repo': { weight: 4, run: createRepo },
  'delete a repo': { weight: 1, run: deleteRepo },
  'read a repo': { weight: 8, run: read },
  'change the privacy of a repo': { weight: 2, run: changePrivacy },
  'commit without a right': { weight: 3, run: intrude },
  discuss: { weight: 3, run: discuss },
}
