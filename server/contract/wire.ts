import { type TSchema, Type } from 'typebox'
import { Empty, Media, NoBody, refusals } from './control.ts'
import {
  BucketAnswer,
  BucketBatchAnswer,
  BucketListAnswer,
  BucketPathsAnswer,
  BucketSettingsAnswer,
  BucketTreeAnswer,
  CreateBucketAnswer,
} from './hub-buckets.ts'
import {
  AgentHarnessesAnswer,
  AuditLogAnswer,
  AuditLogQuery,
  CopiedRepoAnswer,
  CredentialsBody,
  HardwareAnswer,
  hubAnswers,
  HubErrorBody,
  JobAnswer,
  JobCountAnswer,
  JobListAnswer,
  MadeRepoAnswer,
  OrganizationTokenBody,
  ReplayAnswer,
  RepoAnswer,
  RepoListAnswer,
  RepoSettingsAnswer,
  RepoStorageAnswer,
  RevokedAnswer,
  ScheduledJobAnswer,
  ScheduledJobListAnswer,
  SpaceRuntimeAnswer,
  SpaceSearchAnswer,
  SpaceSecretsAnswer,
  SpaceTemplatesAnswer,
  SpaceVariablesAnswer,
  TagsAnswer,
  WebhookAnswer,
  WebhookListAnswer,
  WhoamiAnswer,
  ZeroGpuQuotaAnswer,
} from './hub.ts'
import {
  CommitAnswer,
  CommitsAnswer,
  PathsInfoBody,
  PreuploadAnswer,
  RefsAnswer,
  SquashAnswer,
  TreeAnswer,
  ValidateYamlAnswer,
} from './hub-files.ts'
import {
  AccessReportAnswer,
  AccessRequestsAnswer,
  AskAccessForm,
  DecisionsAnswer,
} from './hub-gates.ts'
import { ChangedCollectionAnswer, CollectionAnswer, CollectionsAnswer } from './hub-collections.ts'
import {
  DiscussionAnswer,
  DiscussionsAnswer,
  NewMessageAnswer,
  NewStatusAnswer,
  NewTitleAnswer,
  OpenedDiscussionAnswer,
  PullRequestStorageAnswer,
  UpdatedCommentAnswer,
} from './hub-discussions.ts'
import { EndpointAnswer, EndpointHealthAnswer, EndpointListAnswer } from './hub-endpoints.ts'
import {
  ChatAnswer,
  EmbeddingsAnswer,
  FeatureExtractionAnswer,
  ModelsAnswer,
} from './hub-inference.ts'
import {
  GroupedRepoAnswer,
  RepoGroupAnswer,
  ResourceGroupAnswer,
  ResourceGroupsAnswer,
} from './hub-organizations.ts'
import {
  AvatarAnswer,
  LikesAnswer,
  MembersAnswer,
  OrganizationOverviewAnswer,
  PeopleAnswer,
  UserOverviewAnswer,
} from './hub-people.ts'
import {
  LfsBatchAnswer,
  LfsLockAnswer,
  LfsLockTakenAnswer,
  LfsLocksAnswer,
  LfsLocksVerifyAnswer,
  LfsDuplicationAnswer,
  LfsErrorAnswer,
  LfsFilesAnswer,
  lfsMediaType,
} from './hub-lfs.ts'
import {
  BatchReconstructionAnswer,
  FileChunkHashesAnswer,
  ReconstructionAnswer,
  ReconstructionV2Answer,
  ShardUploadAnswer,
  XetTokenAnswer,
  XorbUploadAnswer,
} from './hub-xet.ts'
import {
  JsonRpcMessage,
  JsonRpcResponse,
  McpQuery,
  ResourceMetadata,
  AuthorizationQuery,
  ConsentForm,
  DeviceAuthorizationForm,
  DeviceAuthorizationResponse,
  DeviceCodeForm,
  KeySet,
  LoginForm,
  LogoutForm,
  OAuthErrorBody,
  Page,
  Redirect,
  RegistrationAnswer,
  RegistrationRequest,
  ServerMetadata,
  CiExchange,
  TokenForm,
  TokenResponse,
  UserinfoAnswer,
} from './oauth.ts'

/** Shapes of a route, only for the OpenAPI document. */
export interface WireShapes {
  querystring?: TSchema
  form?: TSchema
  json?: TSchema
  /** Body of the media type in `contentMediaType`. */
  bytes?: TSchema
  response?: Record<string | number, TSchema>
}

const metadata = { response: { 200: ServerMetadata } }
const resourceMetadata = { response: { 200: ResourceMetadata } }
/** Pages need `Accept: text/html` and a valid page path. */
const NoPageBody = Type.Object({
  error: Type.String({ description: 'Error code if there is a message, else the message' }),
  message: Type.Optional(Type.String()),
})
const noPage = Type.Union([Page('HTML page for browsers'), NoPageBody], {
  description: 'Not found or not visible, or HTML is not accepted',
})
const repoPage = {
  response: {
    200: Page('Repo page'),
    307: Redirect('Redirect to the current name'),
    default: noPage,
  },
}
const userinfo = { response: { 200: UserinfoAnswer, default: OAuthErrorBody } }
/** Requests by a former name of a repo are redirected. */
const movable = (answer: TSchema) => ({
  response: {
    ...hubAnswers(answer).response,
    307: Media('text/plain', 'Redirect to the current name'),
  },
})
const repo = movable(RepoAnswer)
const webhook = hubAnswers(WebhookAnswer)
const job = hubAnswers(JobAnswer)
const ofRepo = '/api/:types(models|datasets|spaces)/:namespace/:name'
const ofDiscussion = `${ofRepo}/discussions/:num(\\d+)`
const scheduledJob = hubAnswers(ScheduledJobAnswer)
const ofScheduledJob = '/api/scheduled-jobs/:namespace/:id'
const endpoint = hubAnswers(EndpointAnswer)
const ofEndpoint = '/v2/endpoint/:namespace/:name'
const ofModelTask = '/hf-inference/models/:namespace/:name'
const ofSpace = '/api/spaces/:namespace/:name'
const runtime = movable(SpaceRuntimeAnswer)
const variables = movable(SpaceVariablesAnswer)
const askedAccess = {
  form: AskAccessForm,
  json: AskAccessForm,
  response: {
    303: Media('text/plain', 'Redirect to the repo'),
    307: Media('text/plain', 'Redirect to the current name'),
    default: HubErrorBody,
  },
}
const avatar = {
  response: {
    ...hubAnswers(AvatarAnswer).response,
    302: Media('text/plain', 'Redirect to the picture, for images and with `redirect`'),
  },
}
const nothingToTell = movable(Empty)
const file = {
  response: {
    200: Media('*/*', 'File content'),
    206: Media('*/*', 'Requested range'),
    304: NoBody('Not modified (If-None-Match)'),
    307: Media('text/plain', 'Redirect to the current name'),
    default: HubErrorBody,
  },
}
const resolved = {
  response: {
    302: Media(
      'text/plain',
      'File in Git LFS: `Location` is in the LFS storage and needs no token',
    ),
    304: NoBody('Not modified (If-None-Match)'),
    307: Media(
      'text/plain',
      'Regular file: `Location` is below `/api/resolve-cache/`; renamed repo: `Location` has the current name',
    ),
    default: HubErrorBody,
  },
}
const cachedFile = { response: { ...file.response, 302: resolved.response[302] } }
const gitText = Media('text/plain', 'Reason for the refusal')
/** Git documents its bodies itself. */
const git = (response: Record<string, TSchema>) => ({
  response: {
    ...response,
    307: Media('text/plain', 'Redirect to the current name'),
    default: gitText,
  },
})
const gitRefs = git({
  200: Media(
    'application/x-git-upload-pack-advertisement',
    'Refs or capabilities; for a push application/x-git-receive-pack-advertisement',
  ),
})
const gitPack = {
  bytes: Media('application/x-git-upload-pack-request', 'Request'),
  ...git({ 200: Media('application/x-git-upload-pack-result', 'Refs, or a pack') }),
}
const gitReport = {
  bytes: Media('application/x-git-receive-pack-request', 'Ref updates and a pack'),
  ...git({ 200: Media('application/x-git-receive-pack-result', 'Result for each ref') }),
}
const lfsAnswers = (answer: TSchema) => ({
  response: {
    200: { ...answer, contentMediaType: lfsMediaType },
    default: { ...LfsErrorAnswer, contentMediaType: lfsMediaType },
  },
})
const lfsAsked = (answer: TSchema) => ({
  response: {
    ...lfsAnswers(answer).response,
    307: Media('text/plain', 'Redirect to the current name'),
  },
})
const lfsContent = {
  response: {
    200: Media('application/octet-stream', 'Content'),
    206: Media('application/octet-stream', 'Requested range'),
    304: NoBody('Not modified (If-None-Match)'),
    default: lfsAnswers(Empty).response.default,
  },
}
const lfsTaken = {
  bytes: Media('application/octet-stream', 'Content or part, of any type'),
  response: {
    200: NoBody('Stored; `ETag` identifies a part of known length'),
    default: lfsAnswers(Empty).response.default,
  },
}
const lfsShapes = (ofWebRepo: string): Record<string, WireShapes> => ({
  [`POST ${ofWebRepo}/info/lfs/objects/batch`]: lfsAsked(LfsBatchAnswer),
  [`PUT ${ofWebRepo}/info/lfs/objects/:oid`]: lfsTaken,
  [`POST ${ofWebRepo}/info/lfs/objects/:oid`]: lfsAnswers(Empty),
  [`GET ${ofWebRepo}/info/lfs/objects/:oid`]: lfsContent,
  [`POST ${ofWebRepo}/info/lfs/objects/:oid/verify`]: lfsAnswers(Empty),
  [`POST ${ofWebRepo}/info/lfs/locks`]: {
    response: {
      201: { ...LfsLockAnswer, contentMediaType: lfsMediaType },
      307: Media('text/plain', 'Redirect to the current name'),
      409: { ...LfsLockTakenAnswer, contentMediaType: lfsMediaType },
      default: lfsAnswers(Empty).response.default,
    },
  },
  [`GET ${ofWebRepo}/info/lfs/locks`]: lfsAsked(LfsLocksAnswer),
  [`POST ${ofWebRepo}/info/lfs/locks/verify`]: lfsAsked(LfsLocksVerifyAnswer),
  [`POST ${ofWebRepo}/info/lfs/locks/:id/unlock`]: lfsAsked(LfsLockAnswer),
})
const xetStorage = '/api/xet/:storage'
const xetAnswers = (answer: TSchema) => ({ response: { 200: answer, default: HubErrorBody } })
const xetContent = {
  response: {
    200: Media('application/octet-stream', 'Content'),
    206: Media('application/octet-stream', 'Requested range'),
    304: NoBody('Not modified (If-None-Match)'),
    default: HubErrorBody,
  },
}
const ofBucket = '/api/buckets/:namespace/:name'
const bucketShapes: Record<string, WireShapes> = {
  'GET /api/buckets/:namespace': hubAnswers(BucketListAnswer),
  [`POST ${ofBucket}`]: hubAnswers(CreateBucketAnswer),
  [`GET ${ofBucket}`]: movable(BucketAnswer),
  [`DELETE ${ofBucket}`]: movable(Media('text/plain', 'OK')),
  [`PUT ${ofBucket}/settings`]: movable(BucketSettingsAnswer),
  [`GET ${ofBucket}/resource-group`]: movable(RepoGroupAnswer),
  [`POST ${ofBucket}/resource-group`]: movable(GroupedRepoAnswer),
  [`GET ${ofBucket}/tree`]: movable(BucketTreeAnswer),
  [`GET ${ofBucket}/tree/*`]: movable(BucketTreeAnswer),
  [`POST ${ofBucket}/paths-info`]: movable(BucketPathsAnswer),
  [`POST ${ofBucket}/batch`]: {
    response: {
      ...movable(BucketBatchAnswer).response,
      422: { ...BucketBatchAnswer, description: 'No operation succeeded' },
    },
  },
  [`GET ${ofBucket}/events`]: movable(
    Media('text/event-stream', 'Changes of files as server-sent events'),
  ),
  [`GET ${ofBucket}/xet-read-token`]: movable(XetTokenAnswer),
  [`GET ${ofBucket}/xet-write-token`]: movable(XetTokenAnswer),
  'GET /buckets/:namespace/:name/resolve/*': resolved,
  'GET /buckets/:namespace/:name/contents/:oid': xetContent,
}
const xetShapes: Record<string, WireShapes> = {
  [`GET ${ofRepo}/xet-read-token/*`]: movable(XetTokenAnswer),
  [`GET ${ofRepo}/xet-write-token/*`]: movable(XetTokenAnswer),
  [`GET ${xetStorage}/v1/reconstructions/:hash`]: xetAnswers(ReconstructionAnswer),
  [`GET ${xetStorage}/v2/reconstructions/:hash`]: xetAnswers(ReconstructionV2Answer),
  [`GET ${xetStorage}/v1/reconstructions`]: xetAnswers(BatchReconstructionAnswer),
  [`POST ${xetStorage}/v1/reconstructions`]: xetAnswers(BatchReconstructionAnswer),
  [`GET ${xetStorage}/v2/file-chunk-hashes/:hash`]: xetAnswers(FileChunkHashesAnswer),
  [`GET ${xetStorage}/v1/chunks/:prefix/:hash`]: xetAnswers(
    Media('application/octet-stream', 'Shard with the xorbs of a file that has the chunk'),
  ),
  [`GET ${xetStorage}/v1/xorbs/:prefix/:hash`]: xetContent,
  [`GET ${xetStorage}/v1/files/:hash`]: xetContent,
  [`GET ${xetStorage}/xorbs/:hash`]: xetContent,
  [`POST ${xetStorage}/v1/xorbs/:prefix/:hash`]: {
    bytes: Media('application/octet-stream', 'Xorb'),
    ...xetAnswers(XorbUploadAnswer),
  },
  [`POST ${xetStorage}/v1/shards`]: {
    bytes: Media('application/octet-stream', 'Shard'),
    ...xetAnswers(ShardUploadAnswer),
  },
  [`POST ${xetStorage}/v2/shards`]: {
    bytes: Media('application/octet-stream', 'Shard'),
    ...xetAnswers(Media('application/x-ndjson', 'An object for each step, and for the outcome')),
  },
}
const dashboard = { response: { 303: Redirect('Redirect to the dashboard page') } }

/**
 * Shapes of the routes that parse their own input and build their own responses, by method and path; neither is checked
 * again. They are kept apart from the routes because a start does not need them.
 */
export const wireShapes: Readonly<Record<string, WireShapes>> = {
  [`GET ${ofRepo}/tree/*`]: movable(TreeAnswer),
  [`POST ${ofRepo}/paths-info/*`]: { ...movable(TreeAnswer), json: PathsInfoBody },
  [`GET ${ofRepo}/refs`]: movable(RefsAnswer),
  [`GET ${ofRepo}/commits/*`]: movable(CommitsAnswer),
  [`POST ${ofRepo}/branch/*`]: nothingToTell,
  [`DELETE ${ofRepo}/branch/*`]: nothingToTell,
  [`POST ${ofRepo}/tag/*`]: nothingToTell,
  [`DELETE ${ofRepo}/tag/*`]: nothingToTell,
  [`POST ${ofRepo}/super-squash/*`]: movable(SquashAnswer),
  'POST /api/validate-yaml': {
    response: {
      200: ValidateYamlAnswer,
      // An unreadable body has the same response as elsewhere.
      400: Type.Union([ValidateYamlAnswer, HubErrorBody], {
        description: 'Invalid; with `Accept: text/plain` a line for each error',
      }),
      default: HubErrorBody,
    },
  },
  ...xetShapes,
  [`POST ${ofRepo}/preupload/*`]: movable(PreuploadAnswer),
  [`POST ${ofRepo}/commit/*`]: {
    bytes: Media('application/x-ndjson', 'A header line, then a line for each file operation'),
    ...movable(CommitAnswer),
  },
  [`GET ${ofRepo}/discussions`]: movable(DiscussionsAnswer),
  [`POST ${ofRepo}/discussions`]: movable(OpenedDiscussionAnswer),
  [`GET ${ofDiscussion}`]: movable(DiscussionAnswer),
  [`DELETE ${ofDiscussion}`]: movable(Empty),
  [`POST ${ofDiscussion}/comment`]: {
    response: {
      201: NewMessageAnswer,
      307: Media('text/plain', 'Redirect to the current name'),
      default: HubErrorBody,
    },
  },
  [`POST ${ofDiscussion}/comment/:commentId/edit`]: movable(UpdatedCommentAnswer),
  [`POST ${ofDiscussion}/comment/:commentId/hide`]: movable(UpdatedCommentAnswer),
  [`POST ${ofDiscussion}/title`]: movable(NewTitleAnswer),
  [`POST ${ofDiscussion}/status`]: movable(NewStatusAnswer),
  [`POST ${ofDiscussion}/pin`]: movable(Empty),
  [`POST ${ofDiscussion}/merge`]: movable(Empty),
  [`GET ${ofRepo}/lfs-files`]: movable(LfsFilesAnswer),
  [`POST ${ofRepo}/lfs-files/batch`]: movable(Empty),
  [`POST ${ofRepo}/lfs-files/duplicate`]: {
    response: {
      ...movable(LfsDuplicationAnswer).response,
      207: { ...LfsDuplicationAnswer, description: 'Some files failed' },
    },
  },
  ...bucketShapes,
  ...lfsShapes('/:namespace/:name'),
  ...lfsShapes('/:types(datasets|spaces)/:namespace/:name'),
  'GET /:namespace/:name/resolve/*': resolved,
  'GET /:namespace/:name/raw/*': file,
  'GET /:types(datasets|spaces)/:namespace/:name/resolve/*': resolved,
  'GET /:types(datasets|spaces)/:namespace/:name/raw/*': file,
  'GET /api/resolve-cache/:types(models|datasets|spaces)/:namespace/:name/*': cachedFile,
  'GET /:namespace/:name/info/refs': gitRefs,
  'GET /:types(datasets|spaces)/:namespace/:name/info/refs': gitRefs,
  'POST /:namespace/:name/git-upload-pack': gitPack,
  'POST /:types(datasets|spaces)/:namespace/:name/git-upload-pack': gitPack,
  'POST /:namespace/:name/git-receive-pack': gitReport,
  'POST /:types(datasets|spaces)/:namespace/:name/git-receive-pack': gitReport,
  'GET /.well-known/openid-configuration': metadata,
  'GET /.well-known/oauth-authorization-server': metadata,
  'GET /.well-known/oauth-protected-resource': resourceMetadata,
  'GET /.well-known/oauth-protected-resource/mcp': resourceMetadata,
  'POST /mcp': {
    querystring: McpQuery,
    json: JsonRpcMessage,
    response: {
      200: JsonRpcResponse,
      202: Media('text/plain', 'Notification accepted'),
      default: JsonRpcResponse,
    },
  },
  'GET /oauth/jwks': {
    response: { 200: { ...KeySet, contentMediaType: 'application/jwk-set+json' } },
  },
  'GET /oauth/authorize': {
    querystring: AuthorizationQuery,
    response: {
      200: Page('Consent page'),
      303: Redirect('Redirect to the login page, or to the app with `code` or `error`'),
      400: Page('Unknown app or unregistered redirect URI'),
    },
  },
  'POST /oauth/authorize': {
    querystring: AuthorizationQuery,
    form: ConsentForm,
    response: {
      303: Redirect(
        'Redirect to the app with `code` or `error`; a request in the body is redirected to the same request by GET',
      ),
      default: Page('Request refused'),
    },
  },
  'POST /oauth/token': {
    form: TokenForm,
    json: CiExchange,
    response: { 200: TokenResponse, default: OAuthErrorBody },
  },
  'POST /oauth/device': {
    form: DeviceAuthorizationForm,
    json: DeviceAuthorizationForm,
    response: { 200: DeviceAuthorizationResponse, default: OAuthErrorBody },
  },
  'GET /oauth/device': {
    response: { 200: Page('Code page'), 303: Redirect('Redirect to the login page') },
  },
  'POST /oauth/device/verify': {
    form: DeviceCodeForm,
    response: {
      303: Redirect('Redirect to the consent page or, after the decision, to the result'),
      400: Page('Unknown code'),
      429: Page('Too many unknown codes'),
    },
  },
  'GET /oauth/device/verify': {
    response: {
      200: Page('Consent page'),
      303: Redirect('Redirect to the code page'),
      400: Page('Code expired or used'),
    },
  },
  'GET /oauth/device/done': {
    response: {
      200: Page('Result: allowed or denied'),
      303: Redirect('Redirect to the code page'),
    },
  },
  'GET /oauth/userinfo': userinfo,
  'POST /oauth/userinfo': userinfo,
  'POST /oauth/register': {
    json: RegistrationRequest,
    response: { 201: RegistrationAnswer, default: OAuthErrorBody },
  },
  'GET /login': { response: { 200: Page('Users') } },
  'POST /login': {
    form: LoginForm,
    response: {
      303: Redirect('Redirect to `next`, with the session cookie'),
      default: Page('Request refused'),
    },
  },
  'POST /logout': {
    form: LogoutForm,
    response: { 303: Redirect('Redirect to the login page'), default: Page('Request refused') },
  },
  'GET /:name': { response: { 200: Page('Account page'), default: noPage } },
  'GET /:namespace/:name': repoPage,
  'GET /datasets/:namespace/:name': repoPage,
  'GET /spaces/:namespace/:name': repoPage,
  'GET /buckets/:namespace/:name': repoPage,
  'GET /api/agent-harnesses': hubAnswers(AgentHarnessesAnswer),
  'GET /api/telemetry/*': hubAnswers(Empty),
  'GET /api/whoami-v2': hubAnswers(WhoamiAnswer),
  'GET /api/organizations/:name/audit-log/export': {
    querystring: AuditLogQuery,
    ...hubAnswers(AuditLogAnswer),
  },
  'POST /api/organizations/:name/settings/tokens/revoke': {
    json: OrganizationTokenBody,
    ...hubAnswers(RevokedAnswer),
  },
  'POST /api/credentials/revoke': {
    json: CredentialsBody,
    response: { 202: Empty, default: HubErrorBody },
  },
  'GET /api/settings/webhooks': hubAnswers(WebhookListAnswer),
  'POST /api/settings/webhooks': webhook,
  'GET /api/settings/webhooks/:id': webhook,
  'POST /api/settings/webhooks/:id': webhook,
  'POST /api/settings/webhooks/:id/enable': webhook,
  'POST /api/settings/webhooks/:id/disable': webhook,
  'DELETE /api/settings/webhooks/:id': hubAnswers(Empty),
  'POST /api/settings/webhooks/:id/replay/:logId': hubAnswers(ReplayAnswer),
  'GET /api/jobs/hardware': hubAnswers(HardwareAnswer),
  'GET /api/jobs/:namespace': hubAnswers(JobListAnswer),
  'POST /api/jobs/:namespace': job,
  'GET /api/jobs/:namespace/count': hubAnswers(JobCountAnswer),
  'GET /api/jobs/:namespace/:id': job,
  'POST /api/jobs/:namespace/:id/cancel': job,
  'POST /api/jobs/:namespace/:id/duplicate': job,
  'PUT /api/jobs/:namespace/:id/labels': job,
  'GET /api/jobs/:namespace/:id/logs': hubAnswers(
    Media('text/event-stream', 'Log as server-sent events, one per line'),
  ),
  'GET /api/scheduled-jobs/:namespace': hubAnswers(ScheduledJobListAnswer),
  'POST /api/scheduled-jobs/:namespace': scheduledJob,
  [`GET ${ofScheduledJob}`]: scheduledJob,
  [`DELETE ${ofScheduledJob}`]: hubAnswers(Empty),
  [`POST ${ofScheduledJob}/suspend`]: scheduledJob,
  [`POST ${ofScheduledJob}/resume`]: scheduledJob,
  [`POST ${ofScheduledJob}/run`]: job,
  [`POST ${ofScheduledJob}/schedule`]: scheduledJob,
  [`PUT ${ofScheduledJob}/labels`]: scheduledJob,
  'GET /v2/endpoint/:namespace': hubAnswers(EndpointListAnswer),
  'POST /v2/endpoint/:namespace': endpoint,
  [`GET ${ofEndpoint}`]: endpoint,
  [`PUT ${ofEndpoint}`]: endpoint,
  [`DELETE ${ofEndpoint}`]: hubAnswers(Empty),
  [`POST ${ofEndpoint}/pause`]: endpoint,
  [`POST ${ofEndpoint}/resume`]: endpoint,
  [`POST ${ofEndpoint}/scale-to-zero`]: endpoint,
  'GET /inference-endpoints/:id/health': hubAnswers(EndpointHealthAnswer),
  'POST /inference-endpoints/:id/v1/chat/completions': hubAnswers(ChatAnswer),
  'POST /inference-endpoints/:id/v1/embeddings': hubAnswers(EmbeddingsAnswer),
  'GET /v1/models': hubAnswers(ModelsAnswer),
  'POST /v1/chat/completions': hubAnswers(ChatAnswer),
  'POST /v1/embeddings': hubAnswers(EmbeddingsAnswer),
  [`POST ${ofModelTask}/v1/chat/completions`]: hubAnswers(ChatAnswer),
  [`POST ${ofModelTask}/pipeline/feature-extraction`]: hubAnswers(FeatureExtractionAnswer),
  'GET /api/jobs/:namespace/:id/events': hubAnswers(
    Media('text/event-stream', 'Stages as server-sent events'),
  ),
  'GET /api/jobs/:namespace/:id/metrics': hubAnswers(
    Media('text/event-stream', 'Metrics as server-sent events, one each second'),
  ),
  'POST /api/repos/create': hubAnswers(MadeRepoAnswer),
  'DELETE /api/repos/delete': hubAnswers(Media('text/plain', 'OK')),
  'POST /api/repos/move': hubAnswers(Empty),
  'GET /api/:types(models|datasets|spaces)': hubAnswers(RepoListAnswer),
  [`GET ${ofRepo}`]: repo,
  [`GET ${ofRepo}/revision/*`]: repo,
  [`PUT ${ofRepo}/settings`]: movable(RepoSettingsAnswer),
  [`POST ${ofRepo}/duplicate`]: movable(CopiedRepoAnswer),
  [`GET ${ofRepo}/auth-check`]: movable(Empty),
  [`GET ${ofRepo}/auth-check/write`]: movable(Empty),
  'GET /api/spaces/hardware': hubAnswers(HardwareAnswer),
  'GET /api/spaces/semantic-search': hubAnswers(SpaceSearchAnswer),
  'GET /api/spaces/zero-gpu/quota': hubAnswers(ZeroGpuQuotaAnswer),
  [`GET ${ofSpace}/logs/:kind`]: movable(
    Media('text/event-stream', 'Log as server-sent events, one per line'),
  ),
  'GET /api/spaces/templates': hubAnswers(SpaceTemplatesAnswer),
  [`GET ${ofSpace}/runtime`]: runtime,
  [`POST ${ofSpace}/hardware`]: runtime,
  [`POST ${ofSpace}/sleeptime`]: runtime,
  [`POST ${ofSpace}/pause`]: runtime,
  [`POST ${ofSpace}/restart`]: runtime,
  [`POST ${ofSpace}/dev-mode`]: runtime,
  [`POST ${ofSpace}/storage`]: runtime,
  [`DELETE ${ofSpace}/storage`]: runtime,
  [`PUT ${ofSpace}/volumes`]: runtime,
  [`DELETE ${ofSpace}/volumes`]: runtime,
  [`GET ${ofSpace}/variables`]: variables,
  [`POST ${ofSpace}/variables`]: variables,
  [`DELETE ${ofSpace}/variables`]: variables,
  [`GET ${ofSpace}/secrets`]: movable(SpaceSecretsAnswer),
  [`POST ${ofSpace}/secrets`]: movable(Empty),
  [`DELETE ${ofSpace}/secrets`]: movable(Empty),
  [`GET ${ofRepo}/user-access-request/:status`]: movable(AccessRequestsAnswer),
  [`POST ${ofRepo}/user-access-request/handle`]: movable(Empty),
  [`POST ${ofRepo}/user-access-request/batch`]: movable(DecisionsAnswer),
  [`POST ${ofRepo}/user-access-request/grant`]: movable(Empty),
  [`POST ${ofRepo}/user-access-request/cancel`]: movable(Empty),
  'POST /:namespace/:name/ask-access': askedAccess,
  'POST /:types(datasets|spaces)/:namespace/:name/ask-access': askedAccess,
  'GET /:namespace/:name/user-access-report': movable(AccessReportAnswer),
  'GET /:types(datasets|spaces)/:namespace/:name/user-access-report': movable(AccessReportAnswer),
  [`POST ${ofDiscussion}/comment/:commentId/reaction`]: movable(UpdatedCommentAnswer),
  [`DELETE ${ofDiscussion}/comment/:commentId/reaction`]: movable(UpdatedCommentAnswer),
  [`DELETE ${ofDiscussion}/ref`]: movable(Empty),
  [`GET ${ofDiscussion}/storage`]: movable(PullRequestStorageAnswer),
  [`POST ${ofRepo}/like`]: movable(Empty),
  [`DELETE ${ofRepo}/like`]: movable(Empty),
  [`GET ${ofRepo}/likers`]: movable(PeopleAnswer),
  'GET /api/users/:username/likes': hubAnswers(LikesAnswer),
  'GET /api/users/:username/overview': hubAnswers(UserOverviewAnswer),
  'GET /api/users/:username/followers': hubAnswers(PeopleAnswer),
  'GET /api/users/:username/following': hubAnswers(PeopleAnswer),
  'POST /api/users/:username/follow': hubAnswers(Empty),
  'DELETE /api/users/:username/follow': hubAnswers(Empty),
  'GET /api/users/:username/avatar': avatar,
  'GET /api/organizations/:name/overview': hubAnswers(OrganizationOverviewAnswer),
  'GET /api/organizations/:name/followers': hubAnswers(PeopleAnswer),
  'POST /api/organizations/:name/follow': hubAnswers(Empty),
  'DELETE /api/organizations/:name/follow': hubAnswers(Empty),
  'GET /api/organizations/:name/members': hubAnswers(MembersAnswer),
  'GET /api/organizations/:name/avatar': avatar,
  'GET /api/avatars/:namespace': {
    response: { 302: Media('text/plain', 'Redirect to the picture'), default: HubErrorBody },
  },
  'PUT /api/organizations/:name/members/:username/role': hubAnswers(RevokedAnswer),
  'GET /api/organizations/:name/resource-groups': hubAnswers(ResourceGroupsAnswer),
  'POST /api/organizations/:name/resource-groups': hubAnswers(ResourceGroupAnswer),
  'POST /api/organizations/:name/resource-groups/:id/users': hubAnswers(ResourceGroupAnswer),
  [`GET ${ofRepo}/resource-group`]: movable(RepoGroupAnswer),
  [`POST ${ofRepo}/resource-group`]: movable(GroupedRepoAnswer),
  'GET /api/collections': hubAnswers(CollectionsAnswer),
  'POST /api/collections': hubAnswers(CollectionAnswer),
  'GET /api/collections/:namespace/:slug': hubAnswers(CollectionAnswer),
  'PATCH /api/collections/:namespace/:slug': hubAnswers(ChangedCollectionAnswer),
  'DELETE /api/collections/:namespace/:slug': hubAnswers(Empty),
  'POST /api/collections/:namespace/:slug/items': hubAnswers(CollectionAnswer),
  'POST /api/collections/:namespace/:slug/items/batch': hubAnswers(Empty),
  'POST /api/collections/:namespace/:slug/resource-group': hubAnswers(Empty),
  'POST /api/collections/:namespace/:slug/upvote': hubAnswers(Empty),
  'DELETE /api/collections/:namespace/:slug/upvote': hubAnswers(Empty),
  'PATCH /api/collections/:namespace/:slug/items/:itemId': hubAnswers(Empty),
  'DELETE /api/collections/:namespace/:slug/items/:itemId': hubAnswers(Empty),
  'GET /api/settings/repositories': hubAnswers(RepoStorageAnswer),
  'GET /api/organizations/:name/settings/repositories': hubAnswers(RepoStorageAnswer),
  'GET /api/models-tags-by-type': hubAnswers(TagsAnswer),
  'GET /api/datasets-tags-by-type': hubAnswers(TagsAnswer),
  'GET /avatars/:name.svg': { response: { 200: Media('image/svg+xml', 'Image') } },
  'GET /_sandbox/openapi.json': {
    response: {
      200: Type.Record(Type.String(), Type.Unknown(), { description: 'This document' }),
      ...refusals,
    },
  },
  'GET /_sandbox/live': {
    response: { 101: NoBody('WebSocket with JSON messages'), ...refusals },
  },
  'GET /': dashboard,
  'GET /settings/applications': dashboard,
  'GET /settings/applications/new': dashboard,
  'GET /settings/connected-applications': dashboard,
  'GET /settings/tokens': dashboard,
  'GET /settings/webhooks': dashboard,
  'GET /settings/webhooks/:id/activity': dashboard,
  'GET /organizations/:name/settings/audit-log': dashboard,
}
