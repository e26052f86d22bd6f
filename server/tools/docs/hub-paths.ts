import { own } from '../../core/own.ts'
// cspell:words treesize quicksearch scim
// Methods and paths of the hub's own OpenAPI document (/.well-known/openapi.md, 2026), without shapes.

const types = ['models', 'datasets', 'spaces'] as const

/** Below `/api/{type}/{namespace}/{repo}/`. */
const ofEachRepo = `
GET treesize/{rev}/{path}, GET lfs-files, POST lfs-files/batch, DELETE lfs-files/{sha}, GET commits/{rev}, GET refs,
GET compare/{compare}, POST paths-info/{rev}, POST preupload/{rev}, GET xet-write-token/{rev}, GET xet-read-token/{rev},
POST commit/{rev}, POST tag/{rev}, DELETE tag/{rev}, POST branch/{rev}, DELETE branch/{rev}, GET resource-group,
POST resource-group, POST super-squash/{rev}, PUT settings, GET tree/{rev}/{path}, GET notebook/{rev}/{path}, GET scan, GET jwt`
const ofGatedRepos = `
POST user-access-request/cancel, GET user-access-request/{status}, POST user-access-request/handle,
POST user-access-request/batch, POST user-access-request/grant`
const ofSpaces = `
POST secrets, DELETE secrets, GET secrets, POST variables, DELETE variables, GET variables, PUT volumes, DELETE volumes,
GET logs/{logType}, GET events, GET metrics`

/** Below `/api/{repoType}/{namespace}/{repo}/`. */
const ofAnyRepo = `
PATCH sql-console/embed/{id}, DELETE sql-console/embed/{id}, POST sql-console/embed, GET discussions, POST discussions,
GET discussions/{num}, DELETE discussions/{num}, POST discussions/{num}/comment, POST discussions/{num}/status,
POST discussions/{num}/title, POST discussions/{num}/pin, POST discussions/{num}/merge, DELETE discussions/{num}/ref,
GET discussions/{num}/storage, POST duplicate`

const ofScim = `
GET Users, POST Users, GET Users/{userId}, PATCH Users/{userId}, PUT Users/{userId}, DELETE Users/{userId}, GET Groups,
POST Groups, GET Groups/{groupId}, PUT Groups/{groupId}, PATCH Groups/{groupId}, DELETE Groups/{groupId}`

const others = `
GET /api/whoami-v2, GET /api/models-tags-by-type, GET /api/datasets-tags-by-type, GET /api/trending,
GET /{namespace}/{repo}/resolve/{rev}/{path}, GET /datasets/{namespace}/{repo}/resolve/{rev}/{path},
GET /spaces/{namespace}/{repo}/resolve/{rev}/{path}, GET /api/resolve-cache/models/{namespace}/{repo}/{rev}/{path},
GET /api/resolve-cache/datasets/{namespace}/{repo}/{rev}/{path}, GET /api/resolve-cache/spaces/{namespace}/{repo}/{rev}/{path},
POST /{namespace}/{repo}/ask-access, POST /datasets/{namespace}/{repo}/ask-access,
GET /{namespace}/{repo}/user-access-report, GET /datasets/{namespace}/{repo}/user-access-report,
GET /api/kernels/{namespace}/{repo}, GET /api/kernels/{namespace}/{repo}/revision/{rev},
GET /api/datasets/{namespace}/{repo}/leaderboard, POST /api/blog/{slug}/comment, POST /api/blog/{slug}/comment/{commentId}/reply,
POST /api/blog/{namespace}/{slug}/comment, POST /api/blog/{namespace}/{slug}/comment/{commentId}/reply,
POST /api/papers/{paperId}/comment, POST /api/papers/{paperId}/comment/{commentId}/reply,
DELETE /api/posts/{username}/{postSlug}, POST /api/posts/{username}/{postSlug}/comment,
POST /api/posts/{username}/{postSlug}/comment/{commentId}/reply, GET /api/spaces/hardware, GET /api/quicksearch,
POST /api/quicksearch, POST /api/repos/create, POST /api/repos/move, GET /api/settings/mcp, GET /api/settings/repositories,
GET /api/settings/billing/usage, GET /api/settings/billing/usage-v2, GET /api/settings/billing/usage/jobs,
GET /api/settings/billing/usage/live, GET /api/users/{username}/billing/usage/live, GET /api/users/{username}/overview,
GET /api/users/{username}/socials, GET /api/users/{username}/avatar, GET /api/avatars/{namespace},
POST /api/organizations/{name}/settings/tokens/revoke, GET /api/organizations/{name}/settings/repositories,
GET /api/organizations/{name}/audit-log/export, GET /api/organizations/{name}/settings/network-security,
PATCH /api/organizations/{name}/settings/network-security, GET /api/organizations/{name}/avatar,
GET /api/organizations/{name}/members, PUT /api/organizations/{name}/members/{username}/role,
GET /api/organizations/{name}/billing/usage, GET /api/organizations/{name}/billing/usage-v2,
GET /api/organizations/{name}/billing/usage/live, GET /api/organizations/{name}/socials,
GET /api/organizations/{name}/resource-groups, POST /api/organizations/{name}/resource-groups, GET /api/jobs/hardware,
GET /api/jobs/{namespace}, POST /api/jobs/{namespace}, GET /api/jobs/{namespace}/count, GET /api/jobs/{namespace}/{jobId},
GET /api/jobs/{namespace}/{jobId}/logs, GET /api/jobs/{namespace}/{jobId}/metrics, GET /api/jobs/{namespace}/{jobId}/events,
POST /api/jobs/{namespace}/{jobId}/cancel, POST /api/jobs/{namespace}/{jobId}/duplicate,
PUT /api/jobs/{namespace}/{jobId}/labels, POST /api/scheduled-jobs/{namespace}, GET /api/scheduled-jobs/{namespace},
GET /api/scheduled-jobs/{namespace}/{jobId}, DELETE /api/scheduled-jobs/{namespace}/{jobId},
POST /api/scheduled-jobs/{namespace}/{jobId}/suspend, POST /api/scheduled-jobs/{namespace}/{jobId}/resume,
POST /api/scheduled-jobs/{namespace}/{jobId}/run, POST /api/scheduled-jobs/{namespace}/{jobId}/schedule,
PUT /api/scheduled-jobs/{namespace}/{jobId}/labels, POST /api/settings/papers/claim, GET /api/daily_papers, GET /api/papers,
GET /api/papers/search, POST /api/papers/index, POST /api/papers/{paperId}/links, GET /api/collections/{namespace}/{slug}-{id},
PATCH /api/collections/{namespace}/{slug}-{id}, DELETE /api/collections/{namespace}/{slug}-{id},
GET /api/collections/{namespace}/{slug}, PATCH /api/collections/{namespace}/{slug}, DELETE /api/collections/{namespace}/{slug},
POST /api/collections/{namespace}/{slug}-{id}/items, POST /api/collections/{namespace}/{slug}/items,
POST /api/collections/{namespace}/{slug}-{id}/items/batch, POST /api/collections/{namespace}/{slug}/items/batch,
DELETE /api/collections/{namespace}/{slug}-{id}/items/{itemId}, DELETE /api/collections/{namespace}/{slug}/items/{itemId},
POST /api/collections, GET /api/collections, GET /api/buckets/{namespace}/{repo}/xet-write-token,
GET /api/buckets/{namespace}/{repo}/xet-read-token, POST /api/buckets/{namespace}/{repo}/resource-group,
GET /api/buckets/{namespace}/{repo}/resource-group, POST /api/buckets/{namespace}/{repo}, DELETE /api/buckets/{namespace}/{repo},
GET /api/buckets/{namespace}/{repo}, PUT /api/buckets/{namespace}/{repo}/settings, GET /api/buckets/{namespace},
GET /buckets/{namespace}/{repo}/resolve/{path}, POST /api/buckets/{namespace}/{repo}/batch,
GET /api/buckets/{namespace}/{repo}/tree/{path}, POST /api/buckets/{namespace}/{repo}/paths-info, GET /api/notifications,
DELETE /api/notifications, POST /api/notifications/mark-as-read, PATCH /api/settings/notifications, PATCH /api/settings/watch,
POST /api/inference-endpoints/{namespace}/auth-check/{perms}, POST /api/inference-endpoints/{namespace}/{endpoint}/auth-check/{perms},
POST /oauth/register, POST /oauth/device, GET /oauth/userinfo, POST /oauth/userinfo, GET /api/docs, GET /api/docs/search,
GET /api/docs/search/full-text, GET /api/settings/webhooks, POST /api/settings/webhooks, GET /api/settings/webhooks/{webhookId},
POST /api/settings/webhooks/{webhookId}, DELETE /api/settings/webhooks/{webhookId},
POST /api/settings/webhooks/{webhookId}/{action}, POST /api/settings/webhooks/{webhookId}/replay/{logId},
GET /api/organizations/{name}/scim/v2/ServiceProviderConfig, GET /api/organizations/{name}/scim/v2/ResourceTypes,
GET /api/organizations/{name}/scim/v2/Schemas, GET /api/organizations/{name}/scim/v2/Schemas/{schemaId},
GET /api/agentic/provisioning/health, GET /api/agentic/provisioning/services, POST /api/agentic/provisioning/account_requests,
POST /api/agentic/provisioning/resources, GET /api/agentic/provisioning/resources/{id},
POST /api/agentic/provisioning/resources/{id}/update_service, POST /api/agentic/provisioning/resources/{id}/remove,
POST /api/agentic/provisioning/resources/{id}/rotate_credentials, POST /api/agentic/provisioning/deep_links`

/** Operations of the hub's document: `GET /api/whoami-v2`, each once. */
export const hubOperations: readonly string[] = [
  ...types.flatMap((type) => below(`/api/${type}/{namespace}/{repo}/`, ofEachRepo)),
  ...below('/api/models/{namespace}/{repo}/', ofGatedRepos),
  ...below('/api/datasets/{namespace}/{repo}/', ofGatedRepos),
  ...below('/api/spaces/{namespace}/{repo}/', ofSpaces),
  ...below('/api/{repoType}/{namespace}/{repo}/', ofAnyRepo),
  ...below('/api/organizations/{name}/scim/v2/', ofScim),
  ...below('/api/organizations/{name}/scim-provisioning/v2/', ofScim),
  ...below('', others),
]

/** Values of parameters that the sandbox has separate routes for. */
const examples: Readonly<Record<string, string>> = {
  repoType: 'models',
  action: 'enable',
  status: 'pending',
}

/**
 * Returns the operations of the hub's document that one of the routes handles.
 * @param routes method and path of each, parameters in braces; a last `{path}` stands for several segments
 */
export function handledOperations(routes: readonly string[]): string[] {
  const patterns = routes.map(patternOf)
  return hubOperations.filter((operation) => {
    const example = operation.replaceAll(
      /\{(\w+)\}/g,
      (_, name: string) => own(examples, name) ?? 'x',
    )
    return patterns.some((pattern) => pattern.test(example))
  })
}

function patternOf(route: string): RegExp {
  const pattern = route
    .replaceAll('.', String.raw`\.`)
    .replaceAll('{types}', `(?:${types.join('|')})`)
    .replace(/\{path\}$/, '.+')
    .replaceAll(/\{\w+\}/g, '[^/]+')
  return new RegExp(`^${pattern}$`)
}

function below(prefix: string, list: string): string[] {
  return list
    .split(',')
    .map((entry) => entry.trim())
    .map((entry) => entry.replace(' ', ` ${prefix}`))
}
