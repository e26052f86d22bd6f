import { createHash } from 'node:crypto'
import { lfsMediaType } from '../../../server/contract/hub-lfs.ts'
import type { Commit, KnownRepo } from '../world/facts.ts'
import { users } from '../world/fixtures.ts'
import { origin } from '../world/machine.ts'
import type { Reply, Sent, World } from '../world/world.ts'
import { askFor, type Change, creation, deletion } from './ask-for.ts'
import { ask, chooseRepo, isOwn, pageOf, push, typeOf } from './hub.ts'
import type { Steps } from './step.ts'

const { token } = users.alice

/** Sends a request to a URL of a response. */
function follow(world: World, href: string, sent?: Sent): Promise<Reply> {
  const { pathname, search } = new URL(href, origin)
  return world.send(pathname + search, sent)
}

/** Reads the file that a commit has written. */
export async function readFile(world: World, { repo, oid, path }: Commit): Promise<Reply> {
  let reply = await world.send(`${pageOf(repo)}/resolve/${oid}/${path}`, { token })
  while ([302, 307].includes(reply.status)) {
    reply = await follow(world, String(reply.headers['location']), { token })
  }
  return reply
}

async function checkFile(world: World): Promise<void> {
  const { commits, repos, epoch, clockMoves } = world.facts
  if (commits.length === 0) return
  const commit = world.random.pick(commits)
  const repo = repos.find(({ path }) => path === commit.repo)
  if (repo?.standing !== 'live') return
  const { status, text } = await readFile(world, commit)
  // The URL of a redirect expires when the clock moves.
  const isSame = world.facts.isSame(epoch) && world.facts.clockMoves === clockMoves
  const isKnown = isSame && world.facts.commits.includes(commit)
  if (!isKnown || repo.standing !== 'live' || (status === 200 && text === commit.text)) return
  world.fail(
    'a file of a confirmed commit has its content',
    `${commit.path} of ${commit.oid} in ${commit.repo}: ${status} ${text.slice(0, 200)}`,
  )
}

/** Uploads a content by Git LFS, and commits a file that has it. */
async function uploadLarge(world: World): Promise<void> {
  const repo = chooseRepo(world)
  if (repo === undefined) return
  const path = world.random.pick(['model.bin', 'data/big.bin'])
  const text = `${world.random.int(1000)} `.repeat(1 + world.random.int(4000))
  const oid = createHash('sha256').update(text).digest('hex')
  const content = { oid, size: text.length }
  const headers = { 'content-type': lfsMediaType }
  const batch = await world.send(`${pageOf(repo.path)}.git/info/lfs/objects/batch`, {
    method: 'POST',
    json: { operation: 'upload', transfers: ['basic'], objects: [content] },
    token,
    headers,
  })
  if (batch.status !== 200) return
  type Actions = Partial<Record<'upload' | 'verify', { readonly href: string }>>
  const [asked] = (batch.json() as { objects: { actions?: Actions }[] }).objects
  const { upload, verify } = asked?.actions ?? {}
  if (upload !== undefined) {
    const put = await follow(world, upload.href, { method: 'PUT', text })
    if (put.status !== 200) return
  }
  if (verify !== undefined) {
    await follow(world, verify.href, { method: 'POST', json: content, headers })
  }
  const line = { key: 'lfsFile', value: { path, algo: 'sha256', ...content } }
  await push(world, repo, { path, text, line })
}

/** Brings a repo with all its commits to a new path. */
async function bring(
  world: World,
  source: KnownRepo,
  refs: KnownRepo['refs'],
  request: (name: string) => Promise<Reply>,
): Promise<KnownRepo | undefined> {
  const { facts } = world
  const name = `acme/repo-${world.random.int(40)}`
  const path = `${typeOf(source)}s/${name}`
  const others = facts.repos.filter(({ standing }) => standing !== 'gone')
  if (others.length > 8 || others.some((repo) => repo.path === path)) return undefined
  const commits = facts.commits.filter(({ repo }) => repo === source.path)
  const { privacyChanges } = source
  const copy: KnownRepo = { ...source, path, standing: 'unsure', refs }
  facts.replaceRepo(copy)
  const reply = await ask(world, copy, () => request(name))
  if (reply === undefined || reply.status >= 300) return undefined
  copy.standing = 'live'
  if (source.privacyChanges !== privacyChanges) copy.isPrivate = undefined
  copy.changedAt = world.scheduler.now
  const { changedAt } = copy
  facts.commits.push(...commits.map((commit) => ({ ...commit, repo: path, changedAt })))
  return copy
}

async function fork(world: World): Promise<void> {
  const source = chooseRepo(world)
  if (source === undefined) return
  await bring(world, source, new Map(), (repository) =>
    world.send(`/api/${source.path}/duplicate`, {
      method: 'POST',
      json: { repository, private: source.isPrivate },
      token,
    }),
  )
}

async function move(world: World): Promise<void> {
  const source = chooseRepo(world)
  if (source === undefined || !isOwn(source)) return
  const fromRepo = source.path.slice(source.path.indexOf('/') + 1)
  const moved = await bring(world, source, source.refs, (toRepo) => {
    source.standing = 'unsure'
    const json = { fromRepo, toRepo, type: typeOf(source) }
    return world.send('/api/repos/move', { method: 'POST', json, token })
  })
  if (moved === undefined) return
  for (const discussion of world.facts.discussions.all) {
    if (discussion.repo === source) discussion.repo = moved
  }
  source.standing = 'gone'
  source.changedAt = world.scheduler.now
}

/** Creates or deletes a branch or a tag. */
async function changeRef(world: World, change: Change): Promise<void> {
  const repo = chooseRepo(world)
  if (repo === undefined) return
  const { epoch } = world.facts
  const kind = world.random.pick(['branch', 'tag'])
  const name = `the-${kind}`
  const rev = kind === 'tag' && change === creation ? 'main' : name
  const fail = (problem: string) => {
    if (!world.facts.isSame(epoch) || repo.standing !== 'live') return
    world.fail('a branch or tag is there until it is deleted', `${repo.path}: ${problem}`)
  }
  const request = async () => {
    const reply = await world.send(`/api/${repo.path}/${kind}/${rev}`, {
      token,
      ...(change === creation ? { method: 'POST', json: { tag: name } } : { method: 'DELETE' }),
    })
    if (reply.status >= 300) return reply
    const list = await world.send(`/api/${repo.path}/refs`, { token })
    const isThere = list.text.includes(`"${name}"`)
    if (list.status === 200 && isThere !== (change === creation)) fail(`${name} of ${list.text}`)
    return reply
  }
  const key = `${repo.path} ${name}`
  const { busy } = world.facts
  if (busy.has(key)) return
  busy.add(key)
  await askFor(repo.refs, name, change, request, fail).finally(() => busy.delete(key))
}

export const contentSteps: Steps = {
  'read a file': { weight: 8, run: checkFile },
  'upload a large file': { weight: 6, run: uploadLarge },
  'fork a repo': { weight: 3, run: fork },
  'move a repo': { weight: 1, run: move },
  'create a ref': { weight: 4, run: (world) => changeRef(world, creation) },
  'delete a ref': { weight: 3, run: (world) => changeRef(world, deletion) },
}
