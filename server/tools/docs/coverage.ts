/** Feature of the Hub that the sandbox emulates. */
export interface CoveredFeature {
  name: string
  /** RFC or other specification of its behavior. */
  by: string
  /** Method and path of each route, parameters in braces. */
  routes: readonly string[]
  status: 'full' | 'partial'
  /** Missing parts, limits and peculiarities. */
  note?: string
  /** Files below `test/`; each route is called by at least one of them. */
  tests: readonly string[]
}

/** Feature of the Hub that the sandbox lacks. */
export interface Gap {
  name: string
  /** Example requests, each with the status of the response. */
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
    note: 'Supports `orgIds`, `prompt`, `max_age`, `id_token_hint` and `login_hint`. Redirect URIs follow RFC 8252. Unknown scopes are left out',
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
    note: 'ID tokens of CI systems (trusted publishers) cannot be exchanged',
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
    note: 'A client ID that is an https URL is read as a client metadata document',
    tests: [
      'contract/oauth-register.test.ts',
      'unit/oauth/metadata-document.test.ts',
      'compat/mcp-sdk.test.ts',
      'compat/mcp-python.test.ts',
    ],
  },
  {
    name: 'Sign-in page, sign-out',
    by: 'Hugging Face Hub',
    routes: ['GET /login', 'POST /login', 'POST /logout'],
    status: 'full',
    tests: ['contract/login.test.ts'],
  },
  {
    name: 'Identity of any token',
    by: 'Hugging Face Hub',
    routes: ['GET /api/whoami-v2'],
    status: 'full',
    tests: [
      'contract/whoami.test.ts',
      'contract/rate-limits.test.ts',
      'compat/huggingface-hub-python.test.ts',
    ],
  },
  {
    name: 'Requests that clients make on their own: known agents, usage reports',
    by: 'Hugging Face Hub',
    routes: ['GET /api/agent-harnesses', 'GET /api/telemetry/{path}'],
    status: 'full',
    note: 'The list of agents is empty. Reports are dropped',
    tests: ['contract/client-calls.test.ts', 'compat/huggingface-hub-python.test.ts'],
  },
  {
    name: 'Token revocation by report and by an organization',
    by: 'Hugging Face Hub',
    routes: [
      'POST /api/credentials/revoke',
      'POST /api/organizations/{name}/settings/tokens/revoke',
    ],
    status: 'full',
    tests: ['contract/organizations.test.ts'],
  },
  {
    name: 'Audit log of an organization',
    by: 'Hugging Face Hub',
    routes: ['GET /api/organizations/{name}/audit-log/export'],
    status: 'partial',
    note: 'Records token exchanges and revocations only',
    tests: ['contract/organizations.test.ts'],
  },
  {
    name: 'Webhooks',
    by: 'Hugging Face Hub',
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
    note: 'Payload version 3. Retries follow the delivery profile',
    tests: [
      'contract/webhooks.test.ts',
      'contract/jobs.test.ts',
      'unit/webhooks/engine.test.ts',
      'unit/network/post-delivery.test.ts',
      'compat/huggingface-hub-python.test.ts',
    ],
  },
  {
    name: 'Jobs',
    by: 'Hugging Face Hub',
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
    note: 'A job runs only if `--run-jobs` names a command for its image or Space. `--run-jobs-env` allows environment variables. Volumes, ports and SSH are accepted and ignored',
    tests: ['contract/jobs.test.ts'],
  },
  {
    name: 'Repos',
    by: 'Hugging Face Hub',
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
    note: 'Models, datasets and Spaces. Regions are stored and returned. `siblings` is limited to 60,000 files, as on the Hub. Filtering by app, provider or parameter count returns nothing. A model does not list its Spaces; the list of Spaces can be filtered by model (`?models=`)',
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
    by: 'Hugging Face Hub',
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
    note: 'Changes show at once, but nothing runs: a restart builds nothing, and volumes are not mounted. The values of secrets are not stored. There are no templates',
    tests: [
      'contract/hub-spaces.test.ts',
      'unit/hub/spaces.test.ts',
      'compat/huggingface-hub-python.test.ts',
    ],
  },
  {
    name: 'Avatars',
    by: 'hub-sandbox',
    routes: ['GET /avatars/{name}.svg'],
    status: 'full',
    note: 'Generated from the name',
    tests: ['contract/pages.test.ts'],
  },
  {
    name: 'Files: folders, path lookup, downloads',
    by: 'Hugging Face Hub',
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
    note: '`resolve` redirects, as on the Hub. HEAD and range requests work. Files are never served as documents that a browser runs',
    tests: [
      'contract/hub-files.test.ts',
      'compat/downloads.test.ts',
      'compat/huggingface-hub-js-files.test.ts',
      'compat/huggingface-hub-python.test.ts',
    ],
  },
  {
    name: 'Large files: list, delete, copy',
    by: 'Hugging Face Hub',
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
    note: 'Uploads in one piece or in parts. The repo name may end in `.git`',
    tests: [
      'contract/hub-lfs.test.ts',
      'compat/git-lfs.test.ts',
      'compat/huggingface-hub-js-files.test.ts',
      'compat/huggingface-hub-python.test.ts',
    ],
  },
  {
    name: 'Uploads',
    by: 'Hugging Face Hub',
    routes: [
      'POST /api/validate-yaml',
      'POST /api/{types}/{namespace}/{name}/preupload/{path}',
      'POST /api/{types}/{namespace}/{name}/commit/{path}',
    ],
    status: 'full',
    note: 'A commit is NDJSON, or one JSON object of up to 24 MiB. Files over 10 MiB and binary files over 100 KiB must use Git LFS. A commit can open a pull request. README metadata is checked: license, language (any three-letter code is accepted), base_model (format only), datasets, model-index, tags and the appearance of a Space',
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
    by: 'Hugging Face Hub',
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
    note: 'Tag messages are not stored',
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
    note: 'Clone, fetch and push over HTTP, with git 2.25 or newer installed. No SSH',
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
    by: 'Hugging Face Hub',
    routes: [
      'GET /{name}',
      'GET /{namespace}/{name}',
      'GET /datasets/{namespace}/{name}',
      'GET /spaces/{namespace}/{name}',
    ],
    status: 'partial',
    note: 'Basic pages for browsers (`Accept: text/html`) that link to the dashboard',
    tests: ['contract/hub-pages.test.ts'],
  },
  {
    name: 'Settings pages',
    by: 'Hugging Face Hub',
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
    note: 'Each redirects to its dashboard page',
    tests: ['contract/pages.test.ts', 'contract/dashboard.test.ts', 'e2e/dashboard.spec.ts'],
  },
]

export const gaps: readonly Gap[] = [
  {
    name: 'Discussions and pull requests',
    requests: {
      'GET /api/datasets/acme/corpus/discussions': 501,
    },
    note: 'The Hub API routes are missing. `trigger` and the dashboard cause the same events',
  },
  {
    name: 'Collections, likes, gated access',
    requests: {
      'GET /api/collections': 501,
      'GET /api/users/alice/likes': 501,
      'GET /api/models/acme/gated/user-access-request/pending': 501,
    },
    note: 'Collections and access lists can be set in the fixtures',
  },
  {
    name: 'Overviews and members of users and organizations',
    requests: {
      'GET /api/users/alice/overview': 501,
      'GET /api/organizations/acme/members': 501,
    },
    note: 'Use userinfo or `whoami-v2`',
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
    note: '`run_uv_job` with a local script therefore fails: it uploads the script to a bucket',
  },
  {
    name: 'Git LFS locks, Xet',
    requests: {
      'POST /acme/corpus.git/info/lfs/locks': 501,
      'POST /acme/corpus.git/info/lfs/locks/verify': 501,
      'GET /api/models/acme/tagger/xet-write-token/main': 302,
    },
    note: 'With `hf_xet` installed, `huggingface_hub` 1.20 and newer upload large files only by Xet: set `HF_HUB_DISABLE_XET=1`. Older versions and the JavaScript client fall back to Git LFS. OpenDAL always writes by Xet, so it can only read, list and delete',
  },
  {
    name: 'Inference and inference endpoints',
    requests: {
      'POST /v1/chat/completions': 404,
      'GET /v2/endpoint/alice': 404,
    },
    note: 'Apps can still be granted the inference scopes',
  },
  {
    name: 'Revocation (RFC 7009), introspection (RFC 7662), end of session',
    requests: {
      'POST /oauth/revoke': 404,
      'POST /oauth/introspect': 404,
      'GET /oauth/logout': 404,
    },
    note: 'The Hub has none either',
  },
]
