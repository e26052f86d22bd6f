import { isObject } from '../../core/is-object.ts'
import { listOf } from './openapi-document.ts'
import { at, type Step } from './tour.ts'

/** A type of repo: the word of its paths in the API, the prefix of its pages, and the name of the repo of the tour. */
const kinds = [
  { word: 'models', page: '', repo: '{model}', name: 'model' },
  { word: 'datasets', page: '/datasets', repo: '{dataset}', name: 'dataset' },
  { word: 'spaces', page: '/spaces', repo: '{space}', name: 'space' },
] as const

type Kind = (typeof kinds)[number]

/** Returns steps for each type of repo. */
export function ofEachKind(stepsOf: (kind: Kind) => readonly Step[]): readonly Step[] {
  return kinds.flatMap(stepsOf)
}

const discovery: readonly Step[] = [
  {
    call: 'GET /api/whoami-v2',
    finds: { user: at('name'), organization: at('orgs.0.name') },
  },
  ...ofEachKind(({ word, name }) => [
    { call: `GET /api/${word}?author={user}&limit=2`, finds: { [name]: at('0.id') } },
    { call: `GET /api/${word}?limit=2`, finds: { [name]: at('0.id') } },
    { call: `GET /api/${word}?limit=1&full=true` },
    { call: `GET /api/${word}?limit=0` },
  ]),
]

const largeFile = (body: unknown) =>
  listOf(body)
    .filter(isObject)
    .find(({ lfs }) => isObject(lfs))?.['path']

const repos = ofEachKind(({ word, page, repo, name }) => {
  const api = `/api/${word}/${repo}`
  const file = `{${name}File}`
  const large = `{${name}LargeFile}`
  return [
    { call: `GET ${api}`, finds: { [`${name}File`]: at('siblings.0.rfilename') } },
    { call: `GET ${api}?blobs=true` },
    { call: `GET ${api}?expand[]=likes&expand[]=lastModified` },
    { call: `GET ${api}?expand=nothing-known` },
    { call: `GET /api/${word}/no-such-owner-0/no-such-repo-0` },
    { call: `GET ${api}`, as: 'nobody' },
    { call: `GET ${api}/revision/main` },
    { call: `GET ${api}/revision/no-such-branch` },
    { call: `GET ${api}/tree/main` },
    {
      call: `GET ${api}/tree/main?recursive=true&expand=true`,
      finds: { [`${name}LargeFile`]: largeFile },
    },
    { call: `GET ${api}/tree/main/no-such-folder` },
    { call: `POST ${api}/paths-info/main`, json: { paths: [file], expand: true } },
    { call: `GET ${api}/refs` },
    { call: `GET ${api}/refs?include_prs=1` },
    { call: `GET ${api}/commits/main` },
    { call: `GET ${api}/commits/main?limit=1&expand[]=formatted` },
    { call: `GET ${api}/discussions`, finds: { [`${name}Discussion`]: at('discussions.0.num') } },
    { call: `GET ${api}/discussions/{${name}Discussion}` },
    { call: `GET ${api}/lfs-files` },
    { call: `GET ${api}/treesize/main/` },
    { call: `GET ${api}/compare/main..HEAD` },
    { call: `GET ${api}/scan` },
    { call: `GET ${api}/xet-read-token/main` },
    { call: `GET ${api}/likers` },
    { call: `HEAD ${page}/${repo}/resolve/main/${file}` },
    { call: `GET ${page}/${repo}/resolve/main/${file}` },
    { call: `HEAD ${page}/${repo}/resolve/main/${large}` },
    { call: `GET ${page}/${repo}/resolve/main/${large}` },
    { call: `GET ${page}/${repo}/resolve/main/no-such-file` },
    { call: `GET ${page}/${repo}/resolve/no-such-branch/${file}` },
    { call: `GET ${page}/${repo}/raw/main/${file}` },
  ]
})

const gates: readonly Step[] = kinds.slice(0, 2).map(({ word, repo }) => ({
  call: `GET /api/${word}/${repo}/user-access-request/pending`,
}))

const spaces: readonly Step[] = [
  { call: 'GET /api/spaces/{space}/runtime' },
  { call: 'GET /api/spaces/{space}/secrets' },
  { call: 'GET /api/spaces/{space}/variables' },
  { call: 'GET /api/spaces/hardware' },
  { call: 'GET /api/spaces/templates' },
  { call: 'GET /api/spaces/zero-gpu/quota' },
]

const accounts: readonly Step[] = [
  { call: 'GET /api/whoami-v2', as: 'nobody' },
  { call: 'GET /api/users/{user}/overview' },
  { call: 'GET /api/users/{user}/avatar' },
  { call: 'GET /api/users/{user}/likes' },
  { call: 'GET /api/users/{user}/followers' },
  { call: 'GET /api/users/{user}/socials' },
  { call: 'GET /api/users/{user}/following' },
  { call: 'GET /api/users/no-such-user-0/overview' },
  { call: 'GET /api/avatars/{user}' },
  { call: 'GET /api/organizations/{organization}/overview' },
  { call: 'GET /api/organizations/{organization}/avatar' },
  { call: 'GET /api/organizations/{organization}/members' },
  { call: 'GET /api/organizations/{organization}/followers' },
  { call: 'GET /api/organizations/{organization}/socials' },
  { call: 'GET /api/organizations/{organization}/resource-groups' },
  { call: 'GET /api/organizations/{organization}/settings/repositories' },
  { call: 'GET /api/organizations/{organization}/audit-log/export' },
  { call: 'GET /api/settings/repositories?limit=5' },
  { call: 'GET /api/agent-harnesses' },
  { call: 'GET /api/models-tags-by-type' },
  { call: 'GET /api/trending' },
  { call: 'GET /api/quicksearch?q=a' },
  { call: 'POST /api/quicksearch', json: { q: 'a', exclude: [] } },
  { call: 'GET /api/datasets-tags-by-type' },
]

const things: readonly Step[] = [
  { call: 'GET /api/collections?owner={user}', finds: { collection: at('0.slug') } },
  { call: 'GET /api/collections?limit=2', finds: { collection: at('0.slug') } },
  { call: 'GET /api/collections/{collection}' },
  { call: 'GET /api/settings/webhooks', finds: { webhook: at('0.id') } },
  { call: 'GET /api/settings/webhooks/{webhook}' },
  { call: 'GET /api/jobs/hardware' },
  { call: 'GET /api/jobs/{user}', finds: { job: at('0.id') } },
  { call: 'GET /api/jobs/{user}/count' },
  { call: 'GET /api/jobs/{user}/{job}' },
  { call: 'GET /api/scheduled-jobs/{user}', finds: { scheduledJob: at('0.id') } },
  { call: 'GET /api/scheduled-jobs/{user}/{scheduledJob}' },
  { call: 'GET /api/buckets/{user}', finds: { bucket: at('0.id') } },
  { call: 'GET /api/buckets/{bucket}' },
  { call: 'GET /api/buckets/{bucket}/tree', finds: { bucketFile: at('0.path') } },
  { call: 'GET /api/buckets/{bucket}/tree/{bucketFile}' },
  { call: 'POST /api/buckets/{bucket}/paths-info', json: { paths: ['{bucketFile}'] } },
  { call: 'GET /api/buckets/{bucket}/xet-read-token' },
  { call: 'HEAD /buckets/{bucket}/resolve/{bucketFile}' },
]

/** Calls that read only, in an order in which each finds what the next ones need. `POST` looks up paths, or searches. */
export const readingSteps: readonly Step[] = [
  ...discovery,
  ...repos,
  ...gates,
  ...spaces,
  ...accounts,
  ...things,
]
