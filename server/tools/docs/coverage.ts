/** Something the hub has, and how far the sandbox has it. */
export interface CoveredFeature {
  name: string
  /** RFC, specification or page of the hub that says how it behaves. */
  by: string
  /** Method and path of each route, parameters in braces. */
  routes: readonly string[]
  status: 'full' | 'partial'
  /** What is missing of a partial one, what is special about a full one. */
  note?: string
  /** Files below `test/`; each route is called by at least one of them. */
  tests: readonly string[]
}

/** Something the hub has and the sandbox has not. */
export interface Gap {
  name: string
  /** Requests that a client would send, and the status that the sandbox answers. */
  requests: Readonly<Record<string, 302 | 404 | 501>>
  note: string
}

export const covered: readonly CoveredFeature[] = [
  {
    name: 'Discovery and signing keys',
    by: 'RFC 8414, OpenID Connect Discovery',
    routes: [
      'GET /.well-known/openid-configuration',
      'GET /.well-known/oauth-authorization-server',
      'GET /oauth/jwks',
    ],
    status: 'full',
    tests: [
      'contract/oauth-metadata.test.ts',
      'contract/guards.test.ts',
      'compat/oauth4webapi.test.ts',
    ],
  },
  {
    name: 'Authorization code with PKCE, consent page',
    by: 'RFC 6749 §4.1, RFC 7636, OpenID Connect Core',
    routes: ['GET /oauth/authorize', 'POST /oauth/authorize'],
    status: 'full',
    note: '`orgIds`, `prompt`, `max_age`, `id_token_hint`, `login_hint`; redirect URIs by RFC 8252; unknown scopes are left out',
    tests: [
      'contract/oauth-authorize.test.ts',
      'contract/openid-conformance.test.ts',
      'contract/oauth-resource.test.ts',
      'unit/oauth/redirect-uri.test.ts',
      'compat/oauth4webapi.test.ts',
    ],
  },
  {
    name: 'Token endpoint: code, refresh, device code, token exchange',
    by: 'RFC 6749, RFC 8628, RFC 8693',
    routes: ['POST /oauth/token'],
    status: 'partial',
    note: 'Identity tokens of CI systems (trusted publishers) are not exchanged',
    tests: ['contract/oauth-token.test.ts', 'unit/oauth/matrix.test.ts'],
  },
  {
    name: 'Device authorization and its page',
    by: 'RFC 8628',
    routes: [
      'POST /oauth/device',
      'GET /oauth/device',
      'POST /oauth/device/verify',
      'GET /oauth/device/verify',
      'GET /oauth/device/done',
    ],
    status: 'full',
    tests: ['contract/oauth-device.test.ts', 'e2e/device.spec.ts'],
  },
  {
    name: 'Userinfo',
    by: 'OpenID Connect Core §5.3',
    routes: ['GET /oauth/userinfo', 'POST /oauth/userinfo'],
    status: 'full',
    tests: ['contract/oauth-userinfo.test.ts'],
  },
  {
    name: 'Client registration',
    by: 'RFC 7591',
    routes: ['POST /oauth/register'],
    status: 'full',
    note: 'Client metadata documents are read where the client id is their address',
    tests: [
      'contract/oauth-register.test.ts',
      'unit/oauth/metadata-document.test.ts',
      'compat/mcp-sdk.test.ts',
      'compat/mcp-python.test.ts',
    ],
  },
  {
    name: 'Sign-in page, sign-out',
    by: 'The hub',
    routes: ['GET /login', 'POST /login', 'POST /logout'],
    status: 'full',
    tests: ['contract/login.test.ts'],
  },
  {
    name: 'Identity of any token',
    by: 'The hub',
    routes: ['GET /api/whoami-v2'],
    status: 'full',
    tests: [
      'contract/whoami.test.ts',
      'contract/rate-limits.test.ts',
      'compat/huggingface-hub-python.test.ts',
    ],
  },
  {
    name: 'What clients call on their own: known agents, usage reports',
    by: 'The hub',
    routes: ['GET /api/agent-harnesses', 'GET /api/telemetry/{path}'],
    status: 'full',
    note: 'No agent is known; reports are dropped',
    tests: ['contract/client-calls.test.ts', 'compat/huggingface-hub-python.test.ts'],
  },
  {
    name: 'Revocation by report and by an organization',
    by: 'The hub',
    routes: [
      'POST /api/credentials/revoke',
      'POST /api/organizations/{name}/settings/tokens/revoke',
    ],
    status: 'full',
    tests: ['contract/organizations.test.ts'],
  },
  {
    name: 'Audit log of an organization',
    by: 'The hub',
    routes: ['GET /api/organizations/{name}/audit-log/export'],
    status: 'partial',
    note: 'Token exchange and revocations; not the other events of the hub',
    tests: ['contract/organizations.test.ts'],
  },
  {
    name: 'Webhooks',
    by: 'The hub',
    routes: [
      'GET /api/settings/webhooks',
      'POST /api/settings/webhooks',
      'GET /api/settings/webhooks/{id}',
      'POST /api/settings/webhooks/{id}',
      'DELETE /api/settings/webhooks/{id}',
      'POST /api/settings/webhooks/{id}/enable',
      'POST /api/settings/webhooks/{id}/disable',
      'POST /api/settings/webhooks/{id}/replay/{logId}',
    ],
    status: 'full',
    note: 'Payload version 3; retries by profile',
    tests: [
      'contract/webhooks.test.ts',
      'contract/jobs.test.ts',
      'unit/webhooks/engine.test.ts',
      'unit/outgoing/post-delivery.test.ts',
      'compat/huggingface-hub-python.test.ts',
    ],
  },
  {
    name: 'Jobs',
    by: 'The hub',
    routes: [
      'GET /api/jobs/hardware',
      'POST /api/jobs/{namespace}',
      'GET /api/jobs/{namespace}',
      'GET /api/jobs/{namespace}/count',
      'GET /api/jobs/{namespace}/{id}',
      'POST /api/jobs/{namespace}/{id}/cancel',
      'POST /api/jobs/{namespace}/{id}/duplicate',
      'PUT /api/jobs/{namespace}/{id}/labels',
      'GET /api/jobs/{namespace}/{id}/logs',
    ],
    status: 'partial',
    note: 'Run only where `--run-jobs` names a command, with no variables of their own but those of `--run-jobs-env`; volumes, ports and ssh are taken and not used',
    tests: ['contract/jobs.test.ts'],
  },
  {
    name: 'Repos',
    by: 'The hub',
    routes: [
      'POST /api/repos/create',
      'DELETE /api/repos/delete',
      'POST /api/repos/move',
      'GET /api/{types}',
      'GET /api/{types}/{namespace}/{name}',
      'GET /api/{types}/{namespace}/{name}/revision/{path}',
      'PUT /api/{types}/{namespace}/{name}/settings',
      'POST /api/{types}/{namespace}/{name}/duplicate',
      'GET /api/{types}/{namespace}/{name}/auth-check',
      'GET /api/{types}/{namespace}/{name}/auth-check/write',
      'GET /api/settings/repositories',
      'GET /api/organizations/{name}/settings/repositories',
      'GET /api/models-tags-by-type',
      'GET /api/datasets-tags-by-type',
    ],
    status: 'partial',
    note: 'Models, datasets and Spaces. A region is kept and told; of all files 60,000 are listed, as the hub cuts that list, too; lists by apps, providers and numbers of parameters find nothing, since none are known; which Spaces use a model tells the list of Spaces (`?models=`), not the model',
    tests: [
      'contract/hub-repos.test.ts',
      'contract/hub-repos-edges.test.ts',
      'unit/hub/repo-info.test.ts',
      'unit/hub/repo-list.test.ts',
      'unit/hub/repos.test.ts',
      'compat/huggingface-hub-js.test.ts',
      'compat/huggingface-hub-python.test.ts',
    ],
  },
  {
    name: 'Spaces: runtime, hardware, volumes, variables, secrets',
    by: 'The hub',
    routes: [
      'GET /api/spaces/hardware',
      'GET /api/spaces/templates',
      'GET /api/spaces/{namespace}/{name}/runtime',
      'POST /api/spaces/{namespace}/{name}/hardware',
      'POST /api/spaces/{namespace}/{name}/sleeptime',
      'POST /api/spaces/{namespace}/{name}/pause',
      'POST /api/spaces/{namespace}/{name}/restart',
      'POST /api/spaces/{namespace}/{name}/dev-mode',
      'POST /api/spaces/{namespace}/{name}/storage',
      'DELETE /api/spaces/{namespace}/{name}/storage',
      'PUT /api/spaces/{namespace}/{name}/volumes',
      'DELETE /api/spaces/{namespace}/{name}/volumes',
      'GET /api/spaces/{namespace}/{name}/variables',
      'POST /api/spaces/{namespace}/{name}/variables',
      'DELETE /api/spaces/{namespace}/{name}/variables',
      'GET /api/spaces/{namespace}/{name}/secrets',
      'POST /api/spaces/{namespace}/{name}/secrets',
      'DELETE /api/spaces/{namespace}/{name}/secrets',
    ],
    status: 'partial',
    note: 'What is asked for is told at once, and nothing is run: a restart builds nothing, no volume is mounted, the values of secrets are not kept, and there are no templates',
    tests: [
      'contract/hub-spaces.test.ts',
      'unit/hub/spaces.test.ts',
      'compat/huggingface-hub-python.test.ts',
    ],
  },
  {
    name: 'Avatars',
    by: 'The sandbox',
    routes: ['GET /avatars/{name}.svg'],
    status: 'full',
    note: 'Drawn from the name',
    tests: ['contract/pages.test.ts'],
  },
  {
    name: 'Files: folders, look-up of paths, downloads',
    by: 'The hub',
    routes: [
      'GET /api/{types}/{namespace}/{name}/tree/{path}',
      'POST /api/{types}/{namespace}/{name}/paths-info/{path}',
      'GET /{namespace}/{name}/resolve/{path}',
      'GET /{namespace}/{name}/raw/{path}',
      'GET /{types}/{namespace}/{name}/resolve/{path}',
      'GET /{types}/{namespace}/{name}/raw/{path}',
      'GET /api/resolve-cache/{types}/{namespace}/{name}/{path}',
    ],
    status: 'full',
    note: '`resolve` redirects, as on the hub; HEAD and ranges work; no file is a document that a browser would run',
    tests: [
      'contract/hub-files.test.ts',
      'compat/downloads.test.ts',
      'compat/huggingface-hub-js-files.test.ts',
      'compat/huggingface-hub-python.test.ts',
    ],
  },
  {
    name: 'List, deletion and copies of large files',
    by: 'The hub',
    routes: [
      'GET /api/{types}/{namespace}/{name}/lfs-files',
      'POST /api/{types}/{namespace}/{name}/lfs-files/batch',
      'POST /api/{types}/{namespace}/{name}/lfs-files/duplicate',
    ],
    status: 'full',
    tests: ['contract/hub-lfs-files.test.ts', 'compat/huggingface-hub-python.test.ts'],
  },
  {
    name: 'Git LFS',
    by: 'Git LFS batch API',
    routes: ['/{namespace}/{name}', '/{types}/{namespace}/{name}'].flatMap((repo) => [
      `POST ${repo}/info/lfs/objects/batch`,
      `PUT ${repo}/info/lfs/objects/{oid}`,
      `POST ${repo}/info/lfs/objects/{oid}`,
      `GET ${repo}/info/lfs/objects/{oid}`,
      `POST ${repo}/info/lfs/objects/{oid}/verify`,
    ]),
    status: 'full',
    note: 'In one piece and in parts. The name of the repo may end in `.git`',
    tests: [
      'contract/hub-lfs.test.ts',
      'compat/git-lfs.test.ts',
      'compat/huggingface-hub-js-files.test.ts',
      'compat/huggingface-hub-python.test.ts',
    ],
  },
  {
    name: 'Uploads',
    by: 'The hub',
    routes: [
      'POST /api/validate-yaml',
      'POST /api/{types}/{namespace}/{name}/preupload/{path}',
      'POST /api/{types}/{namespace}/{name}/commit/{path}',
    ],
    status: 'full',
    note: 'A commit as NDJSON, or as one JSON object of up to 24 MiB. Files up to 10 MiB within a commit, and 100 KiB of what is no text, others by Git LFS; also as a pull request. Of the metadata of a README, what refusals of the hub are known for: license, language (codes of three letters are believed), base_model (by its form), datasets, model-index, tags, and how a Space looks',
    tests: [
      'contract/hub-uploads.test.ts',
      'unit/hub/commit-lines.test.ts',
      'unit/hub/readme-check.test.ts',
      'compat/huggingface-hub-js-files.test.ts',
      'compat/huggingface-hub-python.test.ts',
      'compat/huggingface-hub-python-releases.test.ts',
      'compat/opendal.test.ts',
    ],
  },
  {
    name: 'Commits, branches, tags',
    by: 'The hub',
    routes: [
      'GET /api/{types}/{namespace}/{name}/refs',
      'GET /api/{types}/{namespace}/{name}/commits/{path}',
      'POST /api/{types}/{namespace}/{name}/branch/{path}',
      'DELETE /api/{types}/{namespace}/{name}/branch/{path}',
      'POST /api/{types}/{namespace}/{name}/tag/{path}',
      'DELETE /api/{types}/{namespace}/{name}/tag/{path}',
      'POST /api/{types}/{namespace}/{name}/super-squash/{path}',
    ],
    status: 'partial',
    note: 'The message of a tag is not kept',
    tests: ['contract/hub-refs.test.ts', 'compat/huggingface-hub-js-files.test.ts'],
  },
  {
    name: 'Git over HTTP',
    by: 'git: gitprotocol-http, gitprotocol-v2',
    routes: [
      'GET /{namespace}/{name}/info/refs',
      'GET /{types}/{namespace}/{name}/info/refs',
      'POST /{namespace}/{name}/git-upload-pack',
      'POST /{types}/{namespace}/{name}/git-upload-pack',
      'POST /{namespace}/{name}/git-receive-pack',
      'POST /{types}/{namespace}/{name}/git-receive-pack',
    ],
    status: 'full',
    note: 'Clone, fetch and push, where git is installed: 2.25 or newer. Not over SSH',
    tests: [
      'contract/git.test.ts',
      'contract/described-answers.test.ts',
      'compat/git.test.ts',
      'compat/git-push.test.ts',
      'unit/hub/pushes.test.ts',
      'unit/git/upload-pack.test.ts',
    ],
  },
  {
    name: 'Pages of users, organizations and repos',
    by: 'The hub',
    routes: [
      'GET /{name}',
      'GET /{namespace}/{name}',
      'GET /datasets/{namespace}/{name}',
      'GET /spaces/{namespace}/{name}',
    ],
    status: 'partial',
    note: 'The essentials, for browsers (`Accept: text/html`), and the way to the dashboard',
    tests: ['contract/hub-pages.test.ts'],
  },
  {
    name: 'Settings pages',
    by: 'The hub',
    routes: [
      'GET /',
      'GET /settings/applications',
      'GET /settings/applications/new',
      'GET /settings/connected-applications',
      'GET /settings/tokens',
      'GET /settings/webhooks',
      'GET /settings/webhooks/{id}/activity',
      'GET /organizations/{name}/settings/audit-log',
    ],
    status: 'full',
    note: 'Each leads to its page of the dashboard',
    tests: ['contract/pages.test.ts', 'contract/dashboard.test.ts', 'e2e/dashboard.spec.ts'],
  },
]

export const gaps: readonly Gap[] = [
  {
    name: 'Discussions and pull requests',
    requests: {
      'GET /api/datasets/acme/corpus/discussions': 501,
    },
    note: 'Not over the hub’s own addresses yet: `trigger` and the dashboard cause the same events',
  },
  {
    name: 'Collections, likes, gated access',
    requests: {
      'GET /api/collections': 501,
      'GET /api/users/alice/likes': 501,
      'GET /api/models/acme/gated/user-access-request/pending': 501,
    },
    note: 'Collections and access lists come from the fixtures',
  },
  {
    name: 'Overviews and members of users and organizations',
    requests: {
      'GET /api/users/alice/overview': 501,
      'GET /api/organizations/acme/members': 501,
    },
    note: 'Userinfo and whoami tell what a sign-in may know',
  },
  {
    name: 'Logs, search and ZeroGPU quota of Spaces',
    requests: {
      'GET /api/spaces/acme/demo/logs/run': 501,
      'GET /api/spaces/semantic-search': 501,
      'GET /api/spaces/zero-gpu/quota': 501,
    },
    note: '',
  },
  {
    name: 'Scheduled jobs, metrics and events of jobs',
    requests: {
      'GET /api/scheduled-jobs/alice': 501,
      'GET /api/jobs/alice/x/metrics': 501,
    },
    note: '',
  },
  {
    name: 'Buckets',
    requests: { 'POST /api/buckets/alice/jobs-artifacts': 501 },
    note: 'So no job of a script on your disk (`run_uv_job`), which is handed over in one',
  },
  {
    name: 'Locks of Git LFS, Xet',
    requests: {
      'POST /acme/corpus.git/info/lfs/locks': 501,
      'POST /acme/corpus.git/info/lfs/locks/verify': 501,
      'GET /api/models/acme/tagger/xet-write-token/main': 302,
    },
    note: 'With `hf_xet` installed, `huggingface_hub` 1.20 and newer upload large files by Xet alone: they need `HF_HUB_DISABLE_XET=1`, and their error shows it. Older ones and the JavaScript client fall back to Git LFS. OpenDAL writes by Xet whatever is set; it reads, lists and deletes',
  },
  {
    name: 'Inference and inference endpoints',
    requests: {
      'POST /v1/chat/completions': 404,
      'GET /v2/endpoint/alice': 404,
    },
    note: 'Their scopes are granted all the same',
  },
  {
    name: 'Revocation (RFC 7009), introspection (RFC 7662), end of session',
    requests: {
      'POST /oauth/revoke': 404,
      'POST /oauth/introspect': 404,
      'GET /oauth/logout': 404,
    },
    note: 'The hub has none either',
  },
]
