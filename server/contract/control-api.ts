import { Type, type TSchema } from 'typebox'
import { largestImportBytes } from './fixtures/limits.ts'
import { Empty, PageQuery } from './control.ts'
import {
  AuditList,
  AuditQuery,
  CreateOrganizationRequest,
  CreateUserRequest,
  OrganizationItem,
  OrganizationList,
  UpdateOrganizationRequest,
  UpdateUserRequest,
  UserItem,
  UserList,
} from './control-accounts.ts'
import {
  Advice,
  AdviceIgnoreItem,
  AdvicePause,
  AdvicePauseQuery,
  AdviceQuery,
  AdviceReportQuery,
  AdviceRuleList,
  IgnoreAdviceRequest,
} from './control-advice.ts'
import {
  AuditModuleList,
  AuditReportQuery,
  AuditRunItem,
  AuditRunList,
  ContinueAuditRequest,
  StartAuditRequest,
  StartedAudit,
} from './control-audits.ts'
import {
  AppItem,
  AppList,
  AppSecret,
  ConsentList,
  CreateAppRequest,
  CheckMetadataDocumentRequest,
  CreateMetadataDocumentRequest,
  MetadataDocumentCheck,
  MetadataDocumentItem,
  MetadataDocumentList,
  RevokeConsentQuery,
  UpdateAppRequest,
  UpdateMetadataDocumentRequest,
} from './control-apps.ts'
import {
  CiJob,
  CiJobRequest,
  CiToken,
  CiTokenRequest,
  CreatePublisherRequest,
  PublisherItem,
  PublisherList,
  PublisherQuery,
  UpdatePublisherRequest,
} from './control-publishers.ts'
import {
  OpenSpaceFrameRequest,
  SpaceFrameDetail,
  SpaceFrameItem,
  SpaceFrameList,
  UpdateSpaceFrameRequest,
} from './control-frames.ts'
import {
  AddCollectionEntryRequest,
  CollectionActorQuery,
  CollectionDetail,
  CollectionEntryParams,
  CollectionList,
  CollectionQuery,
  CollectionViewQuery,
  CreateCollectionRequest,
  UpdateCollectionEntryRequest,
  UpdateCollectionRequest,
} from './control-collections.ts'
import { CompareRequest, Comparison, ResetComparison } from './control-comparison.ts'
import { ClockPreview, ClockPreviewQuery, ClockReading, MoveClockRequest } from './control-clock.ts'
import {
  AttemptItem,
  DeliveryFilters,
  DeliveryIds,
  DeliveryItem,
  DeliveryList,
  DeliveryQuery,
  DeliveryStory,
  DeliverySummary,
  Idle,
  IdleQuery,
  NotIdle,
  ReplayManyRequest,
  ReplayRequest,
  ReplayedMany,
} from './control-deliveries.ts'
import {
  EventCatalog,
  LastTrigger,
  TriggerHeaders,
  TriggerRequest,
  TriggerResult,
} from './control-events.ts'
import { FactList, FactQuery } from './control-facts.ts'
import {
  AddBarrierRequest,
  AddedBarrier,
  AddedFault,
  AddFaultRequest,
  Barrier,
  BarrierList,
  FaultList,
  FaultItem,
  FaultPreview,
  PreviewFaultRequest,
  ReleaseBarrierRequest,
  ReleasedBarrier,
} from './control-faults.ts'
import { ExperimentItem, ExperimentList, RunExperimentRequest } from './control-experiments.ts'
import { FlowDetail, FlowStepDetail, FlowStepQuery, FlowText } from './control-flows.ts'
import { CreateForkRequest, ForkItem, ForkList, ForkQuery } from './control-forks.ts'
import { Overview } from './control-health.ts'
import { ActiveOverrides } from './control-overrides.ts'
import { IssueList } from './control-summary.ts'
import {
  CreateInferenceEndpointRequest,
  InferenceEndpointItem,
  InferenceEndpointList,
  InferenceEndpointQuery,
} from './control-inference.ts'
import {
  CreateJobRequest,
  CreateScheduledJobRequest,
  JobDetail,
  JobItem,
  JobList,
  JobQuery,
  ScheduledJobItem,
  ScheduledJobList,
  ScheduledJobQuery,
  UpdateScheduledJobRequest,
} from './control-jobs.ts'
import { AppliedFix, FixList } from './control-fixes.ts'
import { SnippetList } from './control-snippets.ts'
import {
  CreateRepoRequest,
  RepoDetail,
  RepoList,
  RepoQuery,
  UpdateRepoRequest,
} from './control-repos.ts'
import {
  AccessParams,
  AccessRequestItem,
  AccessRequestList,
  CommentRequest,
  CommitDetail,
  CommitList,
  CommitParams,
  CommitRequest,
  Committed,
  CreateRefRequest,
  DecideAccessRequest,
  DeleteRefQuery,
  DiscussionDetail,
  DiffQuery,
  DiscussionParams,
  FileQuery,
  MergeRequest,
  OpenDiscussionRequest,
  RepoFile,
  RepoFileList,
  RepoFilesQuery,
  RepoParams,
  RevisionQuery,
  TimelineItem,
  UpdateDiscussionRequest,
} from './control-repo-contents.ts'
import { SearchRequest, SearchResult } from './control-search.ts'
import {
  FlowList,
  FlowQuery,
  Har,
  RequestDetail,
  ResendRequest,
  Resent,
  RequestItem,
  RequestList,
  RequestQuery,
} from './control-requests.ts'
import {
  CreatedSnapshot,
  CreateLinkRequest,
  CreateSnapshotRequest,
  ExportedFixtures,
  ExportQuery,
  KeyList,
  LinkItem,
  LinkList,
  LoadedFixtures,
  ReplacedState,
  RotatedKey,
  RotateKeyRequest,
  SnapshotList,
  Stopping,
} from './control-sandbox.ts'
import {
  AuthorizeRequest,
  AuthorizeResult,
  DecidedDevice,
  DecideDeviceRequest,
  DeviceList,
  SessionList,
  StartedSession,
  StartSessionRequest,
} from './control-sign-in.ts'
import {
  MintedToken,
  MintTokenRequest,
  TokenHistory,
  TokenItem,
  TokenList,
  TokenQuery,
  TokenRights,
} from './control-tokens.ts'
import { DemoItem, DemoList, DemoRequest } from './control-demos.ts'
import {
  CreateWebhookRequest,
  Recovered,
  RecoverRequest,
  UpdateWebhookRequest,
  WebhookItem,
  WebhookList,
  WebhookStatistics,
  WebhookStatisticsQuery,
} from './control-webhooks.ts'
import { text } from './plain-fields.ts'

export type ControlMethod = 'GET' | 'POST' | 'PATCH' | 'DELETE'

/** An endpoint of the control API. */
export interface Endpoint {
  summary: string
  description?: string
  /** Group in the OpenAPI document. */
  tag: string
  params?: TSchema
  /** Unknown names are refused. */
  query?: TSchema
  headers?: TSchema
  body?: TSchema
  /** Largest body, in bytes. Default: 1 MiB. */
  bodyLimit?: number
  /** Status of a successful response; default 200. */
  status?: 201 | 202
  response: TSchema
  /** Responses with other statuses that are not plain refusals. */
  otherwise?: Readonly<Record<number, TSchema>>
  /** Shape of a line, if the response can be a stream of lines. */
  line?: TSchema
}

const Id = (description: string) => Type.Object({ id: Type.String({ description }) })
const ClientId = Type.Object({ clientId: text('`client_id`') })
const AccountName = Type.Object({ name: text('Name of the account') })
const DocumentUrl = Type.Object({ url: text('URL of the document') })
const RepoId = Type.Object({
  '*': text('Id or namespace/name, prefixed with models/, datasets/ or spaces/ if ambiguous'),
})
const TokenId = Id('Id or the token itself')
const SnapshotName = Type.Object({ name: CreatedSnapshot.properties.name })

const sizeOfImport =
  'The file may have 16 MiB and 120,000 values. Start a sandbox with a larger one, of up to 64 MiB.'

/**
 * The control API: requests and responses of each path below `/_sandbox/api/`. The server registers its routes from
 * this table; dashboard, commands and the in-process handle take their calls and types from it.
 */
export const controlApi = {
  'GET overview': {
    tag: 'sandbox',
    summary: 'Show the settings and contents of the sandbox',
    response: Overview,
  },
  'GET overrides': {
    tag: 'sandbox',
    summary: 'Get the active overrides (clock, faults, barriers) and pending devices',
    response: ActiveOverrides,
  },
  'GET facts': {
    tag: 'sandbox',
    summary: 'List facts since the start or last reset, without successful requests',
    query: FactQuery,
    response: FactList,
  },
  'POST search': {
    tag: 'sandbox',
    summary: 'Search by name, id, token or code',
    body: SearchRequest,
    response: SearchResult,
  },
  'GET fixtures': {
    tag: 'sandbox',
    summary: 'Get the loaded fixtures, including secrets but not the signing key',
    response: LoadedFixtures,
  },
  'POST fixtures/compare': {
    tag: 'sandbox',
    summary: 'Compare a fixtures file with the current state, without loading it',
    description: sizeOfImport,
    body: CompareRequest,
    bodyLimit: largestImportBytes,
    response: Comparison,
  },
  'GET export': {
    tag: 'sandbox',
    summary: 'Export the current state as a fixtures file',
    description:
      '`leftOut` of a repo lists what the file cannot hold: contents in Git LFS, history, branches. With `log=1` the file also holds the log: requests, sign-ins, and deliveries with their attempts. Credentials that the sandbox did not issue, job secrets and passwords in URLs are masked in the log. A sandbox that loads such a file shows the recorded run, for viewing only: it delivers, retries and runs nothing.',
    query: ExportQuery,
    response: ExportedFixtures,
  },
  'GET reset/comparison': {
    tag: 'sandbox',
    summary: 'Compare the fixtures with the current state: what a reset would change',
    response: ResetComparison,
  },
  'POST reset': {
    tag: 'sandbox',
    summary: 'Reset to the fixtures read at the start; snapshots and signing keys stay',
    response: ReplacedState,
  },
  'POST stop': {
    tag: 'sandbox',
    summary: 'Stop the sandbox after finishing requests in flight and saving the state',
    description:
      'Same as SIGTERM. The response is sent first; the sandbox has stopped when its port is closed and the lock of its data folder is gone.',
    status: 202,
    response: Stopping,
  },

  'GET snapshots': { tag: 'sandbox', summary: 'List snapshots', response: SnapshotList },
  'POST snapshots': {
    tag: 'sandbox',
    summary: 'Save the whole state as a snapshot, or import a fixtures file as one',
    description: sizeOfImport,
    body: Type.Optional(CreateSnapshotRequest),
    bodyLimit: largestImportBytes,
    status: 201,
    response: CreatedSnapshot,
  },
  'GET snapshots/:name': {
    tag: 'sandbox',
    summary: 'Export a snapshot as a fixtures file',
    params: SnapshotName,
    response: ExportedFixtures,
  },
  'GET snapshots/:name/comparison': {
    tag: 'sandbox',
    summary: 'Compare a snapshot with the current state',
    params: SnapshotName,
    response: Comparison,
  },
  'POST snapshots/:name/restore': {
    tag: 'sandbox',
    summary: 'Restore a snapshot',
    params: SnapshotName,
    response: ReplacedState,
  },
  'DELETE snapshots/:name': {
    tag: 'sandbox',
    summary: 'Delete a snapshot',
    params: SnapshotName,
    response: Empty,
  },

  'GET forks': { tag: 'sandbox', summary: 'List forks', response: ForkList },
  'POST forks': {
    tag: 'sandbox',
    summary: 'Start another sandbox from the current state',
    description:
      'The fork runs in the same process, in memory, on a free port of the same addresses, with the same settings and control token. It shares no state with this sandbox and stops with it. At most 200 forks.',
    body: Type.Optional(CreateForkRequest),
    status: 201,
    response: ForkItem,
  },
  'GET forks/:id': {
    tag: 'sandbox',
    summary: 'Get a fork',
    description:
      'With `follow=1` the response is one line of NDJSON and stays open while the fork runs. A temporary fork runs while such a response is open.',
    params: Id('Fork'),
    query: ForkQuery,
    response: ForkItem,
    line: ForkItem,
  },
  'DELETE forks/:id': {
    tag: 'sandbox',
    summary: 'Stop a fork',
    params: Id('Fork'),
    response: Empty,
  },

  'GET clock': { tag: 'clock', summary: 'Read the clock', response: ClockReading },
  'GET clock/preview': {
    tag: 'clock',
    summary: 'List what a move of the clock would expire, and the retries that would become due',
    query: ClockPreviewQuery,
    response: ClockPreview,
  },
  'POST clock': {
    tag: 'clock',
    summary: 'Move the clock',
    body: MoveClockRequest,
    response: ClockReading,
  },

  'GET keys': {
    tag: 'keys',
    summary: 'List public signing keys, the current one first',
    response: KeyList,
  },
  'POST keys/rotate': {
    tag: 'keys',
    summary: 'Rotate the signing key',
    body: Type.Optional(RotateKeyRequest),
    response: RotatedKey,
  },

  'POST authorize': {
    tag: 'sign-in',
    summary: 'Sign in without a browser',
    description:
      'Takes the parameters of an authorization request and the user’s decision; returns the URL that the browser would be redirected to. 400 where the Hub would show its error page.',
    body: AuthorizeRequest,
    response: AuthorizeResult,
  },
  'GET sessions': {
    tag: 'sign-in',
    summary: 'List signed-in browsers',
    query: PageQuery,
    response: SessionList,
  },
  'POST sessions': {
    tag: 'sign-in',
    summary: 'Create a session cookie',
    body: StartSessionRequest,
    response: StartedSession,
  },
  'DELETE sessions/:id': {
    tag: 'sign-in',
    summary: 'Sign a browser out',
    params: Id('Value of the cookie'),
    response: Empty,
  },
  'GET device': {
    tag: 'sign-in',
    summary: 'List device authorizations',
    query: PageQuery,
    response: DeviceList,
  },
  'POST device/:userCode': {
    tag: 'sign-in',
    summary: 'Approve or deny a device as its user',
    params: Type.Object({
      userCode: text('User code, as shown on the device'),
    }),
    body: DecideDeviceRequest,
    response: DecidedDevice,
  },

  'GET demos': {
    tag: 'sign-in',
    summary: 'List demos',
    response: DemoList,
  },
  'POST demos': {
    tag: 'sign-in',
    summary: 'Start a demo',
    description:
      'The sandbox plays an app through a whole flow. Its requests appear in the request log and among the sign-ins like those of any client. The newest 20 demos are kept, each for 15 minutes of real time. 400 names what the sandbox lacks for the demo, and the fixtures that add it.',
    body: DemoRequest,
    status: 201,
    response: DemoItem,
  },
  'POST demos/:id/next': {
    tag: 'sign-in',
    summary: 'Run the next step',
    description: '409 while the demo waits for a person, and after its end.',
    params: Id('Demo'),
    response: DemoItem,
  },
  'DELETE demos/:id': {
    tag: 'sign-in',
    summary: 'Cancel a demo',
    params: Id('Demo'),
    response: Empty,
  },

  'GET tokens': {
    tag: 'tokens',
    summary: 'List access tokens',
    query: TokenQuery,
    response: TokenList,
  },
  'POST tokens': {
    tag: 'tokens',
    summary: 'Create an access token',
    description: 'Creates a token of an app or, with `role`, a user access token.',
    body: MintTokenRequest,
    response: MintedToken,
  },
  'GET tokens/:id': { tag: 'tokens', summary: 'Get a token', params: TokenId, response: TokenItem },
  'GET tokens/:id/history': {
    tag: 'tokens',
    summary: 'Show the history of a token: sign-in, uses, refresh',
    params: TokenId,
    response: TokenHistory,
  },
  'GET tokens/:id/rights': {
    tag: 'tokens',
    summary: 'Show what a token allows, by owner',
    params: TokenId,
    response: TokenRights,
  },
  'DELETE tokens/:id': {
    tag: 'tokens',
    summary: 'Revoke a token',
    params: TokenId,
    response: Empty,
  },

  'GET apps': { tag: 'apps', summary: 'List apps', query: PageQuery, response: AppList },
  'POST apps': {
    tag: 'apps',
    summary: 'Register an app',
    body: CreateAppRequest,
    status: 201,
    response: AppItem,
  },
  'GET apps/:clientId': { tag: 'apps', summary: 'Get an app', params: ClientId, response: AppItem },
  'PATCH apps/:clientId': {
    tag: 'apps',
    summary: 'Change an app',
    params: ClientId,
    body: UpdateAppRequest,
    response: AppItem,
  },
  'DELETE apps/:clientId': {
    tag: 'apps',
    summary: 'Delete an app and everything issued to it',
    params: ClientId,
    response: Empty,
  },
  'GET apps/:clientId/snippets': {
    tag: 'apps',
    summary: 'List programs that sign in as the app, one for each framework',
    params: ClientId,
    response: SnippetList,
  },
  'POST apps/:clientId/secret': {
    tag: 'apps',
    summary: 'Create a new secret; the old one stops working at once',
    params: ClientId,
    response: AppSecret,
  },
  'DELETE apps/:clientId/secret': {
    tag: 'apps',
    summary: 'Delete the secret, which makes the app public',
    params: ClientId,
    response: Empty,
  },
  'GET consents': {
    tag: 'apps',
    summary: 'List consents',
    query: PageQuery,
    response: ConsentList,
  },
  'DELETE consents': {
    tag: 'apps',
    summary: 'Disconnect an app from a user',
    query: RevokeConsentQuery,
    response: Empty,
  },
  'GET client-metadata-documents': {
    tag: 'apps',
    summary: 'List client metadata documents that the sandbox serves to itself',
    query: PageQuery,
    response: MetadataDocumentList,
  },
  'POST client-metadata-documents': {
    tag: 'apps',
    summary: 'Serve a client metadata document without a web site',
    body: CreateMetadataDocumentRequest,
    status: 201,
    response: MetadataDocumentItem,
  },
  'POST client-metadata-documents/check': {
    tag: 'apps',
    summary: 'Check the text of a client metadata document',
    body: CheckMetadataDocumentRequest,
    response: MetadataDocumentCheck,
  },
  'GET client-metadata-documents/:url': {
    tag: 'apps',
    summary: 'Get a client metadata document',
    params: DocumentUrl,
    response: MetadataDocumentItem,
  },
  'PATCH client-metadata-documents/:url': {
    tag: 'apps',
    summary: 'Replace a client metadata document',
    params: DocumentUrl,
    body: UpdateMetadataDocumentRequest,
    response: MetadataDocumentItem,
  },
  'DELETE client-metadata-documents/:url': {
    tag: 'apps',
    summary: 'Stop serving a document; its URL is fetched from the real site again',
    params: DocumentUrl,
    response: Empty,
  },

  'GET trusted-publishers': {
    tag: 'apps',
    summary: 'List trusted publishers of repos and users',
    query: PublisherQuery,
    response: PublisherList,
  },
  'POST trusted-publishers': {
    tag: 'apps',
    summary: 'Let CI jobs with certain claims get tokens of a repo or user',
    body: CreatePublisherRequest,
    status: 201,
    response: PublisherItem,
  },
  'GET trusted-publishers/:id': {
    tag: 'apps',
    summary: 'Get a trusted publisher',
    params: Id('Trusted publisher'),
    response: PublisherItem,
  },
  'PATCH trusted-publishers/:id': {
    tag: 'apps',
    summary: 'Change, disable or enable a trusted publisher',
    description: 'Tokens that were issued for it are refused while it is disabled.',
    params: Id('Trusted publisher'),
    body: UpdatePublisherRequest,
    response: PublisherItem,
  },
  'DELETE trusted-publishers/:id': {
    tag: 'apps',
    summary: 'Delete a trusted publisher; its tokens are refused',
    params: Id('Trusted publisher'),
    response: Empty,
  },
  'POST ci/tokens': {
    tag: 'apps',
    summary: 'Mint the ID token of a CI job, as its provider would',
    body: CiTokenRequest,
    status: 201,
    response: CiToken,
  },
  'POST ci/jobs': {
    tag: 'apps',
    summary: 'Get the environment variables of a CI job',
    body: CiJobRequest,
    status: 201,
    response: CiJob,
  },

  'GET users': { tag: 'users', summary: 'List users', query: PageQuery, response: UserList },
  'POST users': {
    tag: 'users',
    summary: 'Create a user',
    body: CreateUserRequest,
    status: 201,
    response: UserItem,
  },
  'GET users/:name': {
    tag: 'users',
    summary: 'Get a user',
    params: AccountName,
    response: UserItem,
  },
  'PATCH users/:name': {
    tag: 'users',
    summary: 'Change a user',
    params: AccountName,
    body: UpdateUserRequest,
    response: UserItem,
  },
  'DELETE users/:name': {
    tag: 'users',
    summary: 'Delete a user and everything only they own',
    params: AccountName,
    response: Empty,
  },
  'GET organizations': {
    tag: 'organizations',
    summary: 'List organizations',
    query: PageQuery,
    response: OrganizationList,
  },
  'POST organizations': {
    tag: 'organizations',
    summary: 'Create an organization',
    body: CreateOrganizationRequest,
    status: 201,
    response: OrganizationItem,
  },
  'GET organizations/:name': {
    tag: 'organizations',
    summary: 'Get an organization',
    params: AccountName,
    response: OrganizationItem,
  },
  'PATCH organizations/:name': {
    tag: 'organizations',
    summary: 'Change an organization',
    params: AccountName,
    body: UpdateOrganizationRequest,
    response: OrganizationItem,
  },
  'DELETE organizations/:name': {
    tag: 'organizations',
    summary: 'Delete an organization',
    params: AccountName,
    response: Empty,
  },
  'GET audit-log': {
    tag: 'organizations',
    summary: 'List rows of the audit logs',
    query: AuditQuery,
    response: AuditList,
  },

  'GET repos': { tag: 'repos', summary: 'List repositories', query: RepoQuery, response: RepoList },
  'POST repos': {
    tag: 'repos',
    summary: 'Create a repository',
    body: CreateRepoRequest,
    status: 201,
    response: RepoDetail,
  },
  'GET repos/*': {
    tag: 'repos',
    summary: 'Get a repository',
    params: RepoId,
    response: RepoDetail,
  },
  'PATCH repos/*': {
    tag: 'repos',
    summary: 'Change a repository',
    params: RepoId,
    body: UpdateRepoRequest,
    response: RepoDetail,
  },
  'DELETE repos/*': {
    tag: 'repos',
    summary: 'Delete a repository',
    params: RepoId,
    response: Empty,
  },

  'GET repos/:type/:namespace/:name/files': {
    tag: 'repos',
    summary: 'List the files of a revision, or one of its folders',
    params: RepoParams,
    query: RepoFilesQuery,
    response: RepoFileList,
  },
  'GET repos/:type/:namespace/:name/file': {
    tag: 'repos',
    summary: 'Get a file as text',
    description:
      'A binary file is marked as such, without its content; a large file is cut after 1 MiB.',
    params: RepoParams,
    query: FileQuery,
    response: RepoFile,
  },
  'GET repos/:type/:namespace/:name/commits': {
    tag: 'repos',
    summary: 'List the commits of a revision, newest first',
    params: RepoParams,
    query: RevisionQuery,
    response: CommitList,
  },
  'GET repos/:type/:namespace/:name/commits/:id': {
    tag: 'repos',
    summary: 'Get a commit with the files that it changes',
    params: CommitParams,
    query: DiffQuery,
    response: CommitDetail,
  },
  'POST repos/:type/:namespace/:name/commits': {
    tag: 'repos',
    summary: 'Commit to a branch or pull request, or as a pull request, as a user',
    params: RepoParams,
    body: CommitRequest,
    status: 201,
    response: Committed,
  },
  'POST repos/:type/:namespace/:name/refs': {
    tag: 'repos',
    summary: 'Create a branch or tag as a user',
    params: RepoParams,
    body: CreateRefRequest,
    status: 201,
    response: RepoDetail,
  },
  'DELETE repos/:type/:namespace/:name/refs': {
    tag: 'repos',
    summary: 'Delete a branch or tag as a user',
    params: RepoParams,
    query: DeleteRefQuery,
    response: RepoDetail,
  },
  'GET repos/:type/:namespace/:name/access-requests': {
    tag: 'repos',
    summary: 'List the access requests of a gated repo, oldest first',
    params: RepoParams,
    query: PageQuery,
    response: AccessRequestList,
  },
  'PATCH repos/:type/:namespace/:name/access-requests/:username': {
    tag: 'repos',
    summary: 'Accept or reject an access request, or make it pending again',
    params: AccessParams,
    body: DecideAccessRequest,
    response: AccessRequestItem,
  },
  'POST repos/:type/:namespace/:name/discussions': {
    tag: 'repos',
    summary: 'Open a discussion, or a draft pull request, as a user',
    params: RepoParams,
    body: OpenDiscussionRequest,
    status: 201,
    response: DiscussionDetail,
  },
  'GET repos/:type/:namespace/:name/discussions/:num': {
    tag: 'repos',
    summary: 'Get a discussion or pull request with its comments',
    params: DiscussionParams,
    query: DiffQuery,
    response: DiscussionDetail,
  },
  'PATCH repos/:type/:namespace/:name/discussions/:num': {
    tag: 'repos',
    summary: 'Rename, close or reopen a discussion as a user',
    params: DiscussionParams,
    body: UpdateDiscussionRequest,
    response: DiscussionDetail,
  },
  'POST repos/:type/:namespace/:name/discussions/:num/comments': {
    tag: 'repos',
    summary: 'Comment as a user',
    params: DiscussionParams,
    body: CommentRequest,
    status: 201,
    response: TimelineItem,
  },
  'POST repos/:type/:namespace/:name/discussions/:num/merge': {
    tag: 'repos',
    summary: 'Merge a pull request as a user',
    params: DiscussionParams,
    body: MergeRequest,
    response: DiscussionDetail,
  },

  'GET collections': {
    tag: 'collections',
    summary: 'List collections, latest change first',
    query: CollectionQuery,
    response: CollectionList,
  },
  'POST collections': {
    tag: 'collections',
    summary: 'Create a collection',
    body: CreateCollectionRequest,
    status: 201,
    response: CollectionDetail,
  },
  'GET collections/:id': {
    tag: 'collections',
    summary: 'Get a collection with its items',
    params: Id('Collection'),
    query: CollectionViewQuery,
    response: CollectionDetail,
  },
  'PATCH collections/:id': {
    tag: 'collections',
    summary: 'Change a collection',
    params: Id('Collection'),
    body: UpdateCollectionRequest,
    response: CollectionDetail,
  },
  'DELETE collections/:id': {
    tag: 'collections',
    summary: 'Delete a collection',
    params: Id('Collection'),
    query: CollectionActorQuery,
    response: Empty,
  },
  'POST collections/:id/items': {
    tag: 'collections',
    summary: 'Add an item to a collection',
    params: Id('Collection'),
    body: AddCollectionEntryRequest,
    status: 201,
    response: CollectionDetail,
  },
  'PATCH collections/:id/items/:item': {
    tag: 'collections',
    summary: 'Change the note of an item, or move it',
    params: CollectionEntryParams,
    body: UpdateCollectionEntryRequest,
    response: CollectionDetail,
  },
  'DELETE collections/:id/items/:item': {
    tag: 'collections',
    summary: 'Remove an item from a collection',
    params: CollectionEntryParams,
    query: CollectionActorQuery,
    response: CollectionDetail,
  },

  'GET webhooks': {
    tag: 'webhooks',
    summary: 'List webhooks of all users',
    query: PageQuery,
    response: WebhookList,
  },
  'POST webhooks': {
    tag: 'webhooks',
    summary: 'Create a webhook',
    body: CreateWebhookRequest,
    status: 201,
    response: WebhookItem,
  },
  'GET webhooks/:id': {
    tag: 'webhooks',
    summary: 'Get a webhook',
    params: Id('Webhook'),
    response: WebhookItem,
  },
  'PATCH webhooks/:id': {
    tag: 'webhooks',
    summary: 'Change, enable, disable, pause or resume a webhook',
    params: Id('Webhook'),
    body: UpdateWebhookRequest,
    response: WebhookItem,
  },
  'DELETE webhooks/:id': {
    tag: 'webhooks',
    summary: 'Delete a webhook',
    params: Id('Webhook'),
    response: Empty,
  },
  'GET webhooks/:id/statistics': {
    tag: 'webhooks',
    summary: 'Show statistics of a webhook: response times, errors, results over time',
    params: Id('Webhook'),
    query: WebhookStatisticsQuery,
    response: WebhookStatistics,
  },
  'POST webhooks/:id/recover': {
    tag: 'webhooks',
    summary: 'Send failed and cancelled deliveries again',
    params: Id('Webhook'),
    body: RecoverRequest,
    response: Recovered,
  },
  'GET links': { tag: 'webhooks', summary: 'List links', response: LinkList },
  'POST links': {
    tag: 'webhooks',
    summary: 'Create a temporary link to a local receiver',
    description:
      'A link is a port that forwards requests: a tunnel that expires after 72 h, or a hosted receiver that stops after 48 h without a request. Without a target it is a sample receiver that responds with 200. With a data folder, links return on the same port after a restart. A link whose port is in use is paused; request the same link again to recreate it.',
    body: CreateLinkRequest,
    status: 201,
    response: LinkItem,
  },
  'POST links/:id/wake': {
    tag: 'webhooks',
    summary: 'Restart a hosted receiver or a paused link',
    params: Id('Link'),
    response: LinkItem,
  },
  'DELETE links/:id': {
    tag: 'webhooks',
    summary: 'Delete a link',
    params: Id('Link'),
    response: Empty,
  },

  'GET deliveries': {
    tag: 'deliveries',
    summary: 'List deliveries, newest first',
    description:
      'With `follow=1` the response is an NDJSON stream: all current matches, oldest first (parameters of pages do not apply), then a line for each change. Pages by `skip` and the same `cursor` stay in place while deliveries arrive.',
    query: DeliveryQuery,
    response: DeliveryList,
    line: DeliveryItem,
  },
  'GET deliveries/summary': {
    tag: 'deliveries',
    summary: 'Sum up deliveries: results, response times, results over time',
    query: DeliveryFilters,
    response: DeliverySummary,
  },
  'GET deliveries/ids': {
    tag: 'deliveries',
    summary: 'List the ids of deliveries that can be replayed',
    description: 'Skipped deliveries and attempts of audits cannot.',
    query: DeliveryFilters,
    response: DeliveryIds,
  },
  'GET issues': {
    tag: 'deliveries',
    summary: 'List undelivered deliveries, grouped by webhook and cause',
    description: 'Webhooks that still fail first, then the newest first.',
    query: PageQuery,
    response: IssueList,
  },
  'GET deliveries/:id': {
    tag: 'deliveries',
    summary: 'Get a delivery with every attempt',
    params: Id('Delivery'),
    response: DeliveryItem,
  },
  'GET deliveries/:id/story': {
    tag: 'deliveries',
    summary: 'Show the cause and the possible effects of a delivery',
    description:
      'Causes are recorded. Effects are inferred: requests by the owner of the webhook and changes in the repository until 5 s after the last attempt.',
    params: Id('Delivery'),
    response: DeliveryStory,
  },
  'GET deliveries/:id/report': {
    tag: 'deliveries',
    summary: 'Export a delivery as a self-contained HTML file',
    description:
      'The file has every attempt with request and response, and the payload. It needs no sandbox, network or script; secrets are masked.',
    params: Id('Delivery'),
    response: FlowText,
  },
  'POST deliveries/:id/replay': {
    tag: 'deliveries',
    summary: 'Replay a delivery to the webhook’s current URL',
    description: 'With `payload`, a new delivery marked as derived is sent.',
    params: Id('Delivery'),
    body: Type.Optional(ReplayRequest),
    response: AttemptItem,
  },
  'POST deliveries/replay': {
    tag: 'deliveries',
    summary: 'Replay several deliveries, or send duplicates of them',
    description:
      'Sends four at a time to a webhook, or one at a time if it is `ordered`, without retries and without using the quota. Responds when all have ended; an unknown or skipped delivery has an item with the reason. Sending stops when the caller disconnects.',
    body: ReplayManyRequest,
    response: ReplayedMany,
  },
  'POST deliveries/:id/release': {
    tag: 'deliveries',
    summary: 'Send a delivery that is held because its webhook triggers itself',
    params: Id('Delivery'),
    response: DeliveryItem,
  },
  'POST deliveries/:id/cancel': {
    tag: 'deliveries',
    summary: 'Cancel a delivery',
    params: Id('Delivery'),
    response: DeliveryItem,
  },
  'GET idle': {
    tag: 'deliveries',
    summary: 'Wait until nothing is queued or in flight',
    description: 'With `waiting=1` also waits for retries. 504 lists what is outstanding.',
    query: IdleQuery,
    response: Idle,
    otherwise: { 504: NotIdle },
  },

  'GET events': {
    tag: 'events',
    summary: 'List the events that can be triggered, with their fields',
    response: EventCatalog,
  },
  'POST events': {
    tag: 'events',
    summary: 'Trigger an event',
    description:
      'Responds at once; the deliveries follow. With an `Idempotency-Key`, repeating the request does not trigger the event again.',
    headers: TriggerHeaders,
    body: TriggerRequest,
    status: 202,
    response: TriggerResult,
  },
  'GET events/last': {
    tag: 'events',
    summary: 'Get the last trigger since the start, to repeat it',
    response: LastTrigger,
  },

  'GET jobs': { tag: 'jobs', summary: 'List jobs', query: JobQuery, response: JobList },
  'POST jobs': {
    tag: 'jobs',
    summary: 'Start a job',
    description: 'The job is only recorded, unless --run-jobs names a command for its image.',
    body: CreateJobRequest,
    status: 201,
    response: JobItem,
  },
  'GET jobs/:id': {
    tag: 'jobs',
    summary: 'Get a job with its log',
    params: Id('Job'),
    response: JobDetail,
  },
  'DELETE jobs/:id': { tag: 'jobs', summary: 'Cancel a job', params: Id('Job'), response: JobItem },
  'GET scheduled-jobs': {
    tag: 'jobs',
    summary: 'List scheduled jobs, newest first',
    query: ScheduledJobQuery,
    response: ScheduledJobList,
  },
  'POST scheduled-jobs': {
    tag: 'jobs',
    summary: 'Create a scheduled job',
    body: CreateScheduledJobRequest,
    status: 201,
    response: ScheduledJobItem,
  },
  'GET scheduled-jobs/:id': {
    tag: 'jobs',
    summary: 'Get a scheduled job',
    params: Id('Scheduled job'),
    response: ScheduledJobItem,
  },
  'PATCH scheduled-jobs/:id': {
    tag: 'jobs',
    summary: 'Suspend or resume a scheduled job, or change its schedule',
    params: Id('Scheduled job'),
    body: UpdateScheduledJobRequest,
    response: ScheduledJobItem,
  },
  'POST scheduled-jobs/:id/run': {
    tag: 'jobs',
    summary: 'Run a scheduled job now',
    params: Id('Scheduled job'),
    status: 201,
    response: JobItem,
  },
  'DELETE scheduled-jobs/:id': {
    tag: 'jobs',
    summary: 'Delete a scheduled job',
    params: Id('Scheduled job'),
    response: Empty,
  },

  'GET inference-endpoints': {
    tag: 'inference',
    summary: 'List inference endpoints, newest first',
    query: InferenceEndpointQuery,
    response: InferenceEndpointList,
  },
  'POST inference-endpoints': {
    tag: 'inference',
    summary: 'Create an inference endpoint and start it',
    body: CreateInferenceEndpointRequest,
    status: 201,
    response: InferenceEndpointItem,
  },
  'GET inference-endpoints/:id': {
    tag: 'inference',
    summary: 'Get an inference endpoint',
    params: Id('Inference endpoint'),
    response: InferenceEndpointItem,
  },
  'POST inference-endpoints/:id/pause': {
    tag: 'inference',
    summary: 'Pause an inference endpoint',
    params: Id('Inference endpoint'),
    response: InferenceEndpointItem,
  },
  'POST inference-endpoints/:id/resume': {
    tag: 'inference',
    summary: 'Resume an inference endpoint',
    params: Id('Inference endpoint'),
    response: InferenceEndpointItem,
  },
  'POST inference-endpoints/:id/scale-to-zero': {
    tag: 'inference',
    summary: 'Scale an inference endpoint to zero',
    params: Id('Inference endpoint'),
    response: InferenceEndpointItem,
  },
  'DELETE inference-endpoints/:id': {
    tag: 'inference',
    summary: 'Delete an inference endpoint',
    params: Id('Inference endpoint'),
    response: Empty,
  },

  'GET advice': {
    tag: 'requests',
    summary: 'Check the recorded requests and deliveries for mistakes of apps and receivers',
    description:
      'Each rule reports how often it had something to judge. Traffic of the sandbox itself, responses that a fault changed, and moved clocks cause no finding, except where a rule says so.',
    query: AdviceQuery,
    response: Advice,
  },
  'GET audits/modules': {
    tag: 'requests',
    summary: 'List the tests of the audits',
    response: AuditModuleList,
  },
  'GET audits': {
    tag: 'requests',
    summary: 'List the audits, the newest first',
    description: 'The newest 20 are kept until a reset.',
    response: AuditRunList,
  },
  'POST audits': {
    tag: 'requests',
    summary: 'Start an audit of an app or a receiver',
    description:
      'It runs in the background: follow it by `GET audits/{id}` or the live event `audit.progress`. 409 while another one of the same program runs, and for an app while fault rules, barriers or a frozen clock are active.',
    body: StartAuditRequest,
    status: 202,
    response: StartedAudit,
  },
  'GET audits/:id': {
    tag: 'requests',
    summary: 'Show an audit with its verdicts so far',
    params: Type.Object({ id: text('Audit') }),
    response: AuditRunItem,
  },
  'GET audits/:id/report': {
    tag: 'requests',
    summary: 'Export the verdicts: SARIF, JUnit, Markdown, annotations, JSON or text',
    params: Id('Audit'),
    query: AuditReportQuery,
    response: FlowText,
  },
  'POST audits/:id/continue': {
    tag: 'requests',
    summary: 'Continue an audit after the step that it waits for',
    params: Type.Object({ id: text('Audit') }),
    body: Type.Optional(ContinueAuditRequest),
    response: AuditRunItem,
  },
  'POST audits/:id/skip': {
    tag: 'requests',
    summary: 'Skip the module that an audit waits for',
    params: Type.Object({ id: text('Audit') }),
    response: AuditRunItem,
  },
  'DELETE audits/:id': {
    tag: 'requests',
    summary: 'Stop an audit, and undo what it changed',
    description: 'Its verdicts stay.',
    params: Type.Object({ id: text('Audit') }),
    response: AuditRunItem,
  },
  'GET advice/rules': {
    tag: 'requests',
    summary: 'List the checks',
    response: AdviceRuleList,
  },
  'GET advice/report': {
    tag: 'requests',
    summary:
      'Export the findings for a pipeline: SARIF, JUnit, Markdown, annotations, JSON or text',
    query: AdviceReportQuery,
    response: FlowText,
  },
  'POST advice/ignores': {
    tag: 'requests',
    summary: 'Ignore the findings of a rule, of one app or webhook or of all',
    description:
      'Ends with a reset. For good: `config.advice.ignore` of the fixtures file. An ignore that matches no finding is reported.',
    body: IgnoreAdviceRequest,
    status: 201,
    response: AdviceIgnoreItem,
  },
  'DELETE advice/ignores/:id': {
    tag: 'requests',
    summary: 'Delete an ignore',
    params: Id('Ignore'),
    response: Empty,
  },
  'POST advice/pauses': {
    tag: 'requests',
    summary: 'Begin a time that is not judged',
    description:
      'With `follow=1` the response is one line of NDJSON and stays open. The pause then ends when the caller disconnects, so none outlives a killed program.',
    query: AdvicePauseQuery,
    status: 201,
    response: AdvicePause,
    line: AdvicePause,
  },
  'DELETE advice/pauses/:id': {
    tag: 'requests',
    summary: 'End a time that is not judged',
    description: 'Its requests and deliveries are still left out.',
    params: Id('Pause'),
    response: Empty,
  },

  'GET requests': {
    tag: 'requests',
    summary: 'List requests, newest first',
    description:
      'With `follow=1` the response is an NDJSON stream: all current matches, oldest first (`cursor` and `limit` do not apply), then a line for each new request.',
    query: RequestQuery,
    response: RequestList,
    line: RequestItem,
  },
  'GET requests.har': {
    tag: 'requests',
    summary: 'Export all requests as an HTTP Archive',
    response: Har,
  },
  'GET requests/:id': {
    tag: 'requests',
    summary: 'Get a request and its response',
    params: Id('Request'),
    response: RequestDetail,
  },
  'POST requests/:id/resend': {
    tag: 'requests',
    summary: 'Send a request to the Hub again, with or without changes',
    description:
      'The new request has the headers of the original, and so its principal, and names it as `resentFrom`. A masked value sends the recorded one; 400 names the values that the log does not have.',
    params: Id('Request'),
    body: Type.Optional(ResendRequest),
    response: Resent,
  },
  'GET flows': {
    tag: 'requests',
    summary: 'List sign-ins, newest first',
    query: FlowQuery,
    response: FlowList,
  },
  'GET flows/:id/steps/:step': {
    tag: 'requests',
    summary: 'Show the details of a step of a sign-in',
    description:
      'Returns parameters, decoded tokens and raw messages. Secrets are masked except those named in `reveal`.',
    params: Type.Object({
      id: text('Sign-in'),
      step: text('Step'),
    }),
    query: FlowStepQuery,
    response: FlowStepDetail,
  },
  'GET flows/:id/har': {
    tag: 'requests',
    summary: 'Export the requests of a sign-in as an HTTP Archive',
    params: Id('Sign-in'),
    response: Har,
  },
  'GET flows/:id/mermaid': {
    tag: 'requests',
    summary: 'Export a sign-in as a Mermaid sequence diagram',
    params: Id('Sign-in'),
    response: FlowText,
  },
  'GET flows/:id/report': {
    tag: 'requests',
    summary: 'Export a sign-in as a self-contained HTML file',
    description:
      'The file has every step with its details. It needs no sandbox, network or script; secrets are masked.',
    params: Id('Sign-in'),
    response: FlowText,
  },
  'GET report': {
    tag: 'requests',
    summary: 'Export all sign-ins, deliveries and requests as a self-contained HTML file',
    description:
      'The file needs no sandbox, network or script; secrets are masked. It has at most the latest 1,000 deliveries.',
    response: FlowText,
  },
  'GET flows/:id/test': {
    tag: 'requests',
    summary: 'Export a sign-in as a vitest file that repeats it',
    description:
      'The test starts its own sandbox with the accounts and apps of the sign-in and expects the same responses. 409 if it cannot be repeated: its beginning is missing, or the document of its app would have to be fetched.',
    params: Id('Sign-in'),
    response: FlowText,
  },
  'GET flows/:id/fixes': {
    tag: 'requests',
    summary: 'List suggested fixes for a refused sign-in',
    description:
      'Computed on each call from the last request of the sign-in and the current state. Apps of a client metadata document get no suggestions.',
    params: Id('Sign-in'),
    response: FixList,
  },
  'POST flows/:id/fixes/:fix': {
    tag: 'requests',
    summary: 'Apply a suggested fix',
    description:
      'Takes no body: the refused request defines the change. 409 if the fix is no longer offered or would now change something else.',
    params: Type.Object({
      id: text('Sign-in'),
      fix: text('Fix'),
    }),
    response: AppliedFix,
  },
  'GET flows/:id': {
    tag: 'requests',
    summary: 'Get a sign-in as drawn: its participants and steps',
    description:
      'The fact `request.completed` in the live feed has a `flowId` when the sign-in has a new step.',
    params: Id('Sign-in'),
    response: FlowDetail,
  },

  'GET experiments': {
    tag: 'faults',
    summary: 'List experiments with the verdict of their last runs',
    response: ExperimentList,
  },
  'GET experiments/:id': {
    tag: 'faults',
    summary: 'Get an experiment with the verdict of its last run',
    params: Id('Experiment'),
    response: ExperimentItem,
  },
  'POST experiments/:id/run': {
    tag: 'faults',
    summary: 'Run an experiment',
    description:
      'An experiment with an app changes its next response, and its verdict follows from the requests after that. An experiment with a receiver sends past deliveries again, and has its verdict at once.',
    params: Id('Experiment'),
    body: Type.Optional(RunExperimentRequest),
    response: ExperimentItem,
  },
  'DELETE experiments/:id/run': {
    tag: 'faults',
    summary: 'Stop an experiment and forget its verdict',
    params: Id('Experiment'),
    response: Empty,
  },

  'GET faults': { tag: 'faults', summary: 'List fault rules', response: FaultList },
  'POST faults': {
    tag: 'faults',
    summary: 'Add a fault rule',
    description: 'The first matching rule that is not used up changes the response.',
    body: AddFaultRequest,
    status: 201,
    response: AddedFault,
  },
  'POST faults/preview': {
    tag: 'faults',
    summary: 'List kept requests or deliveries that a rule would have matched',
    body: PreviewFaultRequest,
    response: FaultPreview,
  },
  'GET faults/:id': {
    tag: 'faults',
    summary: 'Get a fault rule',
    params: Id('Rule'),
    response: FaultItem,
  },
  'DELETE faults/:id': {
    tag: 'faults',
    summary: 'Delete a fault rule',
    params: Id('Rule'),
    response: Empty,
  },
  'DELETE faults': { tag: 'faults', summary: 'Delete all fault rules', response: Empty },
  'GET space-frames': {
    tag: 'space-frames',
    summary: 'List Space frames',
    response: SpaceFrameList,
  },
  'POST space-frames': {
    tag: 'space-frames',
    summary: 'Open a Space frame: an app in a cross-site frame',
    description:
      'The Hub embeds a Space as a frame of another site, where browsers withhold most cookies. This opens a loopback port that forwards to the app, and a page of the dashboard that frames it from another host name. The sandbox judges the `Cookie` and `Set-Cookie` headers that pass. The app has to be one that webhooks may reach, too: on this machine or network unless `--allow-network` is set.',
    body: OpenSpaceFrameRequest,
    status: 201,
    response: SpaceFrameItem,
  },
  'GET space-frames/:id': {
    tag: 'space-frames',
    summary: 'Get a Space frame with its cookies and requests',
    params: Id('Frame'),
    response: SpaceFrameDetail,
  },
  'PATCH space-frames/:id': {
    tag: 'space-frames',
    summary: 'Change the rules for the cookies of a Space frame',
    params: Id('Frame'),
    body: UpdateSpaceFrameRequest,
    response: SpaceFrameItem,
  },
  'DELETE space-frames/:id': {
    tag: 'space-frames',
    summary: 'Close a Space frame',
    params: Id('Frame'),
    response: Empty,
  },

  'GET barriers': { tag: 'barriers', summary: 'List barriers', response: BarrierList },
  'POST barriers': {
    tag: 'barriers',
    summary: 'Add a barrier: hold requests until they are released',
    body: AddBarrierRequest,
    status: 201,
    response: AddedBarrier,
  },
  'GET barriers/:id': {
    tag: 'barriers',
    summary: 'Get a barrier',
    params: Id('Rule'),
    response: Barrier,
  },
  'POST barriers/:id/release': {
    tag: 'barriers',
    summary: 'Release the held requests, in a given order',
    params: Id('Rule'),
    body: Type.Optional(ReleaseBarrierRequest),
    response: ReleasedBarrier,
  },
} as const satisfies Record<`${ControlMethod} ${string}`, Endpoint>

export type ControlApi = typeof controlApi
