import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { lfsMediaType } from '../../server/contract/hub-lfs.ts'
import { addItem } from '../../server/hub/collections/collections.ts'
import { commitFiles } from '../../server/hub/commits/commits.ts'
import { repoKey } from '../../server/hub/files/repo-names.ts'
import { likeRepo } from '../../server/hub/people/likes.ts'
import { createRepo } from '../../server/hub/repos/repos.ts'
import { type Act, type Caller, stated, type Target } from '../helpers/access-statement.ts'
import { type AccessTarget, type AccessWorld, buildAccessWorld } from '../helpers/access-world.ts'
import { callerOf } from '../helpers/cast.ts'

// No call shows what the rules hide: the same calls are sent to a hub that has the hidden things and to one that never
// had them, and every response must be the same.

const callers: readonly Caller[] = [
  { name: 'nobody', credential: 'none' },
  { name: 'a stranger', user: 'dana', credential: 'write' },
  { name: "a stranger's session", user: 'dana', credential: 'session' },
  { name: 'a reader', user: 'mallory', credential: 'read' },
  { name: 'a member without access', user: 'nora', credential: 'write' },
  { name: 'a member of the group', user: 'gina', credential: 'write' },
  { name: 'an app', user: 'bob', credential: 'app', scopes: ['openid', 'write-discussions'] },
  {
    name: 'an app that writes',
    user: 'bob',
    credential: 'app',
    scopes: ['manage-repos', 'write-discussions', 'gated-repos', 'read-memberships', 'profile'],
  },
  {
    name: 'an exchange',
    user: 'bob',
    credential: 'exchange',
    scopes: ['manage-repos', 'write-discussions', 'write-collections', 'gated-repos', 'jobs'],
  },
  {
    name: 'a fine-grained token',
    user: 'bob',
    credential: 'fine-grained',
    owners: ['bob'],
    permission: 'repo.write',
  },
]

/** Whether the rules hide that a target exists: whatever is asked, it is missing. */
function isHidden(caller: Caller, target: Target): boolean {
  const acts: readonly Act[] =
    target.isCollection === true
      ? ['read a collection', 'change a collection']
      : ['read a repo', 'merge']
  if (caller.user === undefined) return target.isPrivate === true
  return acts.every((act) => stated(caller, act, target) === 'hidden')
}

interface Hub {
  readonly access: AccessWorld
  readonly targets: ReadonlyMap<string, AccessTarget>
}

/** Builds the hub, with or without what is hidden from a caller. */
async function buildHub(caller: Caller, withHidden: boolean): Promise<Hub> {
  const leavesOut = (target: Target) => !withHidden && isHidden(caller, target)
  const access = await buildAccessWorld({ leavesOut })
  const { deps } = access
  const { state, users } = access.world
  const repoOf = (name: string) => state.repos.find('name', repoKey('model', name))
  const shelf = [...state.hubCollections.values()].find(({ private: isPrivate }) => !isPrivate)
  for (const { repo: name = '' } of access.targets) {
    const repo = repoOf(name)
    if (repo === undefined) throw new Error(`there is no repo ${name}`)
    likeRepo(deps, { repo, userId: users.carol.id })
    state.repoRedirects.put({ id: repoKey('model', `${name}-formerly`), repoId: repo.id })
    const open = state.hubCollections.get(shelf?.id ?? '')
    if (open === undefined) throw new Error('there is no public collection')
    const owner = { kind: 'session' as const, user: ownerOf(access, repo.ownerId) }
    addItem(deps, owner, open, { item: { type: 'model', id: name }, note: `about ${name}` })
  }
  for (const owner of ['bob', 'acme', 'labs', 'carol'] as const) {
    if (leavesOut({ owner, isPrivate: true })) continue
    for (const type of ['dataset', 'space'] as const) {
      const made = createRepo(deps, {
        type,
        name: `${owner}/hidden-${type}`,
        actorId: users.alice.id,
        visibility: 'private',
        ...(type === 'space' && { sdk: 'gradio' }),
      })
      const readme = `---\ntitle: Hidden ${type}\ntags: [secret-${owner}]\nmodels: [${owner}/public]\n---\n`
      commitFiles(deps, {
        repo: made,
        revision: 'main',
        operations: [{ kind: 'add', path: 'README.md', content: readme }],
        title: 'Describe it',
      })
    }
  }
  return {
    access,
    targets: new Map([...access.targets, ...access.collections].map((one) => [keyOf(one), one])),
  }
}

/** A user who sees everything of an owner. */
function ownerOf({ people, ownerIds }: AccessWorld, ownerId: string) {
  const name = ownerId === ownerIds.labs ? 'bob' : ownerId === ownerIds.acme ? 'alice' : undefined
  const user = Object.values(people).find(({ id, username }) => id === ownerId || username === name)
  if (user === undefined) throw new Error('an owner is missing')
  return user
}

const keyOf = ({ repo, owner, isPrivate }: AccessTarget) =>
  repo ?? `collection of ${owner}${isPrivate === true ? ', hidden' : ''}`

interface Call {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  url: string
  body?: object | string
  type?: string
}

const get = (url: string): Call => ({ method: 'GET', url })
const post = (url: string, body: object | string, type?: string): Call => ({
  method: 'POST',
  url,
  body,
  ...(type !== undefined && { type }),
})

/** Calls that name a repo, or a word of one. */
function callsOn({ repo = '', owner, commitId = '', discussions }: AccessTarget): Call[] {
  const api = `/api/models/${repo}`
  const word = repo.split('/')[1] ?? ''
  const names = [repo, repo.toUpperCase(), `${repo}-formerly`]
  const open = '/api/models/carol/public'
  return [
    ...names.flatMap((name) => [
      get(`/api/models/${name}`),
      get(`/${name}`),
      get(`/${name}/resolve/main/a.txt`),
      get(`/${name}.git/info/refs?service=git-upload-pack`),
      get(`/${name}.git/info/refs?service=git-receive-pack`),
    ]),
    get(`${api}?expand[]=likes`),
    get(`${api}/tree/main`),
    get(`${api}/refs`),
    get(`${api}/commits/main`),
    get(`${api}/compare/${commitId}..main`),
    get(`${api}/scan`),
    get(`${api}/discussions`),
    get(`${api}/discussions/${discussions?.own}?diff=1`),
    get(`${api}/likers`),
    get(`${api}/auth-check`),
    get(`${api}/auth-check/write`),
    get(`${api}/lfs-files`),
    get(`${api}/resource-group`),
    get(`${api}/user-access-request/pending`),
    get(`/api/datasets/${owner}/hidden-dataset`),
    get(`/api/spaces/${owner}/hidden-space`),
    get(`/api/spaces/${owner}/hidden-space/runtime`),
    get(`/api/spaces/${owner}/hidden-space/secrets`),
    get(`/api/resolve-cache/models/${repo}/${commitId}/a.txt`),
    get(`/api/models?search=${word}`),
    get(`/api/quicksearch?q=${word}`),
    get(`/api/quicksearch?q=&namespace=${owner}`),
    get(`${open}/compare/${commitId}..main`),
    get(`/api/models?author=${owner}&full=true`),
    get(`/api/datasets?author=${owner}`),
    get(`/api/spaces?author=${owner}&full=true`),
    get(`/api/spaces?models=${owner}/public`),
    get(`/api/spaces/semantic-search?q=hidden%20${owner}`),
    get(`/api/models?limit=1&sort=likes&author=${owner}`),
    get(`/api/models/${owner}/public?expand[]=spaces`),
    get(`/api/collections?owner=${owner}`),
    get(`/api/collections?item=models/${repo}`),
    get(`/api/organizations/${owner}/overview`),
    get(`/api/users/${owner}/overview`),
    get(`/api/organizations/${owner}/settings/repositories`),
    // What another repo has may not be found by the id of a hidden commit.
    get(`${open}/revision/${commitId}`),
    get(`/carol/public/raw/${commitId}/a.txt`),
    post(`${open}/branch/from-hidden`, { startingPoint: commitId }),
    post(`${api}/discussions`, { title: 'A question', description: '' }),
    post(`${api}/discussions/${discussions?.own}/comment`, { comment: 'text' }),
    post(`${api}/discussions/${discussions?.own}/title`, { title: 'Another title' }),
    post(`${api}/commit/main`, '{"key":"header","value":{"summary":"x"}}', 'application/x-ndjson'),
    post(`${api}/preupload/main`, { files: [] }),
    post(`${api}/like`, {}),
    post(`${api}/branch/dev`, {}),
    post(`${api}/duplicate`, { repository: 'dana/copy' }),
    post(`/${repo}/ask-access`, {}),
    post(`/${repo}.git/git-upload-pack`, '0000', 'application/x-git-upload-pack-request'),
    post(
      `/${repo}.git/info/lfs/objects/batch`,
      { operation: 'download', objects: [] },
      lfsMediaType,
    ),
    post('/api/repos/move', { fromRepo: repo, toRepo: `${repo}-2` }),
    post('/api/collections', {
      title: 'Mine',
      namespace: 'dana',
      item: { type: 'model', id: repo },
    }),
    post(`${open}/lfs-files/duplicate`, {
      target: { type: 'model', name: repo },
      files: [{ sha256: 'a'.repeat(64), filename: 'a.bin' }],
    }),
    { method: 'PUT', url: `${api}/settings`, body: { private: false } },
    { method: 'DELETE', url: '/api/repos/delete', body: { name: word, organization: owner } },
  ]
}

function collectionCalls({ slug = '' }: AccessTarget): Call[] {
  return [
    get(`/api/collections/${slug}`),
    post(`/api/collections/${slug}/upvote`, {}),
    post(`/api/collections/${slug}/items`, { item: { type: 'model', id: 'acme/public' } }),
    { method: 'PATCH', url: `/api/collections/${slug}`, body: { title: 'Renamed' } },
    { method: 'DELETE', url: `/api/collections/${slug}` },
  ]
}

const lists: readonly Call[] = [
  get('/api/models'),
  get('/api/models?full=true&limit=3'),
  get('/api/datasets'),
  get('/api/spaces'),
  get('/api/collections'),
  get('/api/models-tags-by-type'),
  get('/api/trending'),
  get('/api/quicksearch'),
  get('/api/datasets-tags-by-type'),
  get('/api/users/carol/likes'),
  get('/api/users/bob/likes'),
  get('/api/whoami-v2'),
  get('/api/settings/repositories'),
  get('/api/organizations/acme/members'),
  get('/api/organizations/acme/resource-groups'),
  get('/api/settings/webhooks'),
  get('/api/jobs/acme'),
]

const picks = fc.array(fc.tuple(fc.nat(), fc.nat()), { minLength: 1, maxLength: 25 })

test('no sequence of calls shows what the rules hide', async () => {
  const property = fc.asyncProperty(fc.constantFrom(...callers), picks, async (caller, chosen) => {
    const full = await buildHub(caller, true)
    const targets = [...full.targets.values()]
    const calls = chosen.map(([whose, which]) => {
      const target = targets[whose % (targets.length + 1)]
      const named =
        target === undefined
          ? lists
          : target.slug === undefined
            ? callsOn(target)
            : collectionCalls(target)
      return { key: target === undefined ? undefined : keyOf(target), target, which, named }
    })
    const seen = await play(full, caller, calls)
    const closed = full.access.targets.filter(
      (target) => stated(caller, 'read files', target) !== 'ok',
    )
    for (const { name } of closed) {
      // Not that of another repo whose name goes on: `acme/private-grouped`.
      expect(JSON.stringify(seen)).not.toMatch(new RegExp(`content of ${name}(?![\\w-])`))
    }
    const bare = await play(await buildHub(caller, false), caller, calls)
    expect(seen).toEqual(bare)
  })
  await fc.assert(property, { numRuns: 60 })
}, 240_000)

interface Chosen {
  key: string | undefined
  target: AccessTarget | undefined
  which: number
  named: readonly Call[]
}

/** Sends calls, and returns what a client can tell of the responses. */
async function play({ access, targets }: Hub, caller: Caller, chosen: readonly Chosen[]) {
  const user = callerOf(access.world, access.headersOf(caller))
  const heard: unknown[] = []
  for (const { key, target, which, named } of chosen) {
    // Ids of what is visible differ between the two hubs; those of hidden things are sent to both.
    const here = targets.get(key ?? '') ?? target
    const calls =
      here === undefined ? named : here.slug === undefined ? callsOn(here) : collectionCalls(here)
    const call = calls[which % calls.length]
    if (call === undefined) throw new Error('no call')
    const { method, url, body, type = 'application/json' } = call
    const answer = await user.send(
      method,
      url,
      body,
      body === undefined ? {} : { 'content-type': type },
    )
    const {
      'x-request-id': _id,
      ratelimit: _limit,
      date: _date,
      'content-length': _length,
      ...headers
    } = answer.headers
    const sent = `${method} ${withoutIds(url)}`
    heard.push([
      sent,
      answer.status,
      withoutIds(JSON.stringify(headers)),
      sorted(url, withoutIds(answer.bytes.toString())),
    ])
  }
  return heard
}

/** Replaces ids and counters, which differ between any two hubs. */
function withoutIds(text: string): string {
  return text
    .replaceAll(/(?<=^[0-9a-f]{4}|^0000[0-9a-f]{4}|\b)[0-9a-f]{40}\b/gm, 'commit')
    .replaceAll(/\b[0-9a-f]{24}\b/g, 'id')
    .replaceAll(/req_\w+|Root=[\w-]+/g, 'request')
    .replaceAll(/secret=[\w-]+|nr=\d+|cursor=[\w%-]+/g, '')
}

/** Sorts a whole list: equal entries are in the order of their ids. */
function sorted(url: string, body: string): string {
  if (!body.startsWith('[') || url.includes('limit=')) return body
  return JSON.stringify(
    (JSON.parse(body) as unknown[]).map((one) => JSON.stringify(one)).toSorted(),
  )
}
