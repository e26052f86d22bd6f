/** Feature of the Hub that the sandbox emulates. */
export interface CoveredFeature {
  name: string
  /** RFC or other specification of its behavior. */
  by: string
  /** Feature of its rows in the tables of the Hub, `hubApi` and `siteApi`. */
  feature: string
  status: 'full' | 'partial'
  /** Missing parts, limits and peculiarities. */
  note?: string
  /** Files below `test/`; each of its routes is called by at least one of them. */
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
    feature: 'discovery',
    status: 'full',
    note: '`scopes_supported` and `claims_supported` are sent with `--strict` only. The metadata of the Hub has neither, and a client that reads them would work here and not there; a checker of the standards expects them. The metadata of the MCP server (RFC 9728) lists its scopes always, as the Hub does',
    tests: [
      'contract/oauth-metadata.test.ts',
      'contract/guards.test.ts',
      'compat/oauth4webapi.test.ts',
    ],
  },
  {
    name: 'Authorization code with PKCE, consent page',
    by: 'RFC 6749 §4.1, RFC 7636, OpenID Connect Core',
    feature: 'authorization',
    status: 'full',
    note: 'Supports `orgIds`, `prompt`, `max_age`, `id_token_hint` and `login_hint`. Redirect URIs follow RFC 8252. Unknown scopes are left out; without a known one, `invalid_scope`. A frame of another site, such as that of an app on another port, finds no session',
    tests: [
      'contract/oauth-authorize.test.ts',
      'contract/openid-conformance.test.ts',
      'contract/oauth-resource.test.ts',
      'unit/hub/oauth/redirect-uri.test.ts',
      'compat/oauth4webapi.test.ts',
    ],
  },
  {
    name: 'Token endpoint: code, refresh, device code, token exchange, trusted publishers',
    by: 'RFC 6749, RFC 8628, RFC 8693',
    feature: 'token',
    status: 'partial',
    note: 'Of trusted publishers are missing: kernels, buckets, read-only publishers, calls of inference providers. Tokens of a repo read and commit; they open no discussions',
    tests: [
      'contract/oauth-token.test.ts',
      'contract/ci-identity.test.ts',
      'unit/hub/oauth/matrix.test.ts',
    ],
  },
  {
    name: 'Device authorization and its page',
    by: 'RFC 8628',
    feature: 'device',
    status: 'full',
    tests: ['contract/oauth-device.test.ts', 'e2e/device.spec.ts'],
  },
  {
    name: 'Userinfo',
    by: 'OpenID Connect Core §5.3',
    feature: 'userinfo',
    status: 'full',
    tests: ['contract/oauth-userinfo.test.ts'],
  },
  {
    name: 'Client registration',
    by: 'RFC 7591',
    feature: 'registration',
    status: 'full',
    note: 'A client ID that is an https URL is read as a client metadata document',
    tests: [
      'contract/oauth-register.test.ts',
      'unit/hub/oauth/metadata-document.test.ts',
      'compat/mcp-sdk.test.ts',
      'compat/mcp-python.test.ts',
    ],
  },
  {
    name: 'MCP server',
    by: 'MCP 2025-11-25, RFC 9728',
    feature: 'mcp',
    status: 'partial',
    note: 'Five tools over the data of the sandbox; no streams, sessions, prompts and resources',
    tests: ['contract/mcp.test.ts', 'compat/mcp-server.test.ts', 'compat/mcp-conformance.test.ts'],
  },
  {
    name: 'Sign-in page, sign-out',
    by: 'Hugging Face Hub',
    feature: 'sign-in',
    status: 'full',
    tests: ['contract/login.test.ts'],
  },
  {
    name: 'Identity of any token',
    by: 'Hugging Face Hub',
    feature: 'identity',
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
    feature: 'clients',
    status: 'full',
    note: 'The list of agents is empty. Reports are dropped',
    tests: ['contract/client-calls.test.ts', 'compat/huggingface-hub-python.test.ts'],
  },
  {
    name: 'Token revocation by report and by an organization',
    by: 'Hugging Face Hub',
    feature: 'credentials',
    status: 'full',
    tests: ['contract/organizations.test.ts'],
  },
  {
    name: 'Audit log of an organization',
    by: 'Hugging Face Hub',
    feature: 'audit log',
    status: 'partial',
    note: 'Records token exchanges, revocations, changes of roles and of resource groups only',
    tests: ['contract/organizations.test.ts'],
  },
  {
    name: 'Webhooks',
    by: 'Hugging Face Hub',
    feature: 'webhooks',
    status: 'full',
    note: 'Payload version 3. Retries follow the delivery profile',
    tests: [
      'contract/webhooks.test.ts',
      'contract/jobs.test.ts',
      'unit/hub/webhooks/engine.test.ts',
      'unit/web/outgoing/post-delivery.test.ts',
      'compat/huggingface-hub-python.test.ts',
    ],
  },
  {
    name: 'Jobs',
    by: 'Hugging Face Hub',
    feature: 'jobs',
    status: 'partial',
    note: 'A job runs only if `--run-jobs` names a command for its image or Space. `--run-jobs-env` allows environment variables. Volumes are folders then, and `JOB_VOLUMES` says where. Ports and SSH are accepted and ignored. Metrics are those of the process, on Linux; network and GPUs are not measured. `huggingface_hub` before 1.3 calls jobs at huggingface.co whatever `HF_ENDPOINT` says: use `exec --intercept --proxy`',
    tests: ['contract/jobs.test.ts', 'contract/job-volumes.test.ts'],
  },
  {
    name: 'Logs, search and ZeroGPU quota of Spaces',
    by: 'Hugging Face Hub',
    feature: 'space logs',
    status: 'partial',
    note: 'No Space is built or run: its logs say so, and the whole quota is left. The search compares words, not meanings',
    tests: ['contract/space-search.test.ts', 'compat/spaces-python.test.ts'],
  },
  {
    name: 'Scheduled jobs',
    by: 'Hugging Face Hub',
    feature: 'scheduled jobs',
    status: 'full',
    note: 'Schedules are in UTC and follow the sandbox clock. As with Kubernetes’ CronJob, one run replaces all that were missed while the clock was moved or the sandbox was stopped, and one that is due during another is skipped unless `concurrency` is set. At most 100 for each user or organization',
    tests: ['contract/scheduled-jobs.test.ts', 'compat/scheduled-jobs.test.ts'],
  },
  {
    name: 'Inference: chat completions, embeddings, models',
    by: 'Hugging Face Hub',
    feature: 'inference',
    status: 'partial',
    note: 'No model runs: `inference.rules` of the fixtures decide what models respond; without a rule they repeat the last message. Embeddings are hashes of the words. At most 256 texts of 8,192 tokens, completions of 16,384 tokens and stop texts of 200 characters. On the Hub these paths are at `https://router.huggingface.co`, which `exec --intercept` can redirect. No images, audio and other tasks',
    tests: ['contract/hub-inference.test.ts', 'compat/inference-clients.test.ts'],
  },
  {
    name: 'Inference endpoints',
    by: 'Hugging Face Hub',
    feature: 'inference endpoints',
    status: 'partial',
    note: 'Three seconds after its start on the sandbox clock an endpoint is running; its URL is below the sandbox and responds as `inference.rules` say. On the Hub the API is at `https://api.endpoints.huggingface.cloud`, which `exec --intercept` can redirect; `huggingface_hub` has that URL in `constants.INFERENCE_ENDPOINTS_ENDPOINT`. At most 100 endpoints for each user or organization',
    tests: ['contract/hub-endpoints.test.ts', 'compat/inference-endpoints.test.ts'],
  },
  {
    name: 'Repos',
    by: 'Hugging Face Hub',
    feature: 'repos',
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
    feature: 'spaces',
    status: 'partial',
    note: 'A Space on free hardware sleeps after 48 hours of the sandbox clock without a change, restart or visit of its page. Changes show at once, but nothing runs: a restart builds nothing, and volumes are not mounted. The values of secrets are not stored. There are no templates. An app that runs on this machine can be shown in [a frame](../lab/frames/README.md), as the Hub does',
    tests: [
      'contract/hub-spaces.test.ts',
      'contract/space-frames.test.ts',
      'unit/hub/spaces.test.ts',
      'compat/huggingface-hub-python.test.ts',
    ],
  },
  {
    name: 'Avatars',
    by: 'hub-sandbox',
    feature: 'avatars',
    status: 'full',
    note: 'Generated from the name',
    tests: ['contract/pages.test.ts'],
  },
  {
    name: 'Files: folders, path lookup, downloads',
    by: 'Hugging Face Hub',
    feature: 'files',
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
    name: 'Large files: Xet',
    by: 'Hugging Face Hub',
    feature: 'xet',
    status: 'full',
    note: 'The storage is another server on the Hub',
    tests: [
      'contract/xet.test.ts',
      'contract/xet-edits.test.ts',
      'contract/xet-bad-input.test.ts',
      'compat/huggingface-hub-python-xet.test.ts',
    ],
  },
  {
    name: 'Buckets',
    by: 'Hugging Face Hub',
    feature: 'buckets',
    status: 'partial',
    note: 'A rename or transfer is `POST /api/repos/move` with the type `bucket`. An export holds the files of all buckets up to 8 MiB, and names those that it leaves out',
    tests: [
      'contract/hub-buckets.test.ts',
      'contract/bucket-events.test.ts',
      'compat/buckets.test.ts',
    ],
  },
  {
    name: 'Large files: list, delete, copy',
    by: 'Hugging Face Hub',
    feature: 'large files',
    status: 'full',
    tests: ['contract/hub-lfs-files.test.ts', 'compat/huggingface-hub-python.test.ts'],
  },
  {
    name: 'Git LFS',
    by: 'Git LFS batch API',
    feature: 'lfs',
    status: 'full',
    note: 'Uploads in one piece or in parts; locks. The repo name may end in `.git`',
    tests: [
      'contract/hub-lfs-locks.test.ts',
      'contract/hub-lfs.test.ts',
      'compat/git-lfs.test.ts',
      'compat/huggingface-hub-js-files.test.ts',
      'compat/huggingface-hub-python.test.ts',
    ],
  },
  {
    name: 'Uploads',
    by: 'Hugging Face Hub',
    feature: 'uploads',
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
    feature: 'refs',
    status: 'partial',
    note: 'Tag messages are not stored',
    tests: ['contract/hub-refs.test.ts', 'compat/huggingface-hub-js-files.test.ts'],
  },
  {
    name: 'Git over HTTP',
    by: 'git: gitprotocol-http, gitprotocol-v2',
    feature: 'git',
    status: 'full',
    note: 'Clone, fetch and push over HTTP, with git 2.25 or newer installed. No SSH',
    tests: [
      'contract/git.test.ts',
      'contract/described-responses.test.ts',
      'compat/git.test.ts',
      'compat/git-push.test.ts',
      'unit/hub/pushes.test.ts',
      'unit/hub/git/upload-pack.test.ts',
    ],
  },
  {
    name: 'Pages of users, organizations, repos and buckets',
    by: 'Hugging Face Hub',
    feature: 'pages',
    status: 'partial',
    note: 'Basic pages for browsers (`Accept: text/html`) that link to the dashboard',
    tests: ['contract/hub-pages.test.ts'],
  },
  {
    name: 'Settings pages',
    by: 'Hugging Face Hub',
    feature: 'settings pages',
    status: 'full',
    note: 'Each redirects to its dashboard page',
    tests: ['contract/pages.test.ts', 'contract/dashboard.test.ts', 'e2e/dashboard.spec.ts'],
  },
  {
    name: 'Discussions and pull requests',
    by: 'Hugging Face Hub',
    feature: 'discussions',
    status: 'partial',
    note: 'Lists are sorted by number or by reactions, not by trend. After a restart, a closed pull request whose ref was deleted can have an empty diff. Comments of more than 5,000 characters are not rendered as Markdown in `html`',
    tests: [
      'contract/hub-discussions.test.ts',
      'unit/hub/discussions.test.ts',
      'unit/hub/pull-requests.test.ts',
      'contract/hub-reactions.test.ts',
      'contract/hub-pull-request-refs.test.ts',
      'compat/huggingface-hub-python-community.test.ts',
    ],
  },
  {
    name: 'Collections',
    by: 'Hugging Face Hub',
    feature: 'collections',
    status: 'partial',
    note: 'Galleries of items and gates of collections are missing. Lists are sorted by the latest change or by upvotes, not by trend. Any id of the form of a paper is accepted',
    tests: ['contract/hub-collections.test.ts', 'compat/huggingface-hub-python-community.test.ts'],
  },
  {
    name: 'Access requests of gated repos',
    by: 'Hugging Face Hub',
    feature: 'access',
    status: 'full',
    note: 'The page of a repo shows the form of its README (`extra_gated_prompt`, `extra_gated_fields` and others); each question needs an answer. Further answers are kept',
    tests: [
      'contract/hub-access-requests.test.ts',
      'compat/huggingface-hub-python-community.test.ts',
    ],
  },
  {
    name: 'Likes',
    by: 'Hugging Face Hub',
    feature: 'likes',
    status: 'full',
    note: 'No scope lets an app like a repo. The number of likes can be higher in the fixtures than that of the users who like the repo',
    tests: ['contract/hub-likes.test.ts', 'compat/huggingface-hub-python-community.test.ts'],
  },
  {
    name: 'Roles of members, resource groups',
    by: 'Hugging Face Hub',
    feature: 'organizations',
    status: 'partial',
    note: 'Custom roles, automatic joining and spend limits are missing',
    tests: ['contract/hub-roles.test.ts'],
  },
  {
    name: 'Users and organizations: overviews, followers, members, avatars',
    by: 'Hugging Face Hub',
    feature: 'people',
    status: 'partial',
    note: 'Papers, social handles and hardware are missing. The `email` of a member is found whatever its domain',
    tests: ['contract/hub-people.test.ts', 'compat/huggingface-hub-python-community.test.ts'],
  },
]

export const gaps: readonly Gap[] = [
  {
    name: 'Hardware and catalog of inference endpoints',
    requests: { 'GET /v2/provider/alice': 404 },
    note: '',
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
