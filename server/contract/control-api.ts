import { Type, type TSchema } from 'typebox'
import { largestFileBytes } from './fixtures/limits.ts'
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
  AppItem,
  AppList,
  AppSecret,
  ConsentList,
  CreateAppRequest,
  CreateMetadataDocumentRequest,
  MetadataDocumentItem,
  MetadataDocumentList,
  RevokeConsentQuery,
  UpdateAppRequest,
  UpdateMetadataDocumentRequest,
} from './control-apps.ts'
import { CompareRequest, Comparison } from './control-comparison.ts'
import { ClockReading, MoveClockRequest } from './control-clock.ts'
import {
  AttemptItem,
  DeliveryItem,
  DeliveryList,
  DeliveryQuery,
  DeliveryStory,
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
  RepeatList,
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
import { FlowDetail, FlowStepDetail, FlowStepQuery, FlowText } from './control-flows.ts'
import { CreateForkRequest, ForkItem, ForkList, ForkQuery } from './control-forks.ts'
import { Overview } from './control-health.ts'
import { ActiveOverrides } from './control-overrides.ts'
import { CreateJobRequest, JobDetail, JobItem, JobList, JobQuery } from './control-jobs.ts'
import { AppliedFix, FixList } from './control-fixes.ts'
import {
  CreateRepoRequest,
  RepoDetail,
  RepoList,
  RepoQuery,
  UpdateRepoRequest,
} from './control-repos.ts'
import {
  CommentRequest,
  CommitDetail,
  CommitList,
  CommitParams,
  CommitRequest,
  Committed,
  CreateRefRequest,
  DeleteRefQuery,
  DiscussionDetail,
  DiscussionParams,
  FileQuery,
  MergeRequest,
  OpenDiscussionRequest,
  RepoFile,
  RepoFileList,
  RepoParams,
  RevisionQuery,
  TimelineItem,
  UpdateDiscussionRequest,
} from './control-repo-contents.ts'
import { SearchRequest, SearchResult } from './control-search.ts'
import {
  FlowList,
  Har,
  RequestDetail,
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
  ResumedRun,
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

export type ControlMethod = 'GET' | 'POST' | 'PATCH' | 'DELETE'

/** One row of the table. */
export interface Endpoint {
  summary: string
  description?: string
  /** The group it is shown in. */
  tag: string
  params?: TSchema
  /** Names that it does not have are refused. */
  query?: TSchema
  headers?: TSchema
  body?: TSchema
  /** Largest body, in bytes. Default: 1 MiB. */
  bodyLimit?: number
  /** Of the answer; default 200. */
  status?: 201 | 202
  answer: TSchema
  /** Answers of another status that are no plain refusal. */
  otherwise?: Readonly<Record<number, TSchema>>
  /** What each line is where the answer may be a stream of lines. */
  line?: TSchema
}

const Id = (description: string) => Type.Object({ id: Type.String({ description }) })
const ClientId = Type.Object({ clientId: Type.String({ description: '`client_id`' }) })
const AccountName = Type.Object({ name: Type.String({ description: 'Name of the account' }) })
const DocumentUrl = Type.Object({ url: Type.String({ description: 'Address of the document' }) })
const RepoId = Type.Object({
  '*': Type.String({ description: 'Id, or namespace/name with its type before it where needed' }),
})
const TokenId = Id('Id, or the token itself')
const SnapshotName = Type.Object({ name: CreatedSnapshot.properties.name })

/**
 * The control API: what each address below `/_sandbox/api/` takes and answers. The server's routes are registered from
 * it; dashboard, commands and the in-process handle call by its keys and have their types from it.
 */
export const controlApi = {
  'GET overview': { tag: 'sandbox', summary: 'What the sandbox is and holds', answer: Overview },
  'GET overrides': {
    tag: 'sandbox',
    summary: 'Get the active overrides (clock, faults, barriers) and pending devices',
    answer: ActiveOverrides,
  },
  'GET facts': {
    tag: 'sandbox',
    summary: 'What happened since the start or the last reset, but for requests that went well',
    query: FactQuery,
    answer: FactList,
  },
  'POST search': {
    tag: 'sandbox',
    summary: 'Find anything by a name, an id, a token or a code',
    body: SearchRequest,
    answer: SearchResult,
  },
  'GET fixtures': {
    tag: 'sandbox',
    summary: 'What was loaded, secrets included, but not the signing key',
    answer: LoadedFixtures,
  },
  'POST fixtures/compare': {
    tag: 'sandbox',
    summary: 'How a fixtures file differs from the present state; nothing is loaded',
    body: CompareRequest,
    bodyLimit: largestFileBytes,
    answer: Comparison,
  },
  'GET export': {
    tag: 'sandbox',
    summary: 'The present state as a fixtures file',
    description:
      'What such a file cannot hold of a repo, its `leftOut` says: contents in Git LFS, history, branches. With `log=1` it holds what the run left behind, too: requests, sign-ins, deliveries with their attempts. Credentials that the sandbox did not issue, job secrets and passwords in addresses are masked in it then. A sandbox that loads it shows the run, and delivers nothing until it is resumed.',
    query: ExportQuery,
    answer: ExportedFixtures,
  },
  'POST recorded-run/resume': {
    tag: 'sandbox',
    summary:
      'Let a recorded run go on: what was held is delivered, and the clock runs where it ran',
    answer: ResumedRun,
  },
  'POST reset': {
    tag: 'sandbox',
    summary: 'Return to the fixtures as the start has read them; snapshots and signing keys stay',
    answer: ReplacedState,
  },
  'POST stop': {
    tag: 'sandbox',
    summary: 'End the sandbox: what is in flight is finished, the state saved',
    description:
      'As SIGTERM does. The answer comes first; the sandbox has ended when its port is closed and the lock of its data folder is gone.',
    status: 202,
    answer: Stopping,
  },

  'GET snapshots': { tag: 'sandbox', summary: 'List snapshots', answer: SnapshotList },
  'POST snapshots': {
    tag: 'sandbox',
    summary: 'Keep the whole state under a name, or a fixtures file as one',
    body: Type.Optional(CreateSnapshotRequest),
    bodyLimit: largestFileBytes,
    status: 201,
    answer: CreatedSnapshot,
  },
  'GET snapshots/:name': {
    tag: 'sandbox',
    summary: 'A snapshot as a fixtures file',
    params: SnapshotName,
    answer: ExportedFixtures,
  },
  'GET snapshots/:name/comparison': {
    tag: 'sandbox',
    summary: 'How a snapshot differs from the present state',
    params: SnapshotName,
    answer: Comparison,
  },
  'POST snapshots/:name/restore': {
    tag: 'sandbox',
    summary: 'Go back to a snapshot',
    params: SnapshotName,
    answer: ReplacedState,
  },
  'DELETE snapshots/:name': {
    tag: 'sandbox',
    summary: 'Delete a snapshot',
    params: SnapshotName,
    answer: Empty,
  },

  'GET forks': { tag: 'sandbox', summary: 'List forks', answer: ForkList },
  'POST forks': {
    tag: 'sandbox',
    summary: 'Start another sandbox from the present state',
    description:
      'In the same process, in memory, at a free port of the same addresses, with the same settings and control token. It shares nothing with this one but its end; 200 at most.',
    body: Type.Optional(CreateForkRequest),
    status: 201,
    answer: ForkItem,
  },
  'GET forks/:id': {
    tag: 'sandbox',
    summary: 'One fork',
    description:
      'With `follow=1` the answer is one line of NDJSON that stays open as long as the fork runs; a temporary one runs as long as such an answer is open.',
    params: Id('Fork'),
    query: ForkQuery,
    answer: ForkItem,
    line: ForkItem,
  },
  'DELETE forks/:id': { tag: 'sandbox', summary: 'End a fork', params: Id('Fork'), answer: Empty },

  'GET clock': { tag: 'clock', summary: 'The time of the sandbox', answer: ClockReading },
  'POST clock': {
    tag: 'clock',
    summary: 'Move the time of the sandbox',
    body: MoveClockRequest,
    answer: ClockReading,
  },

  'GET keys': {
    tag: 'keys',
    summary: 'The public signing keys, the present one first',
    answer: KeyList,
  },
  'POST keys/rotate': {
    tag: 'keys',
    summary: 'Sign with a new key from now on',
    body: Type.Optional(RotateKeyRequest),
    answer: RotatedKey,
  },

  'POST authorize': {
    tag: 'sign-in',
    summary: 'Sign in without a browser',
    description:
      'The parameters of an authorization request and what the user says; answers where the browser would be sent. 400 where the hub would show its error page.',
    body: AuthorizeRequest,
    answer: AuthorizeResult,
  },
  'GET sessions': {
    tag: 'sign-in',
    summary: 'List signed-in browsers',
    query: PageQuery,
    answer: SessionList,
  },
  'POST sessions': {
    tag: 'sign-in',
    summary: 'The cookie of a signed-in browser',
    body: StartSessionRequest,
    answer: StartedSession,
  },
  'DELETE sessions/:id': {
    tag: 'sign-in',
    summary: 'Sign a browser out',
    params: Id('Value of the cookie'),
    answer: Empty,
  },
  'GET device': {
    tag: 'sign-in',
    summary: 'List device authorizations',
    query: PageQuery,
    answer: DeviceList,
  },
  'POST device/:userCode': {
    tag: 'sign-in',
    summary: 'Answer for a device, as its user',
    params: Type.Object({ userCode: Type.String({ description: 'As shown on the device' }) }),
    body: DecideDeviceRequest,
    answer: DecidedDevice,
  },

  'GET demos': {
    tag: 'sign-in',
    summary: 'List demos',
    answer: DemoList,
  },
  'POST demos': {
    tag: 'sign-in',
    summary: 'Start a demo',
    description:
      'The sandbox plays an app through a whole flow. Its requests appear in the request log and among the sign-ins like those of any client. The newest 20 demos are kept, each for 15 minutes of real time. 400 names what the sandbox lacks for the demo, and the fixtures that add it.',
    body: DemoRequest,
    status: 201,
    answer: DemoItem,
  },
  'POST demos/:id/next': {
    tag: 'sign-in',
    summary: 'Play the next step',
    description: '409 while the demo waits for a person, and after its end.',
    params: Id('Demo'),
    answer: DemoItem,
  },
  'DELETE demos/:id': {
    tag: 'sign-in',
    summary: 'Cancel a demo',
    params: Id('Demo'),
    answer: Empty,
  },

  'GET tokens': {
    tag: 'tokens',
    summary: 'List access tokens',
    query: TokenQuery,
    answer: TokenList,
  },
  'POST tokens': {
    tag: 'tokens',
    summary: 'Mint an access token',
    description: 'A token of an app, or, with `role`, a user access token.',
    body: MintTokenRequest,
    answer: MintedToken,
  },
  'GET tokens/:id': { tag: 'tokens', summary: 'One token', params: TokenId, answer: TokenItem },
  'GET tokens/:id/history': {
    tag: 'tokens',
    summary: 'What happened to a token: its sign-in, its uses, its refresh',
    params: TokenId,
    answer: TokenHistory,
  },
  'GET tokens/:id/rights': {
    tag: 'tokens',
    summary: 'What may be done with a token, and whose things with',
    params: TokenId,
    answer: TokenRights,
  },
  'DELETE tokens/:id': { tag: 'tokens', summary: 'Revoke a token', params: TokenId, answer: Empty },

  'GET apps': { tag: 'apps', summary: 'List apps', query: PageQuery, answer: AppList },
  'POST apps': {
    tag: 'apps',
    summary: 'Register an app',
    body: CreateAppRequest,
    status: 201,
    answer: AppItem,
  },
  'GET apps/:clientId': { tag: 'apps', summary: 'One app', params: ClientId, answer: AppItem },
  'PATCH apps/:clientId': {
    tag: 'apps',
    summary: 'Change an app',
    params: ClientId,
    body: UpdateAppRequest,
    answer: AppItem,
  },
  'DELETE apps/:clientId': {
    tag: 'apps',
    summary: 'Delete an app and all it was issued',
    params: ClientId,
    answer: Empty,
  },
  'POST apps/:clientId/secret': {
    tag: 'apps',
    summary: 'Make a new secret; the old one stops working at once',
    params: ClientId,
    answer: AppSecret,
  },
  'DELETE apps/:clientId/secret': {
    tag: 'apps',
    summary: 'Delete the secret, which makes the app public',
    params: ClientId,
    answer: Empty,
  },
  'GET consents': {
    tag: 'apps',
    summary: 'List what users have allowed apps',
    query: PageQuery,
    answer: ConsentList,
  },
  'DELETE consents': {
    tag: 'apps',
    summary: 'Disconnect an app from a user',
    query: RevokeConsentQuery,
    answer: Empty,
  },
  'GET client-metadata-documents': {
    tag: 'apps',
    summary: 'List the client metadata documents that the sandbox serves to itself',
    query: PageQuery,
    answer: MetadataDocumentList,
  },
  'POST client-metadata-documents': {
    tag: 'apps',
    summary: 'Serve a client metadata document, so that its client needs no site',
    body: CreateMetadataDocumentRequest,
    status: 201,
    answer: MetadataDocumentItem,
  },
  'GET client-metadata-documents/:url': {
    tag: 'apps',
    summary: 'One client metadata document',
    params: DocumentUrl,
    answer: MetadataDocumentItem,
  },
  'PATCH client-metadata-documents/:url': {
    tag: 'apps',
    summary: 'Put another document in its place',
    params: DocumentUrl,
    body: UpdateMetadataDocumentRequest,
    answer: MetadataDocumentItem,
  },
  'DELETE client-metadata-documents/:url': {
    tag: 'apps',
    summary: 'Stop serving a document; its address is that of its real site again',
    params: DocumentUrl,
    answer: Empty,
  },

  'GET users': { tag: 'users', summary: 'List users', query: PageQuery, answer: UserList },
  'POST users': {
    tag: 'users',
    summary: 'Make a user',
    body: CreateUserRequest,
    status: 201,
    answer: UserItem,
  },
  'GET users/:name': { tag: 'users', summary: 'One user', params: AccountName, answer: UserItem },
  'PATCH users/:name': {
    tag: 'users',
    summary: 'Change a user',
    params: AccountName,
    body: UpdateUserRequest,
    answer: UserItem,
  },
  'DELETE users/:name': {
    tag: 'users',
    summary: 'Delete a user with what is theirs alone',
    params: AccountName,
    answer: Empty,
  },
  'GET organizations': {
    tag: 'organizations',
    summary: 'List organizations',
    query: PageQuery,
    answer: OrganizationList,
  },
  'POST organizations': {
    tag: 'organizations',
    summary: 'Make an organization',
    body: CreateOrganizationRequest,
    status: 201,
    answer: OrganizationItem,
  },
  'GET organizations/:name': {
    tag: 'organizations',
    summary: 'One organization',
    params: AccountName,
    answer: OrganizationItem,
  },
  'PATCH organizations/:name': {
    tag: 'organizations',
    summary: 'Change an organization',
    params: AccountName,
    body: UpdateOrganizationRequest,
    answer: OrganizationItem,
  },
  'DELETE organizations/:name': {
    tag: 'organizations',
    summary: 'Delete an organization',
    params: AccountName,
    answer: Empty,
  },
  'GET audit-log': {
    tag: 'organizations',
    summary: 'Audit logs of the organizations',
    query: AuditQuery,
    answer: AuditList,
  },

  'GET repos': { tag: 'repos', summary: 'List repositories', query: RepoQuery, answer: RepoList },
  'POST repos': {
    tag: 'repos',
    summary: 'Make a repository',
    body: CreateRepoRequest,
    status: 201,
    answer: RepoDetail,
  },
  'GET repos/*': { tag: 'repos', summary: 'One repository', params: RepoId, answer: RepoDetail },
  'PATCH repos/*': {
    tag: 'repos',
    summary: 'Change a repository',
    params: RepoId,
    body: UpdateRepoRequest,
    answer: RepoDetail,
  },
  'DELETE repos/*': {
    tag: 'repos',
    summary: 'Delete a repository',
    params: RepoId,
    answer: Empty,
  },

  'GET repos/:type/:namespace/:name/files': {
    tag: 'repos',
    summary: 'List the files of a revision',
    params: RepoParams,
    query: RevisionQuery,
    answer: RepoFileList,
  },
  'GET repos/:type/:namespace/:name/file': {
    tag: 'repos',
    summary: 'One file as text',
    description: 'A binary one is named as such; of a large one the first MiB is told.',
    params: RepoParams,
    query: FileQuery,
    answer: RepoFile,
  },
  'GET repos/:type/:namespace/:name/commits': {
    tag: 'repos',
    summary: 'List the commits of a revision, newest first',
    params: RepoParams,
    query: RevisionQuery,
    answer: CommitList,
  },
  'GET repos/:type/:namespace/:name/commits/:id': {
    tag: 'repos',
    summary: 'One commit with the files that it changes',
    params: CommitParams,
    answer: CommitDetail,
  },
  'POST repos/:type/:namespace/:name/commits': {
    tag: 'repos',
    summary: 'Commit to a branch or pull request, or as a pull request, as a user',
    params: RepoParams,
    body: CommitRequest,
    status: 201,
    answer: Committed,
  },
  'POST repos/:type/:namespace/:name/refs': {
    tag: 'repos',
    summary: 'Make a branch or tag as a user',
    params: RepoParams,
    body: CreateRefRequest,
    status: 201,
    answer: RepoDetail,
  },
  'DELETE repos/:type/:namespace/:name/refs': {
    tag: 'repos',
    summary: 'Delete a branch or tag as a user',
    params: RepoParams,
    query: DeleteRefQuery,
    answer: RepoDetail,
  },
  'POST repos/:type/:namespace/:name/discussions': {
    tag: 'repos',
    summary: 'Open a discussion, or a draft pull request, as a user',
    params: RepoParams,
    body: OpenDiscussionRequest,
    status: 201,
    answer: DiscussionDetail,
  },
  'GET repos/:type/:namespace/:name/discussions/:num': {
    tag: 'repos',
    summary: 'One discussion or pull request with its comments',
    params: DiscussionParams,
    answer: DiscussionDetail,
  },
  'PATCH repos/:type/:namespace/:name/discussions/:num': {
    tag: 'repos',
    summary: 'Retitle, close or open a discussion as a user',
    params: DiscussionParams,
    body: UpdateDiscussionRequest,
    answer: DiscussionDetail,
  },
  'POST repos/:type/:namespace/:name/discussions/:num/comments': {
    tag: 'repos',
    summary: 'Comment as a user',
    params: DiscussionParams,
    body: CommentRequest,
    status: 201,
    answer: TimelineItem,
  },
  'POST repos/:type/:namespace/:name/discussions/:num/merge': {
    tag: 'repos',
    summary: 'Merge a pull request as a user',
    params: DiscussionParams,
    body: MergeRequest,
    answer: DiscussionDetail,
  },

  'GET webhooks': {
    tag: 'webhooks',
    summary: 'List webhooks of all users',
    query: PageQuery,
    answer: WebhookList,
  },
  'POST webhooks': {
    tag: 'webhooks',
    summary: 'Make a webhook',
    body: CreateWebhookRequest,
    status: 201,
    answer: WebhookItem,
  },
  'GET webhooks/:id': {
    tag: 'webhooks',
    summary: 'One webhook',
    params: Id('Webhook'),
    answer: WebhookItem,
  },
  'PATCH webhooks/:id': {
    tag: 'webhooks',
    summary: 'Change a webhook, enable or disable it, hold or release its deliveries',
    params: Id('Webhook'),
    body: UpdateWebhookRequest,
    answer: WebhookItem,
  },
  'DELETE webhooks/:id': {
    tag: 'webhooks',
    summary: 'Delete a webhook',
    params: Id('Webhook'),
    answer: Empty,
  },
  'GET webhooks/:id/statistics': {
    tag: 'webhooks',
    summary: 'How a webhook has fared: times, errors, and what came of its deliveries over time',
    params: Id('Webhook'),
    query: WebhookStatisticsQuery,
    answer: WebhookStatistics,
  },
  'POST webhooks/:id/recover': {
    tag: 'webhooks',
    summary: 'Send what failed or was cancelled again',
    params: Id('Webhook'),
    body: RecoverRequest,
    answer: Recovered,
  },
  'GET links': { tag: 'webhooks', summary: 'List links', answer: LinkList },
  'POST links': {
    tag: 'webhooks',
    summary: 'Make a temporary link to a local receiver',
    description:
      'A port of its own that passes calls on: a tunnel that expires after 72 h, or a hosted receiver that stops after 48 h without a call. Without a target it is a sample receiver, which answers 200. It comes back at its port with a data folder; one whose port is taken meanwhile is paused, and asking for the same again makes it again.',
    body: CreateLinkRequest,
    status: 201,
    answer: LinkItem,
  },
  'POST links/:id/wake': {
    tag: 'webhooks',
    summary: 'Start a hosted receiver or a paused link again',
    params: Id('Link'),
    answer: LinkItem,
  },
  'DELETE links/:id': {
    tag: 'webhooks',
    summary: 'End a link',
    params: Id('Link'),
    answer: Empty,
  },

  'GET deliveries': {
    tag: 'deliveries',
    summary: 'List deliveries, newest first',
    description:
      'With `follow=1` the answer is NDJSON that goes on: all that matches now, oldest first (`cursor` and `limit` do not apply), then a line for each change.',
    query: DeliveryQuery,
    answer: DeliveryList,
    line: DeliveryItem,
  },
  'GET deliveries/:id': {
    tag: 'deliveries',
    summary: 'One delivery with every attempt',
    params: Id('Delivery'),
    answer: DeliveryItem,
  },
  'GET deliveries/:id/story': {
    tag: 'deliveries',
    summary: 'What caused a delivery, and what may have come of it',
    description:
      'Causes are kept; effects are inferred: what the owner of the webhook asked of the hub, and what changed in the repository, until 5 s after the last attempt.',
    params: Id('Delivery'),
    answer: DeliveryStory,
  },
  'POST deliveries/:id/replay': {
    tag: 'deliveries',
    summary: 'Send a delivery once more, to the present address',
    description: 'With `payload`, a new delivery that is marked as derived.',
    params: Id('Delivery'),
    body: Type.Optional(ReplayRequest),
    answer: AttemptItem,
  },
  'POST deliveries/replay': {
    tag: 'deliveries',
    summary: 'Send several deliveries once more, or duplicates of them',
    description:
      'Four at a time to one webhook, one where it is `ordered`; no retries, and no use of the quota. Answers when all have ended; an unknown or skipped one is an item that says so. Nothing more is started once the caller hangs up.',
    body: ReplayManyRequest,
    answer: ReplayedMany,
  },
  'POST deliveries/:id/cancel': {
    tag: 'deliveries',
    summary: 'Give a delivery up',
    params: Id('Delivery'),
    answer: DeliveryItem,
  },
  'GET idle': {
    tag: 'deliveries',
    summary: 'Wait until nothing is queued or in flight',
    description: 'With `waiting=1` retries that wait count, too. 504 names what is outstanding.',
    query: IdleQuery,
    answer: Idle,
    otherwise: { 504: NotIdle },
  },

  'GET events': {
    tag: 'events',
    summary: 'What can be caused by hand, and what it takes',
    answer: EventCatalog,
  },
  'POST events': {
    tag: 'events',
    summary: 'Cause an event',
    description:
      'Answers at once; the deliveries follow. An `Idempotency-Key` keeps a repeated request from causing it again.',
    headers: TriggerHeaders,
    body: TriggerRequest,
    status: 202,
    answer: TriggerResult,
  },
  'GET events/last': {
    tag: 'events',
    summary: 'What was caused by hand last since the start, to cause it again',
    answer: LastTrigger,
  },
  'GET events/repeats': {
    tag: 'events',
    summary: 'Triggers that are repeated at a rate and not through yet',
    answer: RepeatList,
  },
  'DELETE events/repeats/:id': {
    tag: 'events',
    summary: 'Stop a repeated trigger',
    description: 'What it has caused so far stays and is delivered.',
    params: Id('Repeated trigger'),
    answer: Empty,
  },

  'GET jobs': { tag: 'jobs', summary: 'List jobs', query: JobQuery, answer: JobList },
  'POST jobs': {
    tag: 'jobs',
    summary: 'Start a job',
    description: 'Recorded only, unless --run-jobs names a command for its image.',
    body: CreateJobRequest,
    status: 201,
    answer: JobItem,
  },
  'GET jobs/:id': {
    tag: 'jobs',
    summary: 'One job with its log',
    params: Id('Job'),
    answer: JobDetail,
  },
  'DELETE jobs/:id': { tag: 'jobs', summary: 'Cancel a job', params: Id('Job'), answer: JobItem },

  'GET requests': {
    tag: 'requests',
    summary: 'List requests, newest first',
    description:
      'With `follow=1` the answer is NDJSON that goes on: all that match now, oldest first (`cursor` and `limit` do not apply), then a line for each that is answered.',
    query: RequestQuery,
    answer: RequestList,
    line: RequestItem,
  },
  'GET requests.har': {
    tag: 'requests',
    summary: 'All requests as an HTTP Archive',
    answer: Har,
  },
  'GET requests/:id': {
    tag: 'requests',
    summary: 'One request and its answer',
    params: Id('Request'),
    answer: RequestDetail,
  },
  'GET flows': {
    tag: 'requests',
    summary: 'Requests grouped into sign-ins, newest first',
    query: PageQuery,
    answer: FlowList,
  },
  'GET flows/:id/steps/:step': {
    tag: 'requests',
    summary: 'What stands behind one step of a sign-in',
    description:
      'Parameters one by one, tokens decoded, raw messages. Secrets are masked but those that reveal names.',
    params: Type.Object({
      id: Type.String({ description: 'Sign-in' }),
      step: Type.String({ description: 'Step' }),
    }),
    query: FlowStepQuery,
    answer: FlowStepDetail,
  },
  'GET flows/:id/har': {
    tag: 'requests',
    summary: 'The requests of a sign-in as an HTTP Archive',
    params: Id('Sign-in'),
    answer: Har,
  },
  'GET flows/:id/mermaid': {
    tag: 'requests',
    summary: 'A sign-in as a Mermaid sequence diagram',
    params: Id('Sign-in'),
    answer: FlowText,
  },
  'GET flows/:id/test': {
    tag: 'requests',
    summary: 'A sign-in as a vitest file that repeats it',
    description:
      'It starts a sandbox of its own with the accounts and apps of the sign-in, and expects the same answers. 409 where it cannot be repeated: its beginning is missing, or the document of its app would have to be fetched.',
    params: Id('Sign-in'),
    answer: FlowText,
  },
  'GET flows/:id/fixes': {
    tag: 'requests',
    summary: 'List suggested fixes for a refused sign-in',
    description:
      'Computed on each call from the last request of the sign-in and the current state. Apps of a client metadata document get no suggestions.',
    params: Id('Sign-in'),
    answer: FixList,
  },
  'POST flows/:id/fixes/:fix': {
    tag: 'requests',
    summary: 'Apply a suggested fix',
    description:
      'Takes no body: the refused request defines the change. 409 if the fix is no longer offered or would now change something else.',
    params: Type.Object({
      id: Type.String({ description: 'Sign-in' }),
      fix: Type.String({ description: 'Fix' }),
    }),
    answer: AppliedFix,
  },
  'GET flows/:id': {
    tag: 'requests',
    summary: 'A sign-in as it is drawn: who took part, step by step',
    description:
      'The fact request.completed of the live feed says by flowId that there is more to draw.',
    params: Id('Sign-in'),
    answer: FlowDetail,
  },

  'GET faults': { tag: 'faults', summary: 'List fault rules', answer: FaultList },
  'POST faults': {
    tag: 'faults',
    summary: 'Add a fault rule',
    description: 'The first rule that matches an answer and is not used up changes it.',
    body: AddFaultRequest,
    status: 201,
    answer: AddedFault,
  },
  'POST faults/preview': {
    tag: 'faults',
    summary: 'Which of the remembered requests or deliveries a rule would have concerned',
    body: PreviewFaultRequest,
    answer: FaultPreview,
  },
  'GET faults/:id': {
    tag: 'faults',
    summary: 'One rule',
    params: Id('Rule'),
    answer: FaultItem,
  },
  'DELETE faults/:id': {
    tag: 'faults',
    summary: 'Remove a rule',
    params: Id('Rule'),
    answer: Empty,
  },
  'DELETE faults': { tag: 'faults', summary: 'Remove all rules', answer: Empty },
  'GET barriers': { tag: 'barriers', summary: 'List barriers', answer: BarrierList },
  'POST barriers': {
    tag: 'barriers',
    summary: 'Hold requests until they are released',
    body: AddBarrierRequest,
    status: 201,
    answer: AddedBarrier,
  },
  'GET barriers/:id': {
    tag: 'barriers',
    summary: 'One barrier',
    params: Id('Rule'),
    answer: Barrier,
  },
  'POST barriers/:id/release': {
    tag: 'barriers',
    summary: 'Let the held requests go, in an order of your choice',
    params: Id('Rule'),
    body: Type.Optional(ReleaseBarrierRequest),
    answer: ReleasedBarrier,
  },
} as const satisfies Record<`${ControlMethod} ${string}`, Endpoint>

export type ControlApi = typeof controlApi
