import { Readable } from 'node:stream'
import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { lfsMediaType } from '../../server/contract/hub-lfs.ts'
import { Git } from '../../server/hub/git/git.ts'
import { type Act, type Caller, rules, stated, type Verdict } from './access-statement.ts'
import {
  type AccessTarget,
  type AccessWorld,
  buildAccessWorld,
  rememberState,
} from './access-world.ts'
import { callerOf, type Received } from './cast.ts'

/** A request that does what an action is for. */
interface Probe {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly url: string
  readonly body?: object | string | undefined
  readonly type?: string
  readonly headers?: Record<string, string>
  /** A URL of git: it takes no session, and the token as a password. */
  readonly git?: true
  /** The discussion is that of the caller. */
  readonly own?: true
}

const get = (url: string): Probe => ({ method: 'GET', url })
const post = (url: string, body?: object | string): Probe => ({ method: 'POST', url, body })
const ofGit = (probe: Probe): Probe => ({ ...probe, git: true })
const batch = (url: string, body: object) =>
  ofGit({ ...post(`${url}.git/info/lfs/objects/batch`, body), type: lfsMediaType })

const locks = (url: string, path: string, body: object) =>
  ofGit({ ...post(`${url}.git/info/lfs/locks${path}`, body), type: lfsMediaType })

/** Requests on a repo, by action. */
function repoProbes(target: AccessTarget): Partial<Record<Act, Probe[]>> {
  const { repo = '', discussions, comments, commitId = '' } = target
  const api = `/api/models/${repo}`
  const web = `/${repo}`
  const discussion = (own: boolean) =>
    `${api}/discussions/${own ? discussions?.own : discussions?.foreign}`
  const comment = (own: boolean) =>
    `${discussion(own)}/comment/${own ? comments?.own : comments?.foreign}`
  const both = (make: (own: boolean) => Probe): Probe[] => [
    make(false),
    { ...make(true), own: true },
  ]
  const lines = [
    { key: 'header', value: { summary: 'Add a file' } },
    { key: 'file', value: { path: 'added.txt', content: 'added' } },
  ]
  const commit = (query: string): Probe => ({
    ...post(`${api}/commit/main${query}`, lines.map((line) => JSON.stringify(line)).join('\n')),
    type: 'application/x-ndjson',
  })
  return {
    'read a repo': [
      get(api),
      get(`${api}/revision/main`),
      get(`${api}/tree/main`),
      get(`${api}/refs`),
      get(`${api}/lfs-files`),
      get(`${api}/likers`),
      get(`${api}/resource-group`),
      post(`${api}/paths-info/main`, { paths: ['a.txt'] }),
      get(`${api}/discussions`),
      get(discussion(false)),
      get(`${discussion(false)}/storage`),
      ofGit(get(`${web}.git/info/lfs/locks`)),
    ],
    'read files': [
      get(`${web}/resolve/main/a.txt`),
      get(`${web}/raw/main/a.txt`),
      get(`/api/resolve-cache/models/${repo}/${commitId}/a.txt`),
      get(`${api}/commits/main`),
      get(`${api}/auth-check`),
      ofGit(get(`${web}.git/info/refs?service=git-upload-pack`)),
      batch(web, { operation: 'download', objects: [] }),
    ],
    'write to a repo': [
      get(`${api}/auth-check/write`),
      post(`${api}/branch/dev`, {}),
      post(`${api}/tag/main`, { tag: 'v1' }),
      post(`${api}/super-squash/main`, {}),
      post(`${api}/lfs-files/batch`, { deletions: { sha: ['a'.repeat(64)] } }),
      locks(web, '', { path: 'a.bin' }),
      locks(web, `/${'0'.repeat(24)}/unlock`, {}),
      batch(web, { operation: 'upload', objects: [], ref: { name: 'refs/heads/main' } }),
      commit(''),
    ],
    'change settings': [{ method: 'PUT', url: `${api}/settings`, body: {} }],
    'rename a repo': [post('/api/repos/move', { fromRepo: repo, toRepo: `${repo}-moved` })],
    'decide on access': [
      get(`${api}/user-access-request/pending`),
      get(`${web}/user-access-report`),
      post(`${api}/user-access-request/grant`, { user: 'carol' }),
      post(`${api}/user-access-request/handle`, { user: 'carol', status: 'accepted' }),
    ],
    'open a discussion': [post(`${api}/discussions`, { title: 'A question', description: '' })],
    'open a pull request': [
      post(`${api}/discussions`, { title: 'A change', description: '', pullRequest: true }),
    ],
    comment: [post(`${discussion(false)}/comment`, { comment: 'text' })],
    react: [post(`${comment(false)}/reaction`, { reaction: '👍' })],
    'change a discussion': [
      ...both((own) => post(`${discussion(own)}/title`, { title: 'Another title' })),
      ...both((own) => post(`${discussion(own)}/status`, { status: 'closed' })),
    ],
    'hide a comment': both((own) => post(`${comment(own)}/hide`)),
    'edit a comment': both((own) => post(`${comment(own)}/edit`, { content: 'edited' })),
    'commit as a pull request': [
      commit('?create_pr=1'),
      post(`${api}/preupload/main?create_pr=1`, { files: [] }),
      locks(web, '/verify', {}),
    ],
    pin: [post(`${discussion(false)}/pin`, { pinned: true })],
    merge: [post(`${discussion(false)}/merge`, {})],
    'delete the ref': [{ method: 'DELETE', url: `${discussion(false)}/ref` }],
    'delete a discussion': [{ method: 'DELETE', url: discussion(false) }],
    'change the account': [post(`${api}/like`), post(`${web}/ask-access`, {})],
  }
}

/** Requests on a bucket, by action. */
function bucketProbes({ repo = '' }: AccessTarget): Partial<Record<Act, Probe[]>> {
  const api = `/api/buckets/${repo}`
  const deletion = JSON.stringify({ type: 'deleteFile', path: 'a.txt' })
  return {
    'read a repo': [
      get(api),
      get(`${api}/tree`),
      get(`${api}/tree/a`),
      get(`${api}/resource-group`),
      post(`${api}/paths-info`, { paths: ['a.txt'] }),
    ],
    'read files': [get(`/buckets/${repo}/resolve/a.txt`), get(`${api}/xet-read-token`)],
    'write to a repo': [
      get(`${api}/xet-write-token`),
      { ...post(`${api}/batch`, deletion), type: 'application/x-ndjson' },
    ],
    'change settings': [{ method: 'PUT', url: `${api}/settings`, body: {} }],
    'rename a repo': [
      post('/api/repos/move', { fromRepo: repo, toRepo: `${repo}-moved`, type: 'bucket' }),
    ],
    'delete a repo': [{ method: 'DELETE', url: api }],
  }
}

/** Requests in a namespace, by action. */
function ownerProbes({ owner }: AccessTarget): Partial<Record<Act, Probe[]>> {
  const isOrganization = owner === 'acme' || owner === 'labs'
  const billing = { 'x-hf-bill-to': owner }
  const job = { dockerImage: 'python:3.12', command: ['true'], flavor: 'cpu-basic' }
  const endpoint = { name: 'one', model: { repository: 'acme/public' } }
  return {
    'create a repo': [
      post('/api/repos/create', { name: 'new', organization: owner, type: 'model' }),
      post(`/api/buckets/${owner}/new`, {}),
    ],
    'create a collection': [post('/api/collections', { title: 'New', namespace: owner })],
    'run jobs': [
      get(`/api/jobs/${owner}`),
      get(`/api/jobs/${owner}/count`),
      get(`/api/scheduled-jobs/${owner}`),
      post(`/api/jobs/${owner}`, job),
    ],
    'call a model': [
      { ...post('/v1/embeddings', {}), headers: billing },
      { ...post('/v1/chat/completions', {}), headers: billing },
    ],
    'read endpoints': [
      get(`/v2/endpoint/${owner}`),
      post(`/api/inference-endpoints/${owner}/auth-check/infer`),
    ],
    'manage endpoints': [
      post(`/v2/endpoint/${owner}`, endpoint),
      post(`/api/inference-endpoints/${owner}/auth-check/write`),
    ],
    ...(isOrganization && {
      'list groups': [get(`/api/organizations/${owner}/resource-groups`)],
      'list the repos of an organization': [
        get(`/api/organizations/${owner}/settings/repositories`),
      ],
      'read the audit log': [get(`/api/organizations/${owner}/audit-log/export`)],
      'manage an organization': [
        post(`/api/organizations/${owner}/resource-groups`, { name: 'new group' }),
        {
          method: 'PUT',
          url: `/api/organizations/${owner}/members/mallory/role`,
          body: { role: 'read' },
        },
        { method: 'DELETE', url: `/api/organizations/${owner}/resource-groups/none` },
        post(`/api/organizations/${owner}/settings/tokens/none/revoke`),
        get(`/api/organizations/${owner}/members?email=bob@example.com`),
      ],
    }),
  }
}

const collectionProbes = ({ slug }: AccessTarget): Partial<Record<Act, Probe[]>> => ({
  'read a collection': [get(`/api/collections/${slug}`)],
  'change a collection': [
    { method: 'PATCH', url: `/api/collections/${slug}`, body: { title: 'Renamed' } },
    post(`/api/collections/${slug}/items`, { item: { type: 'model', id: 'acme/public' } }),
    { method: 'DELETE', url: `/api/collections/${slug}` },
  ],
})

const accountProbes = (): Partial<Record<Act, Probe[]>> => ({
  'manage webhooks': [
    get('/api/settings/webhooks'),
    post('/api/settings/webhooks', { url: 'http://localhost:9/hook', watched: [] }),
  ],
  'read quotas': [get('/api/spaces/zero-gpu/quota')],
  'list own repos': [get('/api/settings/repositories')],
  'change the account': [post('/api/users/carol/follow')],
})

const scopeNames = [
  'openid',
  'profile',
  'email',
  'read-billing',
  'read-memberships',
  'read-repos',
  'gated-repos',
  'contribute-repos',
  'write-repos',
  'manage-repos',
  'read-collections',
  'write-collections',
  'inference-api',
  'read-endpoints',
  'write-endpoints',
  'jobs',
  'webhooks',
  'write-discussions',
]
const scopeSets = [
  [],
  ...scopeNames.map((scope) => [scope]),
  ['write-discussions', 'read-repos'],
  ['write-discussions', 'write-repos'],
  ['write-discussions', 'contribute-repos'],
  scopeNames,
]
const permissionNames = [...new Set(Object.values(rules).flatMap(({ permissions }) => permissions))]

/** Callers in groups, each of which has a test file of its own: together they would take minutes. */
export const callerGroups = {
  'no user': [{ name: 'nobody', credential: 'none' }],
  'sessions and user access tokens of each role': [
    'alice',
    'bob',
    'peggy',
    'mallory',
    'nora',
    'gina',
    'dana',
  ].flatMap((user) =>
    (['session', 'write', 'read'] as const).map((credential) => ({
      name: `${credential} of ${user}`,
      user,
      credential,
    })),
  ),
  'fine-grained tokens': permissionNames.flatMap((permission) =>
    [
      { owners: ['bob', 'acme'] },
      { owners: ['labs'] },
      { owners: [], global: true },
      { owners: [], repos: ['buckets/acme/private', 'buckets/labs/public'] },
      { owners: [], repos: ['acme/private', 'bob/private'] },
    ].map((where) => {
      const named = [...where.owners, ...(where.repos ?? [])]
      return {
        name: `${permission} on ${named.join(', ') || 'all that is public'}`,
        user: 'bob',
        credential: 'fine-grained' as const,
        permission,
        ...where,
      }
    }),
  ),
  'tokens of an app': scopeSets.map((scopes) => ({
    name: `app with ${scopes.join(' ')}`,
    user: 'bob',
    credential: 'app',
    scopes,
  })),
  'tokens of trusted publishers': [
    ...['acme/private', 'acme/public-gated', 'bob/public', 'buckets/acme/private'].map((repo) => ({
      name: `publisher of ${repo}`,
      user: 'publisher',
      credential: 'publisher of a repo' as const,
      repo,
    })),
    { name: 'publisher of bob', user: 'bob', credential: 'publisher of a user' },
  ],
  'tokens of a token exchange': ['bob', 'mallory'].flatMap((user) =>
    scopeSets.map((scopes) => ({
      name: `exchange for ${user} with ${scopes.join(' ')}`,
      user,
      credential: 'exchange' as const,
      scopes,
    })),
  ),
} as const satisfies Record<string, readonly Caller[]>

let access: AccessWorld

function verdictOf({ status, headers, bytes }: Received): Verdict {
  const code = headers['x-error-code']
  if (code === 'GatedRepo') return 'gated'
  if (code === 'RepoNotFound' || (status === 404 && bytes.includes('Collection not found'))) {
    return 'hidden'
  }
  if (status === 401) return 'no user'
  return status === 403 ? 'forbidden' : 'ok'
}

function send(probe: Probe, credentials: Record<string, string>) {
  const { method, url, body, type = 'application/json', git, headers = {} } = probe
  const { authorization } = credentials
  const own =
    git === true && authorization !== undefined
      ? { authorization: `Basic ${btoa(`any:${authorization.slice('Bearer '.length)}`)}` }
      : credentials
  const sent = callerOf(access.world, { ...own, ...headers })
  const types = body === undefined ? {} : { 'content-type': type }
  return sent.send(method, url, body, types)
}

// Thousands of requests each, and they take turns with other tests.
const patience = { timeout: 600_000 }

/** Defines the tests of some groups of callers. */
export function testAccessOf(...titles: readonly (keyof typeof callerGroups)[]): void {
  beforeAll(async () => {
    access = await buildAccessWorld()
  })
  beforeEach(() => {
    // Git would start thousands of times, and other tests check its output. Vitest restores a mock before each test.
    vi.spyOn(Git.prototype, 'advertiseUploadPack').mockImplementation(async () => Readable.from(''))
  })

  describe.each(titles)('%s', patience, (title) => {
    const callers: readonly Caller[] = callerGroups[title]

    test.each([
      ['repos', () => access.targets, repoProbes],
      ['buckets', () => access.buckets, bucketProbes],
      ['collections', () => access.collections, collectionProbes],
      ['namespaces', () => ['bob', 'acme', 'labs', 'carol'].map(ownerTarget), ownerProbes],
      ['the account', () => [ownerTarget('bob')], accountProbes],
    ] as const)(
      'are answered as the specification states on %s',
      async (_kind, targets, probesOf) => {
        const wrong: string[] = []
        let count = 0
        for (const caller of callers) {
          const credentials = access.headersOf(caller)
          const restore = rememberState(access.world)
          for (const target of targets()) {
            for (const [act, probes] of Object.entries(probesOf(target)) as [Act, Probe[]][]) {
              for (const probe of probes) {
                if (probe.git === true && caller.credential === 'session') continue
                const author = probe.own === true ? 'bob' : 'dana'
                const expected = expectedOf(caller, act, { ...target, author }, probe)
                const answer = await send(probe, credentials)
                count += 1
                const actual = verdictOf(answer)
                const isSame =
                  actual === expected ||
                  // The status is the same, and the text for a hidden repo says no more.
                  (caller.user === undefined && expected === 'no user' && actual === 'hidden')
                if (!isSame || answer.status >= 500) {
                  wrong.push(
                    `${caller.name}, ${act}, ${target.name}: ${probe.method} ${probe.url} ${answer.status} ${actual}, stated: ${expected}`,
                  )
                }
                if (probe.method !== 'GET' && answer.status < 400) restore()
              }
            }
          }
        }
        expect(wrong.slice(0, 40)).toEqual([])
        expect(count).toBeGreaterThan(callers.length)
      },
    )

    // The last one: what it deletes has no contents afterwards.
    test('delete a repo only as the specification states', async () => {
      const wrong: string[] = []
      for (const caller of callers) {
        const credentials = access.headersOf(caller)
        const restore = rememberState(access.world)
        for (const target of access.targets) {
          const expected = stated(caller, 'delete a repo', target)
          const body = { name: target.repo?.split('/')[1], organization: target.owner }
          const probe: Probe = { method: 'DELETE', url: '/api/repos/delete', body }
          const answer = await send(probe, credentials)
          const actual = verdictOf(answer)
          const isSame = actual === expected || (caller.user === undefined && actual === 'hidden')
          if (!isSame) {
            wrong.push(
              `${caller.name}, ${target.name}: ${answer.status} ${actual}, stated: ${expected}`,
            )
          }
          if (answer.status < 400) restore()
        }
      }
      expect(wrong.slice(0, 40)).toEqual([])
    })
  })
}

const ownerTarget = (owner: string): AccessTarget => ({ owner, name: owner })

/** A like and the request for access need the repo to be seen, too. */
function expectedOf(caller: Caller, act: Act, target: AccessTarget, probe: Probe): Verdict {
  if (act === 'change the account' && target.repo !== undefined) {
    const seen = stated(caller, 'read a repo', target)
    if (seen !== 'ok') return seen
  }
  if (probe.url.includes('/locks')) return stated(caller, act, target)
  // Git and Git LFS read the refs of a repo before they write to it.
  const isHidden = stated(caller, 'read a repo', target) === 'hidden'
  if (probe.git === true && isHidden && caller.user !== undefined) return 'hidden'
  return stated(caller, act, target)
}
