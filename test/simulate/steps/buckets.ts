import type { BatchOperation } from '../../../server/hub/buckets/batch-lines.ts'
import { type Files, isSame, KnownBucket } from '../world/buckets.ts'
import { userNames, users } from '../world/fixtures.ts'
import { ConnectionLost, type Reply, type World } from '../world/world.ts'
import { chooseContent, emptyHash } from '../world/xet-contents.ts'
import type { Steps } from './step.ts'
import { follow, readByXet, uploadByXet } from './xet-client.ts'

const { token } = users.alice
const paths = ['a.bin', 'b/c.bin', 'b/d.bin', 'e.txt']
const invariant = 'a bucket has the files of its confirmed batches'

function choose(world: World, isFree = false): KnownBucket | undefined {
  const live = world.facts.buckets.known.filter(
    ({ standing, isBusy }) => standing === 'live' && !(isFree && isBusy),
  )
  return live.length === 0 ? undefined : world.random.pick(live)
}

/** Changes a bucket, which nobody else does until the response has come. */
async function change(
  world: World,
  bucket: KnownBucket,
  request: () => Promise<Reply>,
): Promise<Reply | undefined> {
  const { epoch } = world.facts
  bucket.isBusy = true
  try {
    const reply = await request()
    return world.facts.isSame(epoch) ? reply : undefined
  } finally {
    bucket.isBusy = false
  }
}

async function create(world: World): Promise<void> {
  const { buckets } = world.facts
  const path = `buckets/acme/b${world.random.int(3)}`
  const before = buckets.known.find((one) => one.path === path)
  if (before !== undefined && (before.isBusy || before.standing === 'live')) return
  const bucket = new KnownBucket(path, world.random.chance(0.5), world.scheduler.now)
  buckets.known = [...buckets.known.filter((one) => one !== before), bucket]
  const visibility = bucket.isPrivate === true ? 'private' : 'public'
  const reply = await change(world, bucket, () =>
    world.send(`/api/${path}`, { method: 'POST', json: { visibility }, token }),
  )
  if (reply?.status !== 200) return
  bucket.standing = 'live'
  bucket.changedAt = world.scheduler.now
}

async function remove(world: World): Promise<void> {
  const bucket = choose(world, true)
  if (bucket === undefined) return
  bucket.standing = 'unsure'
  const reply = await change(world, bucket, () =>
    world.send(`/api/${bucket.path}`, { method: 'DELETE', token }),
  )
  if (reply?.status !== 200) return
  bucket.standing = 'gone'
  bucket.changedAt = world.scheduler.now
}

async function hide(world: World): Promise<void> {
  const bucket = choose(world, true)
  if (bucket?.isPrivate === undefined) return
  const isPrivate = !bucket.isPrivate
  bucket.isPrivate = undefined
  bucket.privacyChanges += 1
  const reply = await change(world, bucket, () =>
    world.send(`/api/${bucket.path}/settings`, {
      method: 'PUT',
      json: { private: isPrivate },
      token,
    }),
  )
  // A power cut may bring the old one back.
  if (reply?.status === 200 && bucket.standing === 'live') {
    bucket.isPrivate = isPrivate
    bucket.changedAt = world.scheduler.now
  }
}

/** Lists a bucket, which must have one of the versions that it may have. */
async function list(world: World, bucket: KnownBucket): Promise<Files | undefined> {
  const { epoch } = world.facts
  const possible = bucket.watch()
  const reply = await world.send(`/api/${bucket.path}/tree`, { token })
  if (!world.facts.isSame(epoch) || bucket.standing !== 'live') return undefined
  if (reply.status !== 200) {
    world.fail(invariant, `${bucket.path}: ${reply.status} ${reply.text}`)
    return undefined
  }
  const entries = reply.json() as { path: string; xetHash: string }[]
  const found = new Map(entries.map(({ path, xetHash }) => [path, xetHash]))
  if (possible().some((files) => isSame(files, found))) return found
  const show = (files: Files) => JSON.stringify([...files])
  world.fail(
    invariant,
    `${bucket.path} has ${show(found)}, and may have ${possible().map(show).join(' or ')}`,
  )
  return undefined
}

/** Adds, copies and deletes some files at once. */
async function write(world: World): Promise<void> {
  const bucket = choose(world)
  if (bucket === undefined) return
  const { epoch, buckets } = world.facts
  const uploaded: string[] = []
  for (let count = world.random.int(3); count > 0; count--) {
    const content = chooseContent(world.random)
    buckets.contents.set(content.hash, content)
    if (!(await uploadByXet(world, bucket.path, content))) return
    uploaded.push(content.hash)
  }
  if (!world.facts.isSame(epoch) || bucket.standing !== 'live' || bucket.isBusy) return
  const { starts } = world
  const done = await change(world, bucket, async () => {
    const now = await list(world, bucket)
    if (now === undefined || world.starts !== starts) throw new ConnectionLost()
    const operations = chooseOperations(world, now, uploaded)
    if (operations.length === 0) throw new ConnectionLost()
    const reply = await apply(world, bucket, now, operations)
    await list(world, bucket)
    return reply
  })
  if (done !== undefined && done.status >= 400 && done.status !== 422 && bucket.standing === 'live')
    world.fail(invariant, `${bucket.path}: ${done.status} ${done.text}`)
}

function chooseOperations(world: World, now: Files, uploaded: readonly string[]): BatchOperation[] {
  const { random } = world
  const own = [...uploaded, ...now.values(), emptyHash]
  const source = random.chance(0.3) ? random.pick(world.facts.commits) : undefined
  return paths.flatMap((path): BatchOperation[] => {
    if (random.chance(0.3)) return []
    if (random.chance(0.3)) return [{ type: 'deleteFile', path }]
    const [, sourceRepoType = '', sourceRepoId = ''] =
      /^(\w+)s\/(.+)$/.exec(source?.repo ?? '') ?? []
    const content = [...world.facts.buckets.contents.values()].find(
      ({ text }) => text === source?.text,
    )
    if (content === undefined) return [{ type: 'addFile', path, xetHash: random.pick(own) }]
    return [{ type: 'copyFile', path, xetHash: content.hash, sourceRepoType, sourceRepoId }]
  })
}

async function apply(
  world: World,
  bucket: KnownBucket,
  now: Files,
  operations: readonly BatchOperation[],
): Promise<Reply> {
  const isFailing = ({ type, path }: BatchOperation) => type === 'deleteFile' && !now.has(path)
  const lines = operations.map((operation) => JSON.stringify(operation))
  const copied = operations.filter(({ type }) => type === 'copyFile').map(({ path }) => path)
  bucket.ask(now, [resultOf(now, operations, []), resultOf(now, operations, copied)])
  const reply = await world.send(`/api/${bucket.path}/batch`, {
    method: 'POST',
    text: lines.join('\n'),
    token,
    headers: { 'content-type': 'application/x-ndjson' },
  })
  if (reply.status !== 200 && reply.status !== 422) return reply
  const { failed } = reply.json() as { failed: { path: string; error: string }[] }
  const names = failed.map(({ path }) => path)
  bucket.confirm(resultOf(now, operations, names), world.scheduler.now)
  for (const operation of operations) {
    const { type, path } = operation
    if (type === 'copyFile' || names.includes(path) === isFailing(operation)) continue
    world.fail(invariant, `${bucket.path}: ${type} ${path} has ${reply.text}`)
  }
  return reply
}

function resultOf(
  now: Files,
  operations: readonly BatchOperation[],
  failed: readonly string[],
): Files {
  const files = new Map(now)
  for (const operation of operations) {
    const { path } = operation
    if (failed.includes(path)) continue
    if (operation.type === 'deleteFile') files.delete(path)
    else files.set(path, operation.xetHash)
  }
  return files
}

/** Lists a bucket, and reads one of its files over HTTP or by Xet. */
async function read(world: World): Promise<void> {
  const bucket = choose(world)
  if (bucket === undefined) return
  const { epoch, clockMoves } = world.facts
  const { starts } = world
  const files = await list(world, bucket)
  if (files === undefined || files.size === 0) return
  const possible = bucket.watch()
  const [path, hash] = world.random.pick([...files])
  const text = hash === emptyHash ? '' : world.facts.buckets.contents.get(hash)?.text
  const isByXet = hash !== emptyHash && world.random.chance(0.5)
  const found = await (isByXet
    ? readByXet(world, bucket.path, hash)
    : readByUrl(world, `/${bucket.path}/resolve/${path}`))
  if (found.status === 200 && found.text === text) return
  // Somebody may have replaced it, and tokens and URLs end with the process and when the clock moves.
  if (!world.facts.isSame(epoch) || world.starts !== starts) return
  if (world.facts.clockMoves !== clockMoves || bucket.standing !== 'live') return
  if (possible().some((one) => one.get(path) !== hash)) return
  world.fail(invariant, `${path} of ${bucket.path}: ${found.status} ${found.text.slice(0, 200)}`)
}

async function readByUrl(world: World, path: string): Promise<Reply> {
  const reply = await world.send(path, { token })
  return reply.status === 302 ? follow(world, String(reply.headers['location'])) : reply
}

/** Reads a bucket as somebody, who must see it only if the rules say so. */
async function look(world: World): Promise<void> {
  const bucket = choose(world)
  if (bucket === undefined) return
  const user = world.random.pick([...userNames, undefined])
  const { epoch, members } = world.facts
  const { privacyChanges, isPrivate } = bucket
  const reply = await world.send(`/api/${bucket.path}`, {
    ...(user !== undefined && { token: users[user].token }),
  })
  if (!world.facts.isSame(epoch) || bucket.standing !== 'live' || reply.status >= 500) return
  if (members === undefined || members !== world.facts.members) return
  if (isPrivate === undefined || privacyChanges !== bucket.privacyChanges) return
  const mayRead = !isPrivate || (user !== undefined && members.roles.has(user))
  if ((reply.status === 200) === mayRead) return
  const who = user ?? 'somebody without a token'
  world.fail('a private repo is visible to members only', `${who}: ${reply.status} ${bucket.path}`)
}

export const bucketSteps: Steps = {
  'create a bucket': { weight: 0.6, run: create },
  'delete a bucket': { weight: 0.2, run: remove },
  'change the visibility of a bucket': { weight: 0.2, run: hide },
  'write to a bucket': { weight: 2, run: write },
  'read a bucket': { weight: 1, run: read },
  'look at a bucket': { weight: 0.3, run: look },
}
