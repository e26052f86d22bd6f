import { at, type Step } from './tour.ts'
import { ofEachKind, readingSteps } from './reading-steps.ts'

/** Content of a large file, and its SHA-256. */
const content = 'The large file of a tour\n'
const oid = '2dda01b09dea8a399842de6f8c614b255ff3f9347abd12b04ff253c140370cd3'
const size = content.length

/** Reads the path and query of an address in a response. */
const pathOf = (read: (body: unknown, headers: Headers) => unknown) => {
  return (body: unknown, headers: Headers) => {
    const address = read(body, headers)
    return typeof address === 'string' && URL.canParse(address, 'http://sandbox')
      ? new URL(address, 'http://sandbox').pathname + new URL(address, 'http://sandbox').search
      : undefined
  }
}
const location = pathOf((_, headers) => headers.get('location'))
const header = { key: 'header', value: { summary: 'Change files' } }
const fileLine = (path: string, text: string) => ({ key: 'file', value: { path, content: text } })

const accounts: readonly Step[] = [
  {
    call: 'POST /oauth/register',
    as: 'nobody',
    json: {
      redirect_uris: ['http://localhost/callback'],
      client_name: 'Tour',
      client_uri: 'https://app.example/',
      logo_uri: 'https://app.example/logo.png',
      scope: 'openid profile',
      contacts: ['ops@app.example'],
      grant_types: ['authorization_code', 'urn:ietf:params:oauth:grant-type:device_code'],
      token_endpoint_auth_method: 'none',
      software_id: 'tour',
      software_version: '1.0',
    },
    finds: { client: at('client_id') },
  },
  { call: 'POST /oauth/device', as: 'nobody', form: { client_id: '{client}', scope: 'openid' } },
  {
    call: 'POST /_sandbox/api/tokens',
    json: {
      user: '{user}',
      scope: 'openid profile email read-billing read-memberships',
      organizations: ['{organization}'],
    },
    finds: { accessToken: at('access_token') },
  },
  ...(['GET', 'POST'] as const).map((method) => ({
    call: `${method} /oauth/userinfo`,
    as: 'nobody' as const,
    headers: { authorization: 'Bearer {accessToken}' },
  })),
  {
    call: 'GET /api/whoami-v2',
    as: 'nobody',
    headers: { authorization: 'Bearer {accessToken}' },
  },
  { call: 'GET /api/whoami-v2', as: 'member', finds: { member: at('name') } },
  { call: 'GET /api/whoami-v2', as: 'outsider', finds: { outsider: at('name') } },
  { call: 'POST /api/credentials/revoke', json: { credentials: ['hf_unknown'] } },
]

const organization = '/api/organizations/{organization}'
const groups = `${organization}/resource-groups`
const organizations: readonly Step[] = [
  {
    call: `POST ${groups}`,
    json: {
      name: 'Tour',
      description: 'Made by a tour',
      users: [{ user: '{member}', role: 'read' }],
    },
    finds: { group: at('id') },
  },
  { call: `POST ${groups}/{group}/users`, json: { users: [{ user: '{user}', role: 'write' }] } },
  { call: `PUT ${organization}/members/{member}/role`, json: { role: 'write' } },
  {
    call: `PATCH ${organization}/settings/network-security`,
    json: { ipRanges: ['192.0.2.0/24'], blockedContents: [{ resource: 'model', scope: 'evil' }] },
  },
  { call: `GET ${organization}/settings/network-security` },
  { call: `PATCH ${groups}/{group}`, json: { name: 'Tour', description: 'Made by the tour' } },
  {
    call: `POST ${groups}/{group}/settings`,
    json: { autoJoin: { enabled: true, role: 'read', scope: 'all' } },
  },
  { call: `PATCH ${groups}/{group}/users/{member}`, json: { role: 'contributor' } },
  { call: `GET ${groups}/{group}` },
]

const readmes = {
  space: '---\ntitle: Tour\nsdk: gradio\nlicense: mit\n---\nA tour\n',
  other: '---\nlicense: mit\ntags:\n- tour\n---\nA tour\n',
}

const repos = ofEachKind(({ word, page, repo, name }) => {
  const type = word.slice(0, -1)
  const api = `/api/${word}/${repo}`
  const objects = `${page}/${repo}.git/info/lfs/objects`
  const pull = `{${name}Pull}`
  return [
    {
      call: 'POST /api/repos/create',
      json: { name: `tour-${type}`, type, ...(type === 'space' && { sdk: 'gradio' }) },
      finds: { [name]: at('name') },
    },
    {
      call: `POST ${api}/preupload/main`,
      json: {
        files: [
          { path: 'README.md', size: 3, sample: 'YWJj' },
          { path: 'large.bin', size, sample: 'YWJj' },
        ],
      },
    },
    {
      call: `POST ${objects}/batch`,
      json: { operation: 'upload', transfers: ['basic'], objects: [{ oid, size }] },
      headers: { accept: 'application/vnd.git-lfs+json' },
      finds: { [`${name}Upload`]: pathOf(at('objects.0.actions.upload.href')) },
    },
    { call: `PUT {${name}Upload}`, as: 'nobody', text: content },
    {
      call: `POST ${api}/commit/main`,
      lines: [
        header,
        fileLine('README.md', readmes[type === 'space' ? 'space' : 'other']),
        fileLine('docs/guide.md', 'Text\n'),
        { key: 'lfsFile', value: { path: 'large.bin', algo: 'sha256', oid, size } },
      ],
    },
    {
      call: `POST ${api}/commit/main?create_pr=1`,
      lines: [header, fileLine('proposed.txt', 'Text\n')],
      finds: { [`${name}Pull`]: (body) => String(at('pullRequestUrl')(body)).split('/').at(-1) },
    },
    { call: `GET ${api}/discussions/${pull}?diff=1` },
    {
      call: `POST ${api}/discussions`,
      json: { title: 'A question', description: 'Why?' },
      finds: { [`${name}Discussion`]: at('num') },
    },
    { call: `GET ${api}/xet-write-token/main` },
    { call: `POST ${api}/branch/tour`, json: {} },
    { call: `POST ${api}/tag/main`, json: { tag: 'tour-1', message: 'A tag' } },
    {
      call: 'POST /api/repos/create',
      json: {
        name: `tour-${type}`,
        organization: '{organization}',
        type,
        ...(type === 'space' && { sdk: 'docker' }),
      },
      finds: { [`${name}Grouped`]: at('name') },
    },
    {
      call: `POST /api/${word}/{${name}Grouped}/resource-group`,
      json: { resourceGroupId: '{group}' },
    },
    { call: `GET /api/${word}/{${name}Grouped}/resource-group` },
  ]
})

const talk: readonly Step[] = [
  {
    call: 'POST /api/models/{model}/discussions/{modelDiscussion}/comment',
    json: { comment: 'Because' },
    finds: { comment: at('newMessage.id') },
  },
  {
    call: 'POST /api/models/{model}/discussions/{modelDiscussion}/comment/{comment}/reaction',
    json: { reaction: 'heart' },
  },
  {
    call: 'POST /api/models/{model}/discussions/{modelDiscussion}/title',
    json: { title: 'A better question' },
  },
  { call: 'POST /api/models/{model}/discussions/{modelDiscussion}/pin', json: { pinned: true } },
  {
    call: 'POST /api/models/{model}/discussions/{modelDiscussion}/status',
    json: { status: 'closed', comment: 'Done' },
  },
  { call: 'GET /api/models/{model}/discussions/{modelDiscussion}' },
  { call: 'GET /api/models/{model}/discussions/{modelPull}/storage' },
  { call: 'POST /api/models/{model}/discussions/{modelPull}/merge', json: {} },
  { call: 'GET /api/models/{model}/discussions/{modelPull}' },
  {
    call: 'POST /api/datasets/{dataset}/discussions/{datasetPull}/status',
    json: { status: 'closed' },
  },
  { call: 'DELETE /api/datasets/{dataset}/discussions/{datasetPull}/ref' },
]

const jobSpec = {
  dockerImage: 'python:3',
  command: ['python', 'app.py'],
  arguments: ['--fast'],
  environment: { LEVEL: 'debug' },
  secrets: { KEY: 'hidden' },
  flavor: 'cpu-basic',
  timeoutSeconds: 60,
  labels: { team: 'a' },
  volumes: [{ type: 'dataset', source: '{dataset}', mountPath: '/data', readOnly: true }],
}
const jobs: readonly Step[] = [
  { call: 'POST /api/jobs/{user}', json: jobSpec, finds: { job: at('id') } },
  { call: 'GET /api/jobs/{user}/{job}/logs' },
  { call: 'GET /api/jobs/{user}/{job}/events' },
  { call: 'POST /api/jobs/{user}/{job}/duplicate' },
  { call: 'PUT /api/jobs/{user}/{job}/labels', json: { labels: { team: 'b' } } },
  { call: 'POST /api/jobs/{user}/auth-check/write' },
  { call: 'POST /api/jobs/{user}/{job}/auth-check/read' },
  { call: 'PUT /api/jobs/{user}/{job}/expose', json: { ports: [8000] } },
  { call: 'POST /api/jobs/{user}/{job}/cancel' },
  {
    call: 'POST /api/scheduled-jobs/{user}',
    json: { jobSpec, schedule: '@hourly' },
    finds: { scheduledJob: at('id') },
  },
  { call: 'POST /api/scheduled-jobs/{user}/{scheduledJob}/suspend' },
  { call: 'POST /api/scheduled-jobs/{user}/{scheduledJob}/resume' },
  { call: 'POST /api/scheduled-jobs/{user}/{scheduledJob}/run' },
  {
    call: 'POST /api/scheduled-jobs/{user}/{scheduledJob}/schedule',
    json: { schedule: '@daily' },
  },
  {
    call: 'PUT /api/scheduled-jobs/{user}/{scheduledJob}/labels',
    json: { labels: { team: 'b' } },
  },
]

const endpoints: readonly Step[] = [
  {
    call: 'POST /v2/endpoint/{organization}',
    json: { name: 'tour', model: { repository: '{model}' } },
  },
  {
    call: 'POST /api/inference-endpoints/{organization}/auth-check/infer?resource_group_id={group}',
  },
  { call: 'POST /api/inference-endpoints/{organization}/tour/auth-check/write' },
]

const webhook = {
  watched: [
    { type: 'user', name: '{user}' },
    { type: 'model', name: '{model}' },
  ],
  domains: ['repo', 'discussion'],
}
const webhooks: readonly Step[] = [
  {
    call: 'POST /api/settings/webhooks',
    json: { ...webhook, url: '{receiver}', secret: 'hidden' },
    finds: { webhook: at('webhook.id') },
  },
  { call: 'POST /api/settings/webhooks', json: { ...webhook, job: jobSpec } },
  {
    call: 'POST /api/settings/webhooks/{webhook}',
    json: { ...webhook, url: '{receiver}?other' },
  },
  {
    call: 'POST /_sandbox/api/events',
    json: { event: 'repo.content', repo: 'models/{model}' },
    finds: { log: at('deliveries.0.id') },
  },
  { call: 'POST /api/settings/webhooks/{webhook}/replay/{log}' },
  { call: 'POST /api/settings/webhooks/{webhook}/disable' },
  { call: 'POST /api/settings/webhooks/{webhook}/enable' },
]

const collections: readonly Step[] = [
  {
    call: 'POST /api/collections',
    json: { title: 'Tour', namespace: '{user}', item: { type: 'dataset', id: '{dataset}' } },
    finds: { collection: at('slug'), item: at('items.0._id') },
  },
  ...[
    { type: 'model', id: '{model}' },
    { type: 'space', id: '{space}' },
    { type: 'paper', id: '2307.09288' },
  ].map((item) => ({
    call: 'POST /api/collections/{collection}/items',
    json: { item, note: 'Read it' },
  })),
  {
    call: 'POST /api/collections/{collection}/items/batch',
    json: [{ action: 'update', _id: '{item}', data: { note: 'First' } }],
  },
  { call: 'PATCH /api/collections/{collection}', json: { theme: 'blue', description: 'A tour' } },
  {
    call: 'POST /api/collections',
    json: { title: 'Tour', namespace: '{organization}' },
    finds: { grouped: at('slug') },
  },
  {
    call: 'POST /api/collections/{grouped}/resource-group',
    json: { resourceGroupId: '{group}' },
  },
  { call: 'DELETE /api/collections/{collection}/items/{item}' },
]

const buckets: readonly Step[] = [
  {
    call: 'POST /api/buckets/{user}/tour',
    json: {},
    finds: { bucket: (body) => String(at('url')(body)).split('/').slice(-2).join('/') },
  },
  {
    call: 'POST /api/buckets/{bucket}/batch',
    lines: [
      { type: 'addFile', path: 'folder/a.bin', xetHash: '0'.repeat(64) },
      { type: 'addFile', path: 'b.bin', xetHash: '0'.repeat(64) },
    ],
  },
  {
    call: 'POST /api/buckets/{bucket}/lfs-files/duplicate',
    json: {
      target: { type: 'model', name: '{model}' },
      files: [{ sha256: oid, xetHash: '0'.repeat(64), filename: 'b.bin' }],
    },
  },
  { call: 'PUT /api/buckets/{bucket}/settings', json: { private: true } },
  { call: 'GET /api/buckets/{bucket}/xet-write-token' },
  { call: 'GET /buckets/{bucket}/resolve/b.bin' },
  {
    call: 'POST /api/buckets/{organization}/tour',
    json: { resourceGroupId: '{group}' },
  },
  { call: 'GET /api/buckets/{organization}/tour/resource-group' },
  {
    call: 'POST /api/buckets/{organization}/tour/resource-group',
    json: { resourceGroupId: '{group}' },
  },
]

const spaces: readonly Step[] = (['secrets', 'variables'] as const).flatMap((kind) => [
  {
    call: `POST /api/spaces/{space}/${kind}`,
    json: { key: 'LEVEL', value: 'debug', description: 'A level' },
  },
  { call: `GET /api/spaces/{space}/${kind}` },
  { call: `DELETE /api/spaces/{space}/${kind}`, json: { key: 'LEVEL' } },
])

const volumes: readonly Step[] = [
  { call: 'GET /api/spaces/{spaceGrouped}/logs/build' },
  { call: 'GET /api/spaces/{space}/events' },
  { call: 'GET /api/spaces/{space}/metrics' },
  {
    call: 'PUT /api/spaces/{space}/volumes',
    json: { volumes: [{ type: 'bucket', source: '{bucket}', mountPath: '/data' }] },
  },
  { call: 'GET /api/spaces/{space}/runtime' },
  { call: 'DELETE /api/spaces/{space}/volumes' },
]

const gates = ofEachKind(({ word, page, repo }) => {
  if (word === 'spaces') return []
  const api = `/api/${word}/${repo}`
  const ask: Step = {
    call: `POST ${page}/${repo}/ask-access`,
    as: 'outsider',
    json: { use: 'research' },
  }
  const request = { user: '{outsider}', status: 'accepted' }
  return [
    { call: `PUT ${api}/settings`, json: { gated: 'manual' } },
    { ...ask, as: 'member' },
    { call: `POST ${api}/user-access-request/cancel`, as: 'member' },
    ask,
    { call: `GET ${api}/user-access-request/pending` },
    { call: `POST ${api}/user-access-request/handle`, json: request },
    { call: `GET ${api}/user-access-request/accepted` },
    {
      call: `POST ${api}/user-access-request/handle`,
      json: { ...request, status: 'rejected', rejectionReason: 'No' },
    },
    { call: `GET ${api}/user-access-request/rejected` },
    {
      call: `POST ${api}/user-access-request/batch`,
      json: { requests: [{ user: '{outsider}' }], status: 'accepted' },
    },
    { call: `POST ${api}/user-access-request/grant`, json: { user: '{member}' } },
    { call: `GET ${page}/${repo}/user-access-report` },
    { call: `PUT ${api}/settings`, json: { gated: false } },
  ]
})

/** Changes that later readings would not survive. */
const last = [
  ...ofEachKind(({ word, page, repo, name }) => {
    const api = `/api/${word}/${repo}`
    return [
      { call: `GET ${page}/${repo}/resolve/main/README.md`, finds: { [`${name}Cache`]: location } },
      { call: `GET {${name}Cache}` },
      {
        call: `GET ${page}/${repo}/resolve/main/large.bin`,
        headers: { accept: 'application/vnd.xet-fileinfo+json' },
      },
      { call: `PUT ${api}/settings`, json: { discussionsDisabled: false, private: false } },
      { call: `POST ${api}/duplicate`, json: { repository: `{user}/tour-copy-of-${name}` } },
      {
        call: `POST ${api}/lfs-files/duplicate`,
        json: {
          target: { type: 'model', name: '{model}' },
          files: [{ sha256: oid, filename: 'copied.bin' }],
        },
      },
      { call: `DELETE ${api}/lfs-files/${oid}?rewriteHistory=false` },
      { call: `POST ${api}/super-squash/tour`, json: {} },
      { call: `DELETE ${api}/tag/tour-1` },
      { call: `DELETE ${api}/branch/tour` },
      {
        call: `POST ${api}/lfs-files/batch`,
        json: { deletions: { sha: [oid], rewriteHistory: true } },
      },
    ]
  }),
  { call: 'DELETE /api/models/{model}/discussions/{modelDiscussion}' },
  { call: 'GET /_sandbox/api/tokens?user={member}', finds: { memberToken: at('items.0.id') } },
  { call: `POST ${organization}/settings/tokens/{memberToken}/revoke` },
  { call: `DELETE ${groups}/{group}/users/{member}` },
  { call: `DELETE ${groups}/{group}` },
  {
    call: 'POST /api/repos/move',
    json: { fromRepo: '{model}', toRepo: '{user}/tour-moved', type: 'model' },
  },
  { call: 'DELETE /api/scheduled-jobs/{user}/{scheduledJob}' },
  { call: 'DELETE /api/settings/webhooks/{webhook}' },
  { call: 'DELETE /api/collections/{collection}' },
  { call: 'DELETE /api/buckets/{bucket}' },
] as const satisfies readonly Step[]

/** Calls of a tour of a sandbox of its own: they make things, read them, change and delete them. */
export const tourSteps: readonly Step[] = [
  { call: 'GET /api/whoami-v2', finds: { user: at('name'), organization: at('orgs.0.name') } },
  ...accounts,
  ...organizations,
  ...repos,
  ...buckets,
  ...jobs,
  ...endpoints,
  ...webhooks,
  ...collections,
  ...readingSteps,
  ...talk,
  ...spaces,
  ...volumes,
  ...gates,
  ...last,
]
