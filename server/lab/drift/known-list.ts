import type { KnownDifference } from './known-differences.ts'

/** Operations of the Hub that the sandbox lacks. */
const notEmulated = (operations: readonly string[], what: string): KnownDifference => ({
  operations,
  kinds: ['missing operation'],
  reason: `Not emulated: ${what}`,
})

/** Operations that the document leaves out. */
const beyond = (operations: readonly string[], reason: string): KnownDifference => ({
  operations,
  kinds: ['extra operation'],
  reason,
})

const missing: readonly KnownDifference[] = [
  notEmulated(['* /api/organizations/{name}/scim*'], 'provisioning of members (SCIM)'),
  notEmulated(['* /api/agentic/*'], 'accounts that agents open at partners'),
  notEmulated(
    ['* */billing/*', 'GET /api/settings/metrics/live'],
    'billing, for the sandbox has no prices that hold',
  ),
  notEmulated(['* /api/organizations/{name}/service-accounts*'], 'service accounts'),
  notEmulated(['* /api/blog/*', '* /api/posts/*'], 'blog articles and posts'),
  notEmulated(['* /api/papers*', 'GET /api/daily_papers', '* /api/settings/papers/*'], 'papers'),
  notEmulated(['GET /api/docs*'], 'search of the documentation'),
  notEmulated(['* */sql-console/*'], 'the SQL console of datasets'),
  notEmulated(['* /api/kernels*'], 'kernels'),
  notEmulated(['GET /api/datasets/{namespace}/{repo}/leaderboard'], 'leaderboards'),
  notEmulated(['GET */notebook/{rev}/{path}'], 'rendered notebooks'),
  notEmulated(
    ['* /api/notifications*', 'PATCH /api/settings/notifications', 'PATCH /api/settings/watch'],
    'notifications, and repos that a user watches by hand',
  ),
  notEmulated(['GET /api/settings/mcp'], 'the settings page of MCP'),
  notEmulated(['GET /api/registry/token', 'GET */jwt'], 'tokens for other services of the Hub'),
]

const extra: readonly KnownDifference[] = [
  beyond(
    ['* /.well-known/*', '* /oauth/*', '* /login', '* /logout', 'GET /avatars/{name}.svg'],
    'Sign-in: described by OpenID Connect and its RFCs, not by the document',
  ),
  beyond(
    [
      'GET /',
      'GET /settings/*',
      'GET /organizations/{name}/settings/*',
      'GET /{name}',
      'GET /{namespace}/{name}',
      'GET /*/{namespace}/{name}',
    ],
    'Pages for a browser',
  ),
  beyond(
    [
      '* */info/refs',
      '* */git-upload-pack',
      '* */git-receive-pack',
      '* */info/lfs/*',
      '* /api/xet/*',
    ],
    'git, Git LFS and Xet have protocols of their own',
  ),
  beyond(
    ['* /v1/*', '* /v2/*', '* /hf-inference/*', '* /inference-endpoints/*', 'POST /mcp'],
    'Other hosts of the Hub: inference providers, inference endpoints, container registry, MCP',
  ),
  beyond(
    [
      'GET /api/{types}',
      'GET /api/{types}/{namespace}/{name}',
      'GET /api/{types}/{namespace}/{name}/revision/{path}',
      'GET /api/{types}/{namespace}/{name}/auth-check*',
      'DELETE /api/repos/delete',
      'GET */raw/{path}',
      '* /api/{types}/{namespace}/{name}/like*',
      '* /api/{types}/{namespace}/{name}/discussions/{num}/comment/{commentId}/*',
      '* /api/collections/{namespace}/{slug}/upvote',
      'PATCH /api/collections/{namespace}/{slug}/items/{itemId}',
      '* /api/users/{username}/follow*',
      '* /api/organizations/{name}/follow*',
      'GET /api/organizations/{name}/overview',
      'POST /api/organizations/{name}/settings/tokens/revoke',
      'GET /api/spaces/*',
      '* /api/spaces/{namespace}/{name}/*',
      'POST /api/validate-yaml',
      'POST /api/settings/webhooks/{id}/disable',
      'GET /api/telemetry/{path}',
      'GET /api/whoami',
      'GET /api/buckets/{namespace}/{name}/tree',
      'GET /api/buckets/{namespace}/{name}/events',
      'GET /buckets/{namespace}/{name}/contents/{oid}',
    ],
    "The document leaves it out; the Hub's own clients call it",
  ),
]

const ofRepo = '/api/*/{namespace}/{repo}'

const inputs: readonly KnownDifference[] = [
  {
    operations: ['*'],
    kinds: ['narrower'],
    members: [
      '?redirect',
      '?recursive',
      '?expand',
      '?include_prs',
      '?download',
      '?xet',
      '?create_pr',
      '?hot_reload',
      '?raw',
      '?rewriteHistory',
      'body.expand',
      'body.private',
    ],
    reason: 'A flag whose type the document leaves open; clients send true and false',
  },
  {
    operations: ['*'],
    kinds: ['narrower'],
    members: ['body'],
    reason: 'The document marks no body as required; without one, nothing is asked for',
  },
  {
    operations: ['*'],
    members: ['body.resourceGroupId'],
    reason: 'Clients send null for no resource group; ids are read in upper case as well',
  },
  {
    operations: [`PUT ${ofRepo}/settings`, `POST ${ofRepo}/duplicate`],
    kinds: ['wider'],
    members: ['body.private'],
    reason: 'huggingface_hub sends null where the visibility does not change',
  },
  {
    operations: ['*'],
    kinds: ['narrower'],
    members: ['body.type', 'body.repos[].type', 'body.target.type'],
    reason: 'Not emulated: kernels',
  },
  {
    operations: [
      `POST ${ofRepo}/tag/{rev}`,
      `POST ${ofRepo}/discussions/*`,
      `POST ${ofRepo}/preupload/{rev}`,
      '* /api/collections/{namespace}/*/items/batch',
    ],
    kinds: ['narrower'],
    members: [
      'body',
      'body.message',
      'body.comment',
      'body.files[].path',
      'body.gitAttributes',
      'body.gitIgnore',
    ],
    reason: 'A limit of the sandbox, far above what clients send',
  },
  {
    operations: [
      `POST ${ofRepo}/tag/{rev}`,
      `POST ${ofRepo}/preupload/{rev}`,
      `POST ${ofRepo}/discussions/{num}/merge`,
    ],
    kinds: ['wider'],
    members: ['body', 'body.message', 'body.gitAttributes', 'body.gitIgnore'],
    reason: 'huggingface_hub sends null for an empty one',
  },
  {
    operations: [`POST ${ofRepo}/preupload/{rev}`],
    kinds: ['wider'],
    members: ['body.files[].sample', 'body.files[].size'],
    reason: 'Clients that stream a file leave them out',
  },
  {
    operations: [`POST ${ofRepo}/paths-info/{rev}`],
    kinds: ['wider'],
    members: ['body.expand'],
    reason: 'Clients leave it out, although the document requires it',
  },
  {
    operations: [`POST ${ofRepo}/lfs-files/duplicate`],
    kinds: ['wider'],
    members: ['body.files[].xetHash'],
    reason: 'huggingface_hub sends null for a file that did not come by Xet',
  },
  {
    operations: [`GET ${ofRepo}/commits/{rev}`],
    members: ['?expand*', '?cursor', '?p'],
    reason:
      'Clients write expand[] or one word, and follow the cursor of Link; a page below 0 has no meaning',
  },
  {
    operations: [`GET ${ofRepo}/discussions`],
    members: ['?p', '?author'],
    reason: 'A page below 0 has no meaning; names of fixtures may have a dot or an underscore',
  },
  {
    operations: [`GET ${ofRepo}/discussions/{num}`],
    members: ['?diff', 'diff'],
    reason: '@huggingface/hub and the pages of the Hub ask for the diff',
  },
  {
    operations: ['*'],
    kinds: ['extra input'],
    members: ['?cursor', '?limit', '?label', '?label[]'],
    reason: 'Pages and filters that the document names elsewhere; clients follow Link',
  },
  {
    operations: ['GET /api/scheduled-jobs/{namespace}'],
    kinds: ['wider'],
    members: ['?label'],
    reason: 'One label or several, as in the list of jobs',
  },
  {
    operations: ['GET /api/users/{username}/likes'],
    members: ['?limit', '?cursor'],
    reason: 'Pages of 100; a cursor is what Link has',
  },
  {
    operations: ['GET /api/collections'],
    members: ['?expand', '?owner'],
    reason:
      'The document does not say what expand leaves out; an owner as an object has no use in a query',
  },
  {
    operations: ['*'],
    kinds: ['wider'],
    members: ['?email', '?after', '?before', 'body.gatedNotificationsEmail'],
    reason: 'The same form in other words',
  },
  {
    operations: [
      '* /api/scheduled-jobs/{namespace}*',
      'POST /api/settings/webhooks*',
      'POST /api/jobs/{namespace}',
      'PUT /api/spaces/{namespace}/{repo}/volumes',
      'POST /api/repos/create',
      `POST ${ofRepo}/duplicate`,
    ],
    kinds: ['wider'],
    members: ['body.schedule', 'body.secret', 'body.hardware', 'body.license', '*.mountPath'],
    reason: 'Checked by its own rule, which names the values or the mistake',
  },
  {
    operations: ['* /api/scheduled-jobs/{namespace}*'],
    kinds: ['narrower'],
    members: ['body.schedule'],
    reason: 'A limit of the sandbox, far above what clients send',
  },
  {
    operations: ['POST /api/repos/create', `POST ${ofRepo}/duplicate`],
    members: ['body.sleepTimeSeconds', 'body.storageTier', 'body.devModeEnabled', 'body.hardware'],
    reason:
      'huggingface_hub sends -1 for never, a storage tier and dev mode; without hardware a Space has the free one',
  },
  {
    operations: ['POST /api/settings/webhooks*'],
    members: [
      'body.domains',
      'body.domains[]',
      'body.watched',
      'body.watched[].name',
      'body.secrets',
    ],
    reason:
      'huggingface_hub leaves domains out, sends an empty list of watched items for no change, and its command line writes discussions; an empty name watches nothing; secrets are those of a copied job',
  },
  {
    operations: [
      'POST /api/jobs/{namespace}',
      'POST /api/scheduled-jobs/{namespace}',
      'POST /api/settings/webhooks*',
    ],
    kinds: ['wider'],
    members: ['body.flavor', 'body.jobSpec.flavor', 'body.job.flavor'],
    reason: 'Without a flavor, cpu-basic: webhooks of fixtures and older clients leave it out',
  },
  {
    operations: ['POST /api/credentials/revoke'],
    members: ['body.credentials[]'],
    reason: 'OAuth access tokens are longer than 200 characters here, and should be revoked, too',
  },
  {
    operations: ['PATCH /api/organizations/{name}/settings/network-security'],
    kinds: ['narrower', 'wider'],
    members: ['body.allowedContents*', 'body.blockedContents*', 'body.ipRanges*'],
    reason: 'Limits far above what an organization has; ranges in the same form in other words',
  },
  {
    operations: ['* /api/quicksearch'],
    kinds: ['missing input'],
    members: [
      '*discussion*',
      '*includeInvitees',
      '*lang',
      '*library',
      '*pipelines',
      '*repoName',
      '*repoType',
      '*spacesTags',
    ],
    reason: 'Not emulated: a search by task, library, language or tags, or for people to mention',
  },
  {
    operations: ['* /api/quicksearch'],
    members: ['*exclude', '*limit', '*orgsFilter', '*reposFilter', '*type'],
    reason: 'A query has one value or several; the document names no default and no empty list',
  },
  {
    operations: ['POST /api/inference-endpoints/*'],
    members: ['?own', '?is_creator', '?creator_id', '?incur_cost', '?repo_id'],
    reason: 'Asked by a service of the Hub about limits that the sandbox does not have',
  },
  {
    operations: ['POST /oauth/device'],
    members: ['body', 'body.client_id', 'body.client_secret'],
    reason:
      'The form is checked by its own rule (RFC 8628 §3.1), and refused in the words of the RFC',
  },
  {
    operations: ['PATCH /api/organizations/{name}/resource-groups/*'],
    members: ['body.spendLimits'],
    reason: 'Not emulated: billing, for the sandbox has no prices that hold',
  },
  {
    operations: ['PATCH /api/collections/*', '* /api/collections/{namespace}/*/items/batch'],
    members: ['body.gating', 'body[].data.gallery'],
    reason: 'Not emulated: gates of collections, galleries of items',
  },
  {
    operations: [
      '* /api/buckets/{namespace}/{repo}*',
      'GET /buckets/{namespace}/{repo}/resolve/{path}',
    ],
    members: [
      '?expand',
      '?noContentDisposition',
      'body.expand',
      'body.visibility',
      'body.cdnRegions',
    ],
    reason: 'Clients send what they send for repos; a bucket without CDN regions has none',
  },
  {
    operations: [
      'GET *resolve*',
      `GET ${ofRepo}/xet-write-token/{rev}`,
      `POST ${ofRepo}/preupload/{rev}`,
    ],
    kinds: ['extra input'],
    members: ['?download', '?create_pr'],
    reason: "The Hub's own pages and clients send it",
  },
  {
    operations: [`POST ${ofRepo}/user-access-request/*`],
    kinds: ['extra input'],
    members: ['body.requestId', 'body.requests[].requestId'],
    reason: 'The refusal of the Hub names requestId as a way to name a request',
  },
]

const responses: readonly KnownDifference[] = [
  {
    operations: [`GET ${ofRepo}/tree/{rev}/{path}`],
    kinds: ['extra member'],
    members: ['[].path'],
    reason: 'The document forgets the path, without which no client could read a tree',
  },
  {
    operations: [`* ${ofRepo}/discussions/*`],
    kinds: ['extra member'],
    members: ['events[].data.history', 'newMessage.data.history'],
    reason: 'huggingface_hub reads the earlier versions of a comment',
  },
  {
    operations: [`GET ${ofRepo}/user-access-request/{status}`],
    kinds: ['extra member'],
    members: ['[].requestId'],
    reason: 'The refusal of the Hub names requestId as a way to name a request',
  },
  {
    operations: ['GET *user-access-report'],
    kinds: ['type'],
    reason: 'The document calls the JSON file of the report a text',
  },
  {
    operations: ['* /oauth/userinfo'],
    kinds: ['extra member'],
    members: ['organizations'],
    reason: 'The name of orgs in the documentation of OAuth; both are sent',
  },
  {
    operations: [
      'GET /api/jobs/{namespace}/{jobId}/metrics',
      'GET /api/collections/{namespace}/*/resource-group',
    ],
    kinds: ['not called'],
    reason: 'The tour has no job that runs; and reads no resource group of a collection',
  },
]

/**
 * Differences from the OpenAPI document of August 2026 that stay, each with its reason. An entry that no difference needs
 * any more is reported.
 */
export const knownDifferences: readonly KnownDifference[] = [
  ...missing,
  ...extra,
  ...inputs,
  ...responses,
]
